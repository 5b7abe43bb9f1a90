import { isArray, type JsonObject, type JsonValue } from '../json/json.ts';
import type { AnySchema, JsonSchema } from '../schema/json-schema.ts';
import { createSchemaGraph, type SchemaGraph } from '../schema/schema-graph.ts';
import { nodePointer, type SchemaNode } from '../schema/schema-node.ts';
import { parseTrustedJson } from '../strict-json/parse-trusted-json.ts';

/** Schema documents as parts of one larger document. */
export interface SchemaComponents {
  /** By name, with references that lead to the parts. */
  readonly schemas: JsonObject;
  /** A reference to the document with this URL; undefined when it is not among them. */
  readonly referenceTo: (url: string) => JsonObject | undefined;
}

/** Where the parts are, in OpenAPI and AsyncAPI alike. */
export const SCHEMA_COMPONENTS = '#/components/schemas/';

/** Keywords that only make sense at the root of a document. */
const DOCUMENT_KEYWORDS = ['$schema', '$id', '$anchor', '$dynamicAnchor'] as const;

/**
 * Puts schema documents into one document. Many tools do not know that `$id` changes what a reference means, so it is left out, and
 * every reference starts from the root. A `$dynamicRef` becomes a plain `$ref`, which is what it means without an outer schema.
 * @param names of the documents, by URL
 */
export function schemaComponents(
  documents: ReadonlyMap<string, JsonSchema>,
  names: ReadonlyMap<string, string>,
): SchemaComponents {
  // The graph would take an object that is in several places for one node; each place gets a copy.
  const copies = new Map(Array.from(documents, ([url, schema]) => [url, copyOf(schema)]));
  const graph = createSchemaGraph(copies);
  const referenceTo = (url: string): JsonObject | undefined => {
    const name = names.get(url);
    return name === undefined ? undefined : { $ref: `${SCHEMA_COMPONENTS}${name}` };
  };
  const refer = (node: SchemaNode): string | undefined => {
    const name = names.get(node.url);
    return name === undefined ? undefined : `${SCHEMA_COMPONENTS}${name}${fragmentOf(nodePointer(node))}`;
  };
  const schemas = graph.roots.flatMap((root) => {
    const name = names.get(root.url);
    return name === undefined ? [] : [[name, rewritten(graph, root, refer)] as const];
  });
  return { schemas: Object.fromEntries(schemas), referenceTo };
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
  for (const { node: inner } of graph.inside(node))
    put(result, copied, inner.path, rewritten(graph, inner, refer));
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

/** A JSON Pointer in the form that a reference needs. */
const fragmentOf = (pointer: string): string =>
  pointer.split('/').map(encodeURIComponent).join('/').replaceAll('%24', '$').replaceAll('%40', '@');
