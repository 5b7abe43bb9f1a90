import { isArray, type JsonValue } from '../../text/json.ts';
import { type AnySchema, isObject, isSchema, keyword } from './json-schema.ts';

/** How a subschema relates to the instance that the schema around it describes. */
export type SubschemaRole =
  /** Applies to the same instance. */
  | 'in_place'
  /** Applies to a member or an item of it. */
  | 'child'
  /** Applies to no value of a valid instance, or only to a member's name. */
  | 'other';

interface Applicator {
  readonly shape: 'one' | 'list' | 'map';
  readonly role: SubschemaRole;
}

/** Where draft 2020-12 has subschemas. */
const APPLICATORS: ReadonlyMap<string, Applicator> = new Map<string, Applicator>([
  ['$defs', { shape: 'map', role: 'other' }],
  ['definitions', { shape: 'map', role: 'other' }],
  ['allOf', { shape: 'list', role: 'in_place' }],
  ['anyOf', { shape: 'list', role: 'in_place' }],
  ['oneOf', { shape: 'list', role: 'in_place' }],
  ['not', { shape: 'one', role: 'other' }],
  ['if', { shape: 'one', role: 'other' }],
  ['then', { shape: 'one', role: 'in_place' }],
  ['else', { shape: 'one', role: 'in_place' }],
  ['dependentSchemas', { shape: 'map', role: 'in_place' }],
  ['properties', { shape: 'map', role: 'child' }],
  ['patternProperties', { shape: 'map', role: 'child' }],
  ['additionalProperties', { shape: 'one', role: 'child' }],
  ['unevaluatedProperties', { shape: 'one', role: 'child' }],
  ['propertyNames', { shape: 'one', role: 'other' }],
  ['prefixItems', { shape: 'list', role: 'child' }],
  ['items', { shape: 'one', role: 'child' }],
  ['unevaluatedItems', { shape: 'one', role: 'child' }],
  ['contains', { shape: 'one', role: 'child' }],
  ['contentSchema', { shape: 'one', role: 'other' }],
]);

/** A schema directly inside another one. */
export interface Subschema {
  readonly keyword: string;
  readonly role: SubschemaRole;
  /** Reference tokens from the schema around it. */
  readonly path: readonly string[];
  readonly schema: AnySchema;
}

/** The schemas directly inside a schema, in the order of its keywords. */
export function subschemas(schema: AnySchema): Subschema[] {
  if (typeof schema === 'boolean') return [];
  const found: Subschema[] = [];
  for (const name of Object.keys(schema)) {
    const applicator = APPLICATORS.get(name);
    if (applicator === undefined) continue;
    for (const [path, value] of entriesOf(name, applicator.shape, keyword(schema, name))) {
      if (isSchema(value)) found.push({ keyword: name, role: applicator.role, path, schema: value });
    }
  }
  return found;
}

function entriesOf(
  name: string,
  shape: Applicator['shape'],
  value: JsonValue | undefined,
): [path: string[], value: JsonValue | undefined][] {
  if (shape === 'one') return [[[name], value]];
  if (shape === 'list') {
    return isArray(value) ? value.map((item, index) => [[name, String(index)], item]) : [];
  }
  return isObject(value) ? Object.entries(value).map(([member, item]) => [[name, member], item]) : [];
}
