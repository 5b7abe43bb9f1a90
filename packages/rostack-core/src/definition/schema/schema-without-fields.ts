import { parsePointer } from '../../query/pointer/pointer.ts';
import { isObject, type JsonSchema } from '../../schema/graph/json-schema.ts';
import { isArray } from '../../text/json.ts';

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

const UNDECLARED = 'is not a field that the schema declares by properties; write one, or declare it so';

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
