import { FILTER_OPERATOR_NAMES, FILTER_OPERATORS, type FilterOperator } from '../filter/operators.ts';
import type { JsonType, JsonValue } from '../json/json.ts';
import { parsePointer } from '../pointer/pointer.ts';
import { type JsonSchema, keyword } from '../schema/json-schema.ts';
import { createSchemaFacts, SCHEMA_TYPES, type SchemaType, typeOf } from '../schema/schema-facts.ts';
import { createSchemaGraph } from '../schema/schema-graph.ts';
import type { SchemaNode } from '../schema/schema-node.ts';
import { nodesAtPath, placesAtPath } from '../schema/schema-path.ts';

const JSON_TYPES: readonly JsonType[] = ['null', 'boolean', 'number', 'string', 'array', 'object'];

/** References inside a schema need some base URL. */
const URL_OF_SCHEMA = 'https://schema.invalid/';

/** The JSON types that a field of a record can have; undefined where the schema has no such field. */
export function fieldTypes(schema: JsonSchema, pointer: string): ReadonlySet<JsonType> | undefined {
  const named = namedTypes(schema, pointer);
  if (named === undefined) return undefined;
  return named.size > 0 ? new Set(Array.from(named, jsonType)) : new Set(JSON_TYPES);
}

/** The type of a field that can hold ids: undefined where it admits anything but strings, or anything but integers. */
export function idType(schema: JsonSchema, pointer: string): 'string' | 'integer' | undefined {
  const [type, ...others] = namedTypes(schema, pointer) ?? [];
  return others.length === 0 && (type === 'string' || type === 'integer') ? type : undefined;
}

function namedTypes(schema: JsonSchema, pointer: string): ReadonlySet<SchemaType> | undefined {
  const graph = createSchemaGraph(new Map([[URL_OF_SCHEMA, schema]]));
  const root = graph.root(URL_OF_SCHEMA);
  const nodes = root === undefined ? [] : nodesAtPath(graph, root, parsePointer(pointer));
  return nodes.length === 0 ? undefined : new Set(nodes.flatMap(ownTypes));
}

/** Whether every record has the field: each member on the path to it is required, and each holder is an object. */
export function isAlwaysThere(schema: JsonSchema, pointer: string): boolean {
  const graph = createSchemaGraph(new Map([[URL_OF_SCHEMA, schema]]));
  const facts = createSchemaFacts(graph);
  const root = graph.root(URL_OF_SCHEMA);
  const path = parsePointer(pointer);
  return path.every((token, depth) => {
    const places = root === undefined ? [] : placesAtPath(graph, root, path.slice(0, depth));
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

/** Every operator that can match a value of these types, in the order of the protocol. */
export function operatorsFor(types: ReadonlySet<JsonType>): FilterOperator[] {
  return FILTER_OPERATOR_NAMES.filter((operator) =>
    FILTER_OPERATORS[operator].fieldTypes.some((type) => types.has(type)),
  );
}
