import type { JsonSchema } from './graph/json-schema.ts';
import { graphOf } from './graph/schema-graph.ts';
import type { SchemaNode } from './graph/schema-node.ts';
import { nodePointer } from './graph/schema-node.ts';

/** JSON Pointers of the places in a schema whose `$ref` or `$dynamicRef` leads nowhere inside it. */
export function unresolvedReferences(schema: JsonSchema): readonly string[] {
  const { graph, root } = graphOf(schema);
  const found: string[] = [];
  const seen = new Set<SchemaNode>();
  const pending = [root];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (seen.has(node)) continue;
    seen.add(node);
    for (const keyword of graph.references(node).unresolved) found.push(`${nodePointer(node)}/${keyword}`);
    for (const inner of graph.inside(node)) pending.push(inner.node);
  }
  return found;
}
