import { fieldTypes } from '../definition/schema/field-types.ts';
import { type FilterOperator } from '../query/filter/operator-names.ts';
import { FILTER_OPERATORS } from '../query/filter/operators.ts';
import { bundleSchema } from '../schema/bundle-schema.ts';
import type { JsonSchema } from '../schema/graph/json-schema.ts';
import type { JsonObject, JsonType } from '../text/json.ts';
import type { AnyDiscoveryDocument } from '../wire/discovery/discovery-model.ts';
import { JSON_MEDIA_TYPE, type Resource } from '../wire/discovery/resource-model.ts';
import { SCHEMA_COMPONENTS } from './schema-components.ts';

/** What a filter compares with. */
export const SCALARS: readonly JsonType[] = ['null', 'boolean', 'number', 'string'];

/** Name of the component that describes the filters of a resource. */
export const filterName = (resource: string): string => `${resource}.filter`;

/**
 * The JSON Schemas of the filters that each resource takes, by component name: its declared fields and operators, with operands of the
 * fields' types. The protocol takes operands of other types too, but they match nothing.
 * @see protocol section 6
 */
export function filterComponents(
  { resources }: AnyDiscoveryDocument,
  schemas: ReadonlyMap<string, JsonSchema>,
): JsonObject {
  const filterable = resources.filter(({ filtering }) => Object.keys(filtering.filterable_fields).length > 0);
  const named = filterable.map((resource) => {
    const name = filterName(resource.name);
    return [name, filterSchema(resource, schemas, { $ref: `${SCHEMA_COMPONENTS}${name}` })] as const;
  });
  return Object.fromEntries(named);
}

/**
 * The JSON Schema of the filters that a resource takes: its declared fields and operators, with operands of the fields' types.
 * @param schemas by URL: that of the resource's records, and all that it refers to
 * @param self a reference to this schema, for the filters inside `$and`, `$or` and `$not`
 * @see protocol section 6
 */
export function filterSchema(
  { filtering, representations }: Resource,
  schemas: ReadonlyMap<string, JsonSchema>,
  self: JsonObject,
): JsonObject {
  const json = representations.find(({ media_type: type }) => type === JSON_MEDIA_TYPE);
  const record = json === undefined ? {} : bundleSchema(json.schema_url, schemas);
  const fields = Object.entries(filtering.filterable_fields).map(([pointer, operators]) => {
    const types = fieldTypes(record, pointer) ?? new Set(SCALARS);
    const properties = operators.map((operator) => [operator, operandSchema(operator, types)] as const);
    return [pointer, { ...closed(Object.fromEntries(properties)), minProperties: 1 }] as const;
  });
  const list = { type: 'array', items: self, minItems: 1 };
  const properties = { ...Object.fromEntries(fields), $and: list, $or: list, $not: self };
  return { ...closed(properties), minProperties: 1 };
}

/** An object with these members and no others. */
export const closed = (properties: JsonObject, required: readonly string[] = []): JsonObject => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
  additionalProperties: false,
});

/** What an operator takes for a field: scalars of these types, lists of them, or either. */
export function operandOf(
  operator: FilterOperator,
  types: ReadonlySet<JsonType>,
): { readonly scalars: readonly JsonType[]; readonly isScalar: boolean; readonly isList: boolean } {
  const { operand, fieldTypes: matched } = FILTER_OPERATORS[operator];
  if (operand === 'boolean' || operand === 'string')
    return { scalars: [operand], isScalar: true, isList: false };
  const own = SCALARS.filter((type) => types.has(type) && matched.includes(type));
  // An item of an array, or a field of any type, may be any scalar.
  const scalars = own.length > 0 && !types.has('array') ? own : SCALARS;
  const isScalar = operand !== 'array';
  return { scalars, isScalar, isList: !isScalar || types.has('array') };
}

function operandSchema(operator: FilterOperator, types: ReadonlySet<JsonType>): JsonObject {
  const { scalars, isScalar, isList } = operandOf(operator, types);
  const scalar = { type: scalars.length === 1 ? (scalars[0] ?? '') : scalars };
  const list = { type: 'array', items: scalar };
  if (!isList) return scalar;
  return isScalar ? { anyOf: [scalar, list] } : list;
}
