import type { Filter } from '../../query/filter/filter.ts';
import { parsePointer } from '../../query/pointer/pointer.ts';
import type { SortKey } from '../../query/sort/sort.ts';
import { isObject, type JsonSchema } from '../../schema/json-schema.ts';
import { isArray, type JsonObject } from '../../text/json.ts';

/** A field that can only be seen, filtered and sorted by with permissions beyond those of its resource. */
export interface HiddenField {
  /** JSON Pointer. */
  readonly pointer: string;
  /** The pointer's reference tokens, unescaped. */
  readonly path: readonly string[];
  /** All are needed together. */
  readonly permissions: readonly string[];
}

/** A schema without some fields, or why it cannot do without them. */
export type SchemaWithout =
  | { readonly schema: JsonSchema }
  | { readonly pointer: string; readonly message: string };

/** Keywords with which an object may require a member, or declare it a second time. */
const BINDING = [
  '$ref',
  '$dynamicRef',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'dependentRequired',
  'dependentSchemas',
  'minProperties',
  'patternProperties',
];

const UNDECLARED = 'is no field that the schema declares by properties; write one, or declare it so';

/** The record without the fields; objects on the way to them stay. */
export function withoutFields(record: JsonObject, fields: readonly Pick<HiddenField, 'path'>[]): JsonObject {
  return fields.reduce((rest, { path }) => withoutField(rest, path), record);
}

function withoutField(record: JsonObject, [name = '', ...deeper]: readonly string[]): JsonObject {
  if (!Object.hasOwn(record, name)) return record;
  const { [name]: value = null, ...others } = record;
  if (deeper.length === 0) return others;
  return isObject(value) ? { ...record, [name]: withoutField(value, deeper) } : record;
}

/**
 * The schema of records without the fields: each has to be declared once, by `properties` alone, in objects that are valid without it.
 * @param pointers JSON Pointers
 */
export function schemaWithoutFields(schema: JsonSchema, pointers: readonly string[]): SchemaWithout {
  let rest = schema;
  for (const pointer of pointers) {
    const left = withoutDeclared(rest, parsePointer(pointer));
    if (typeof left === 'string') return { pointer, message: `${pointer} ${left}` };
    rest = left;
  }
  return { schema: rest };
}

/** The schema without the field, or why it needs the field. */
function withoutDeclared(schema: JsonSchema, [name = '', ...deeper]: readonly string[]): JsonSchema | string {
  const binding = BINDING.find((keyword) => Object.hasOwn(schema, keyword));
  if (binding !== undefined) {
    return `cannot be hidden: the object that holds it is described by ${binding}; describe it by properties alone`;
  }
  const { properties, required } = schema;
  const field = isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (!isObject(properties) || field === undefined) return UNDECLARED;
  if (deeper.length > 0) {
    const inner = isObject(field) ? withoutDeclared(field, deeper) : UNDECLARED;
    return typeof inner === 'string' ? inner : { ...schema, properties: { ...properties, [name]: inner } };
  }
  const { [name]: _, ...others } = properties;
  return {
    ...schema,
    properties: others,
    ...(isArray(required) && { required: required.filter((each) => each !== name) }),
  };
}

/** The fields in use that are hidden from a principal with only these permissions. */
export function hiddenFrom(
  permissions: ReadonlySet<string>,
  hidden: readonly HiddenField[],
  { filter, sort = [] }: { readonly filter?: Filter | undefined; readonly sort?: readonly SortKey[] },
): readonly HiddenField[] {
  const used = [...sort.map(({ pointer }) => pointer), ...(filter === undefined ? [] : fieldsOf(filter))];
  return hidden.filter(
    ({ pointer, permissions: needed }) =>
      needed.some((name) => !permissions.has(name)) &&
      used.some((each) => each === pointer || each.startsWith(`${pointer}/`)),
  );
}

function fieldsOf(filter: Filter): string[] {
  if (filter.kind === 'comparison') return [filter.pointer];
  return (filter.kind === 'not' ? [filter.filter] : filter.filters).flatMap(fieldsOf);
}
