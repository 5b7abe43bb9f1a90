import { isObject, type JsonSchema, keyword } from './json-schema.ts';
import { createSchemaGraph } from './schema-graph.ts';
import type { SchemaNode } from './schema-node.ts';

/**
 * A schema with the documents that it refers to in its `$defs`, each with its own `$id`, so that nothing else is needed to follow its
 * references. A schema that refers to no other document is returned as it is.
 * @param url the `$id` of one of the `schemas`
 * @see JSON Schema 2020-12 core, section 9.3 (compound documents)
 */
export function bundleSchema(url: string, schemas: ReadonlyMap<string, JsonSchema>): JsonSchema {
  const schema = schemas.get(url) ?? {};
  const others = documentsBehind(url, schemas).filter((other) => other !== url);
  if (others.length === 0) return schema;
  const embedded = others.map((other): [string, JsonSchema] => [other, schemas.get(other) ?? {}]);
  const own = keyword(schema, '$defs');
  return { ...schema, $defs: { ...(isObject(own) && own), ...Object.fromEntries(embedded) } };
}

/** URLs of the documents that references lead to from one, itself included. */
function documentsBehind(url: string, schemas: ReadonlyMap<string, JsonSchema>): readonly string[] {
  const graph = createSchemaGraph(schemas);
  const found = new Set([url]);
  const seen = new Set<SchemaNode>();
  const root = graph.root(url);
  const pending = root === undefined ? [] : [root];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (seen.has(node)) continue;
    seen.add(node);
    for (const inner of graph.inside(node)) pending.push(inner.node);
    const { target, dynamicTargets } = graph.references(node);
    for (const { url: other } of target === undefined ? dynamicTargets : [target, ...dynamicTargets]) {
      if (found.has(other)) continue;
      found.add(other);
      const document = graph.root(other);
      if (document !== undefined) pending.push(document);
    }
  }
  return [...found];
}
