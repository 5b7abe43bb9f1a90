import {
  COLLATIONS,
  FILTER_OPERATOR_NAMES,
  FILTER_OPERATORS,
  type FilterOperator,
  fieldCollation,
  isPointer,
  type JsonObject,
  parsePointer,
  TRANSITIONS,
} from 'rostack-core';
import { StoreOptionsError } from '../../errors/index.ts';
import { checkOption } from '../../store/options/check-option.ts';
import type { Field, FieldIndex, FieldPair } from './field.ts';
import { createRecordValidator, type RecordValidator } from './record-validator.ts';
import type { Resource } from './resource.ts';
import { type CompositeIndex, type ResourceDefinition, resourceDefinition } from './resource-definition.ts';

const NAME = /^[a-z][a-z0-9-]{0,199}$/;
const EVENT_NAME = /^[a-z][a-z0-9.-]*$/;
const OPERATORS: ReadonlySet<string> = new Set(FILTER_OPERATOR_NAMES);
const TRANSITION_NAMES: ReadonlySet<string> = new Set(TRANSITIONS);

/** Operators that do not apply to strings that compare by value. */
const TEXTUAL: ReadonlySet<string> = new Set(
  FILTER_OPERATOR_NAMES.filter((operator) => !FILTER_OPERATORS[operator].fieldTypes.includes('collated')),
);

/** Whether a range of an index can answer an operator. */
const INDEXABLE: Readonly<Record<FilterOperator, boolean>> = {
  eq: true,
  ne: false,
  gt: true,
  gte: true,
  lt: true,
  lte: true,
  in: true,
  nin: false,
  contains: false,
  starts_with: true,
  ends_with: false,
  exists: true,
};

/**
 * Checks a definition and compiles its schema.
 * @throws StoreOptionsError `store_options_invalid` naming what is wrong
 */
export function resolveResource(
  definition: ResourceDefinition,
  compositeIndexes: readonly CompositeIndex[] = [],
): Resource {
  checkOption(resourceDefinition, definition, 'resource');
  const { name } = definition;
  if (!NAME.test(name)) {
    throw new StoreOptionsError(`the resource name ${JSON.stringify(name)} does not match ^[a-z][a-z0-9-]*$`);
  }
  if (definition.idPointer === '') throw new StoreOptionsError(`${name}: idPointer names no member`);
  const resource = {
    name,
    idPath: pathOf(name, definition.idPointer),
    schema: definition.schema,
    validate: compile(definition),
    events: eventsOf(definition),
    eventsByTransition: Map.groupBy(definition.events ?? [], ({ transition }) => transition),
    fields: fieldsOf(definition),
  };
  const pairs = compositeIndexes.map((index) => pairOf(definition, index, compositeIndexes, resource.fields));
  return { ...resource, compositeIndexes: pairs };
}

function pairOf(
  { name, filterableFields = {}, sortableFields = [] }: ResourceDefinition,
  { equal, sort }: CompositeIndex,
  all: readonly CompositeIndex[],
  fields: readonly Field[],
): FieldPair<Field> {
  const fault = (what: string) =>
    new StoreOptionsError(`${name}: the composite index of ${equal} and ${sort}: ${what}`);
  if (filterableFields[equal]?.includes('eq') !== true)
    throw fault(`${equal} cannot be filtered by eq; add eq to its operators, or name another field`);
  if (!sortableFields.includes(sort)) throw fault(`${sort} is not sortable; name a sortable field`);
  if (equal === sort) throw fault('they are one field; name two');
  if (all.filter((index) => index.equal === equal && index.sort === sort).length > 1)
    throw fault('it is repeated; leave one out');
  const fieldOf = (pointer: string) => fields.find((field) => field.pointer === pointer) as Field;
  return { equal: fieldOf(equal), sort: fieldOf(sort) };
}

function compile({ name, schema }: ResourceDefinition): RecordValidator {
  try {
    return createRecordValidator(schema);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StoreOptionsError(`${name}: the schema cannot be used: ${reason}; correct it`, {
      cause: error,
    });
  }
}

function eventsOf({ name, events = [] }: ResourceDefinition): Resource['events'] {
  const byName = new Map<string, (typeof events)[number]['transition']>();
  for (const event of events) {
    if (!EVENT_NAME.test(event.name)) {
      throw new StoreOptionsError(
        `${name}: the event name ${JSON.stringify(event.name)} does not match ^[a-z][a-z0-9.-]*$`,
      );
    }
    if (!TRANSITION_NAMES.has(event.transition)) {
      throw new StoreOptionsError(
        `${name}: the event ${event.name} needs a transition: create, update or delete`,
      );
    }
    if (byName.has(event.name)) throw new StoreOptionsError(`${name}: the event ${event.name} is repeated`);
    byName.set(event.name, event.transition);
  }
  return byName;
}

function fieldsOf({ name, schema, filterableFields = {}, sortableFields = [] }: ResourceDefinition): Field[] {
  const indexes = new Map<string, FieldIndex>();
  for (const [pointer, operators] of Object.entries(filterableFields)) {
    const unknown = operators.find((operator) => !OPERATORS.has(operator));
    if (unknown !== undefined) throw new StoreOptionsError(`${name}: ${unknown} is not a filter operator`);
    const isIndexable = operators.some((operator) => INDEXABLE[operator]);
    indexes.set(pointer, isIndexable ? 'prefix' : 'none');
  }
  for (const pointer of sortableFields) indexes.set(pointer, 'whole');
  return [...indexes].map(([pointer, index]) => {
    const field = { pointer, path: pathOf(name, pointer), index };
    const collation = typeof schema === 'boolean' ? undefined : fieldCollation(schema as JsonObject, pointer);
    if (collation === undefined) return field;
    const textual = filterableFields[pointer]?.find((operator) => TEXTUAL.has(operator));
    if (textual === undefined) return { ...field, collation };
    throw new StoreOptionsError(
      `${name}: ${pointer} has ${COLLATIONS[collation].holds}: leave out ${textual}, which is for strings`,
    );
  });
}

function pathOf(name: string, pointer: string): string[] {
  if (!isPointer(pointer) || pointer === '' || !pointer.isWellFormed()) {
    throw new StoreOptionsError(
      `${name}: ${JSON.stringify(pointer)} is not a JSON Pointer of a member, such as /id`,
    );
  }
  return parsePointer(pointer);
}

/**
 * Checks a definition without a database.
 * @param compositeIndexes its part of the option of that name
 * @throws StoreOptionsError `store_options_invalid` naming what is wrong
 */
export function checkResourceDefinition(
  definition: ResourceDefinition,
  compositeIndexes: readonly CompositeIndex[] = [],
): void {
  resolveResource(definition, compositeIndexes);
}
