import { formatPointer } from '../query/pointer/format-pointer.ts';
import type { AnySchema, JsonSchema } from '../schema/graph/json-schema.ts';
import { createSchemaGraph, type SchemaGraph } from '../schema/graph/schema-graph.ts';
import { nodePointer, type SchemaNode } from '../schema/graph/schema-node.ts';
import { isArray, type JsonObject, type JsonValue, parseTrustedJson } from '../text/json.ts';
import { unusedName } from './component-names.ts';

/** Schema documents as parts of one larger document. */
export interface SchemaComponents {
  /** By name, with references that lead to the parts. */
  readonly schemas: JsonObject;
  /** A reference to the document with this URL, or to one of its `$defs`; undefined when it is not among them. */
  readonly referenceTo: (url: string, definition?: string) => JsonObject | undefined;
  /** The schema that the same reference leads to. */
  readonly schemaOf: (url: string, definition?: string) => AnySchema | undefined;
}

/** Where the parts are, in OpenAPI and AsyncAPI alike. */
export const SCHEMA_COMPONENTS = '#/components/schemas/';

/** Keywords that only make sense at the root of a document, and what is a part of its own here. */
const DOCUMENT_KEYWORDS = ['$schema', '$id', '$anchor', '$dynamicAnchor', '$defs'] as const;

/**
 * Puts schema documents into one document. Many tools do not know that `$id` changes what a reference means, so it is left out; many
 * follow references to whole parts only, so definitions, and what else is referred to inside a document, become parts too.
 * A `$dynamicRef` becomes a plain `$ref`, which is what it means without an outer schema.
 * @param names of the documents, by URL
 * @param taken names that are in use for something else
 */
export function schemaComponents(
  documents: ReadonlyMap<string, JsonSchema>,
  names: ReadonlyMap<string, string>,
  taken: Iterable<string>,
): SchemaComponents {
  // The graph would take an object that is in several places for one node; each place gets a copy.
  const copies = new Map(Array.from(documents, ([url, schema]) => [url, copyOf(schema)]));
  const graph = createSchemaGraph(copies);
  const used = new Set([...taken, ...names.values()]);
  const parts = new Map<string, Part>();
  for (const root of graph.roots) {
    const name = names.get(root.url);
    if (name !== undefined) parts.set(keyOf(root), { name, node: root });
  }
  for (const target of innerPartsOf(graph)) {
    const document = names.get(target.url);
    if (document === undefined || parts.has(keyOf(target))) continue;
    const name = unusedName(`${document}.${(target.path.at(-1) ?? '').replaceAll(/[^\w.-]+/g, '-')}`, used);
    used.add(name);
    parts.set(keyOf(target), { name, node: target });
  }
  const refer = (node: SchemaNode): string | undefined => {
    const part = parts.get(keyOf(node));
    return part && `${SCHEMA_COMPONENTS}${part.name}`;
  };
  const schemas: Readonly<Record<string, AnySchema>> = Object.fromEntries(
    [...parts.values()].map(({ name, node }) => [name, rewritten(graph, node, refer)]),
  );
  const nameOf = (url: string, definition?: string): string | undefined =>
    parts.get(`${url}#${definition === undefined ? '' : formatPointer(['$defs', definition])}`)?.name;
  return {
    schemas,
    referenceTo(url, definition) {
      const name = nameOf(url, definition);
      return name === undefined ? undefined : { $ref: `${SCHEMA_COMPONENTS}${name}` };
    },
    schemaOf: (url, definition) => schemas[nameOf(url, definition) ?? ''],
  };
}

/** A schema with a name of its own. */
interface Part {
  readonly name: string;
  readonly node: SchemaNode;
}

const keyOf = (node: SchemaNode): string => `${node.url}#${nodePointer(node)}`;

/** What a node refers to; undefined if to nothing. */
function targetOf(graph: SchemaGraph, node: SchemaNode): SchemaNode | undefined {
  const { target, dynamicTargets } = graph.references(node);
  return target ?? dynamicTargets[0];
}

/** The definitions of all documents, and what else is referred to. */
function innerPartsOf(graph: SchemaGraph): readonly SchemaNode[] {
  const found: SchemaNode[] = [];
  const pending = graph.roots.toReversed();
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const target = targetOf(graph, node);
    if (target !== undefined) found.push(target);
    for (const inner of graph.inside(node)) {
      if (inner.keyword === '$defs') found.push(inner.node);
      pending.push(inner.node);
    }
  }
  return found;
}

function rewritten(
  graph: SchemaGraph,
  node: SchemaNode,
  refer: (node: SchemaNode) => string | undefined,
): AnySchema {
  if (typeof node.schema === 'boolean') return node.schema;
  const result: Record<string, JsonValue> = { ...node.schema };
  for (const name of DOCUMENT_KEYWORDS) delete result[name];
  const { target, dynamicTargets } = graph.references(node);
  const [dynamicTarget] = dynamicTargets;
  if (target !== undefined) result.$ref = refer(target) ?? result.$ref ?? '';
  else if (dynamicTarget !== undefined) {
    delete result.$dynamicRef;
    result.$ref = refer(dynamicTarget) ?? '';
  }
  const copied = new Set<string>();
  for (const { keyword, node: inner } of graph.inside(node)) {
    if (keyword === '$defs') continue;
    const reference = refer(inner);
    put(
      result,
      copied,
      inner.path,
      reference === undefined ? rewritten(graph, inner, refer) : { $ref: reference },
    );
  }
  return result;
}

/** Puts a value at a path of one or two tokens; what holds it is copied before, once, since others may share it. */
function put(
  holder: Record<string, JsonValue>,
  copied: Set<string>,
  [keyword = '', member]: readonly string[],
  value: JsonValue,
): void {
  if (member === undefined) {
    holder[keyword] = value;
    return;
  }
  const present = holder[keyword];
  if (!copied.has(keyword))
    holder[keyword] = isArray(present) ? [...present] : { ...(present as JsonObject) };
  copied.add(keyword);
  Object.defineProperty(holder[keyword], member, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

const copyOf = (schema: JsonSchema): JsonSchema => parseTrustedJson(JSON.stringify(schema)) as JsonSchema;
