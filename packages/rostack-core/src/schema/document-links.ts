import { type JsonSchema, keyword } from './graph/json-schema.ts';
import { createSchemaGraph } from './graph/schema-graph.ts';
import { resolveUri, type SchemaNode, splitFragment } from './graph/schema-node.ts';

/** What one schema document says of others. */
export interface DocumentLinks {
  /** URIs of the resources in it that have an `$id` of their own, without its own URL. */
  readonly embedded: ReadonlySet<string>;
  /** URIs that its references lead to, without fragments; among them may be its own. */
  readonly targets: ReadonlySet<string>;
  /** It has a `$dynamicRef`, whose targets depend on all documents. */
  readonly isDynamic: boolean;
}

/** A document is looked through once: many resources are asked for, and each refers to few. */
const known = new WeakMap<JsonSchema, Map<string, DocumentLinks>>();

export function documentLinks(url: string, schema: JsonSchema): DocumentLinks {
  const byUrl = known.get(schema) ?? new Map<string, DocumentLinks>();
  known.set(schema, byUrl);
  const links = byUrl.get(url) ?? readLinks(url, schema);
  byUrl.set(url, links);
  return links;
}

function readLinks(url: string, schema: JsonSchema): DocumentLinks {
  const graph = createSchemaGraph(new Map([[url, schema]]));
  const embedded = new Set<string>();
  const targets = new Set<string>();
  let isDynamic = false;
  const seen = new Set<SchemaNode>();
  const pending = [...graph.roots];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (seen.has(node)) continue;
    seen.add(node);
    if (node.base !== url) embedded.add(node.base);
    if (keyword(node.schema, '$dynamicRef') !== undefined) isDynamic = true;
    const reference = keyword(node.schema, '$ref');
    const target = typeof reference === 'string' ? resolveUri(reference, node.base) : undefined;
    if (target !== undefined) targets.add(splitFragment(target).resource);
    for (const inner of graph.inside(node)) pending.push(inner.node);
  }
  return { embedded, targets, isDynamic };
}
