import { isArray, type JsonValue } from '../../text/json.ts';
import { keyword, refusesEverything } from './json-schema.ts';
import type { SchemaGraph } from './schema-graph.ts';
import type { SchemaNode } from './schema-node.ts';
import { compositionOf } from './schema-path.ts';

/** A type of JSON Schema; `number` includes `integer`. */
export type SchemaType = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object';

export const SCHEMA_TYPES: readonly SchemaType[] = [
  'null',
  'boolean',
  'integer',
  'number',
  'string',
  'array',
  'object',
];

/** References and combinators are followed to this depth. */
const MAX_DEPTH = 256;

/** The narrowest type of a value. */
export function typeOf(value: JsonValue): SchemaType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value as 'boolean' | 'string' | 'object';
}

function ownTypes(node: SchemaNode): ReadonlySet<SchemaType> {
  if (refusesEverything(node.schema)) return new Set();
  const type = keyword(node.schema, 'type');
  const values = keyword(node.schema, 'enum');
  const constant = keyword(node.schema, 'const');
  const named = isArray(type) ? type : type === undefined ? undefined : [type];
  if (named !== undefined) {
    const known = SCHEMA_TYPES.filter((name) => named.includes(name));
    return new Set(known.includes('number') ? [...known, 'integer'] : known);
  }
  if (constant !== undefined) return new Set([typeOf(constant)]);
  return new Set(isArray(values) ? values.map(typeOf) : SCHEMA_TYPES);
}

/** Facts about the instances that the nodes of a graph describe. */
export interface SchemaFacts {
  /** The types that an instance can have. */
  readonly types: (node: SchemaNode) => ReadonlySet<SchemaType>;
  /** The members that every object has. */
  readonly required: (node: SchemaNode) => ReadonlySet<string>;
}

/** Visits each node once, no matter how many references lead to it. */
export function createSchemaFacts(graph: SchemaGraph): SchemaFacts {
  const types = memoize<ReadonlySet<SchemaType>>(ownTypes, (node, of) => {
    const { all, choices } = compositionOf(graph, node);
    const limits = [...all.map(of), ...choices.map((list) => list.map(of).reduce(union))];
    return limits.reduce(intersection, ownTypes(node));
  });
  const required = memoize<ReadonlySet<string>>(ownRequired, (node, of) => {
    const { all, choices } = compositionOf(graph, node);
    const sure = choices.map((list) => {
      // Only branches that describe objects can require members.
      const [first, ...rest] = list.filter((part) => types(part).has('object')).map(of);
      return rest.reduce(intersection, first ?? new Set<string>());
    });
    return [...all.map(of), ...sure].reduce<ReadonlySet<string>>(union, ownRequired(node));
  });
  return { types, required };
}

function ownRequired(node: SchemaNode): ReadonlySet<string> {
  const listed = keyword(node.schema, 'required');
  return new Set(isArray(listed) ? listed.filter((name) => typeof name === 'string') : []);
}

/** Memoizes a recursive function of nodes; `own` is the result if it comes back to the same node or goes too deep. */
function memoize<T>(
  own: (node: SchemaNode) => T,
  decide: (node: SchemaNode, of: (node: SchemaNode) => T) => T,
): (node: SchemaNode) => T {
  const known = new Map<SchemaNode, T>();
  const result = (node: SchemaNode, depth: number): T => {
    const before = known.get(node);
    if (before !== undefined) return before;
    if (depth > MAX_DEPTH) return own(node);
    known.set(node, own(node));
    const decided = decide(node, (part) => result(part, depth + 1));
    known.set(node, decided);
    return decided;
  };
  return (node) => result(node, 0);
}

// ES2025 has these as methods of Set, but browsers of 2024 do not.
export const union = <T>(left: ReadonlySet<T>, right: ReadonlySet<T>): ReadonlySet<T> =>
  new Set([...left, ...right]);

export const intersection = <T>(left: ReadonlySet<T>, right: ReadonlySet<T>): ReadonlySet<T> =>
  new Set([...left].filter((item) => right.has(item)));

export const difference = <T>(left: ReadonlySet<T>, right: ReadonlySet<T>): ReadonlySet<T> =>
  new Set([...left].filter((item) => !right.has(item)));
