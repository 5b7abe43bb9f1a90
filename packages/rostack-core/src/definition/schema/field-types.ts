import { type Collation, type Collations, isCollation } from '../../query/collation/collation.ts';
import { FILTER_OPERATOR_NAMES, type FilterOperator } from '../../query/filter/operator-names.ts';
import { FILTER_OPERATORS, type FieldType } from '../../query/filter/operators.ts';
import { parsePointer } from '../../query/pointer/pointer.ts';
import type { SchemaDocuments } from '../../schema/bundle-schema.ts';
import { type JsonSchema, keyword } from '../../schema/graph/json-schema.ts';
import { createSchemaFacts, SCHEMA_TYPES, type SchemaType, typeOf } from '../../schema/graph/schema-facts.ts';
import { graphOf } from '../../schema/graph/schema-graph.ts';
import type { SchemaNode } from '../../schema/graph/schema-node.ts';
import { nodesAtPath, placesAtPath } from '../../schema/graph/schema-path.ts';
import type { JsonType, JsonValue } from '../../text/json.ts';
import type { Resource } from '../../wire/discovery/resource-model.ts';
import { bundledRecordSchema } from './bundled-record-schema.ts';

const JSON_TYPES: readonly JsonType[] = ['null', 'boolean', 'number', 'string', 'array', 'object'];

/** The JSON types that a field of a record can have; undefined if the schema has no such field. */
export function fieldTypes(schema: JsonSchema, pointer: string): ReadonlySet<JsonType> | undefined {
  const named = namedTypes(schema, pointer);
  if (named === undefined) return undefined;
  return named.size > 0 ? new Set(Array.from(named, jsonType)) : new Set(JSON_TYPES);
}

/** The type of a field that can hold ids; undefined unless the field admits only strings or only integers. */
export function idType(schema: JsonSchema, pointer: string): 'string' | 'integer' | undefined {
  const [type, ...others] = namedTypes(schema, pointer) ?? [];
  return others.length === 0 && (type === 'string' || type === 'integer') ? type : undefined;
}

/** The last schema that was asked about: its fields are asked for one after the other, and each graph takes time for all of them. */
let last:
  | (ReturnType<typeof graphOf> & { readonly schema: JsonSchema; readonly changes: number })
  | undefined;
let changes = 0;

/** To be called when schemas were changed in place: what is known of them may be wrong. */
export function forgetSchemas(): void {
  changes += 1;
}

function lastGraphOf(schema: JsonSchema): ReturnType<typeof graphOf> {
  if (last?.schema !== schema || last.changes !== changes) last = { ...graphOf(schema), schema, changes };
  return last;
}

function nodesOf(schema: JsonSchema, pointer: string): readonly SchemaNode[] {
  const { graph, root } = lastGraphOf(schema);
  return nodesAtPath(graph, root, parsePointer(pointer));
}

function namedTypes(schema: JsonSchema, pointer: string): ReadonlySet<SchemaType> | undefined {
  const nodes = nodesOf(schema, pointer);
  return nodes.length === 0 ? undefined : new Set(nodes.flatMap(ownTypes));
}

/** Whether every record has the field: each member on the path to it is required, and each holder is an object. */
export function isAlwaysThere(schema: JsonSchema, pointer: string): boolean {
  const { graph, root } = lastGraphOf(schema);
  const facts = createSchemaFacts(graph);
  const path = parsePointer(pointer);
  return path.every((token, depth) => {
    const places = placesAtPath(graph, root, path.slice(0, depth));
    // A record itself is an object, whether its schema says so or not.
    const isObject = (place: SchemaNode) => depth === 0 || isOnly('object', facts.types(place));
    return places.length > 0 && places.every((place) => isObject(place) && facts.required(place).has(token));
  });
}

const isOnly = (type: SchemaType, types: ReadonlySet<SchemaType>) => types.size === 1 && types.has(type);

function ownTypes(node: SchemaNode): SchemaType[] {
  const type = keyword(node.schema, 'type');
  const constant = keyword(node.schema, 'const');
  const values = keyword(node.schema, 'enum');
  if (type !== undefined) return (Array.isArray(type) ? type : [type]).filter(isSchemaType);
  if (constant !== undefined) return [typeOf(constant)];
  return Array.isArray(values) ? values.map(typeOf) : [];
}

const jsonType = (type: SchemaType): JsonType => (type === 'integer' ? 'number' : type);

const isSchemaType = (type: JsonValue): type is SchemaType => SCHEMA_TYPES.some((name) => name === type);

/**
 * How the strings that a field can hold compare, if not by code point: each schema there that says `type: string` has to say the same
 * `format`.
 */
export function fieldCollation(schema: JsonSchema, pointer: string): Collation | undefined {
  const strings = nodesOf(schema, pointer).filter((node) => ownTypes(node).includes('string'));
  const [format, ...others] = new Set(strings.map((node) => keyword(node.schema, 'format')));
  return others.length === 0 && isCollation(format) ? format : undefined;
}

/** The types that a field can hold, as far as operators distinguish them. */
export function filterableTypes(schema: JsonSchema, pointer: string): ReadonlySet<FieldType> | undefined {
  const types = fieldTypes(schema, pointer);
  if (types === undefined || fieldCollation(schema, pointer) === undefined) return types;
  return new Set([...types].map((type) => (type === 'string' ? 'collated' : type)));
}

/** Every operator that can match a value of these types, in the order of the protocol. */
export function operatorsFor(types: ReadonlySet<FieldType>): FilterOperator[] {
  return FILTER_OPERATOR_NAMES.filter((operator) =>
    FILTER_OPERATORS[operator].fieldTypes.some((type) => types.has(type)),
  );
}

/**
 * The collations of the fields of a resource: strings that compare by value, since the published schema gives them a format that has one.
 * @param schemas by URL; if the schema of the records is missing, no field has a collation
 */
export function fieldCollations(
  { representations }: Pick<Resource, 'representations'>,
  schemas: SchemaDocuments,
): Collations {
  const schema = bundledRecordSchema({ representations }, schemas);
  const known = new Map<string, Collation | undefined>();
  return {
    get: (pointer) => {
      if (schema === undefined || known.has(pointer)) return known.get(pointer);
      const collation = fieldCollation(schema, pointer);
      known.set(pointer, collation);
      return collation;
    },
  };
}
