import type { SchemaGraph } from './schema-graph.ts';
import type { SchemaNode } from './schema-node.ts';

/** What a node is composed of, as far as it speaks of the same instance. */
export interface Composition {
  /** All of these apply: what `$ref` leads to, and `allOf`. */
  readonly all: readonly SchemaNode[];
  /** Of each list at least one applies: `anyOf`, `oneOf`, and what `$dynamicRef` can lead to. */
  readonly choices: readonly (readonly SchemaNode[])[];
}

export function compositionOf(graph: SchemaGraph, node: SchemaNode): Composition {
  const inner = graph.inside(node);
  const branches = (name: string) =>
    inner.filter(({ keyword }) => keyword === name).map((branch) => branch.node);
  const { target, dynamicTargets } = graph.references(node);
  return {
    all: [...[target].filter((one) => one !== undefined), ...branches('allOf')],
    choices: [dynamicTargets, branches('anyOf'), branches('oneOf')].filter((list) => list.length > 0),
  };
}
