import type { SchemaGraph } from './schema-graph.ts';
import type { SchemaNode } from './schema-node.ts';

const ARRAY_INDEX = /^(?:0|[1-9][0-9]*)$/;

/** The nodes that describe the same instance as `node`: itself, and all that it refers to or combines. */
export function inPlaceNodes(graph: SchemaGraph, node: SchemaNode): SchemaNode[] {
  const found = new Set<SchemaNode>();
  const pending = [node];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    const { target, dynamicTargets } = graph.references(next);
    if (target !== undefined) pending.push(target);
    for (const dynamicTarget of dynamicTargets) pending.push(dynamicTarget);
    for (const inner of graph.inside(next)) if (inner.role === 'in_place') pending.push(inner.node);
  }
  return [...found];
}

/**
 * The nodes that describe the value at a path of reference tokens inside an instance of `node`; none when no record
 * can have that value. A token of digits is an array index if the schema has items.
 */
export function nodesAtPath(graph: SchemaGraph, node: SchemaNode, path: readonly string[]): SchemaNode[] {
  let here = inPlaceNodes(graph, node);
  for (const token of path) {
    const next = here.flatMap((holder) => childNodes(graph, holder, token));
    here = [...new Set(next.flatMap((child) => inPlaceNodes(graph, child)))];
  }
  return here;
}

function childNodes(graph: SchemaGraph, holder: SchemaNode, token: string): SchemaNode[] {
  const inner = graph.inside(holder).filter(({ role }) => role === 'child');
  const named = inner.filter(({ keyword, name }) => keyword === 'properties' && name === token);
  const matched = inner.filter(
    ({ keyword, name }) => keyword === 'patternProperties' && matches(name, token),
  );
  const items = ARRAY_INDEX.test(token)
    ? inner.filter(
        ({ keyword, name }) => keyword === 'items' || (keyword === 'prefixItems' && name === token),
      )
    : [];
  return [...named, ...matched, ...items].map(({ node }) => node).filter(({ schema }) => schema !== false);
}

function matches(pattern: string, name: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(name);
  } catch {
    return false;
  }
}

/** The schemas that a node applies to the same instance. */
export interface Composition {
  /** All of these apply: the target of `$ref`, and `allOf`. */
  readonly all: readonly SchemaNode[];
  /** At least one of each list applies: `anyOf`, `oneOf`, and the possible targets of `$dynamicRef`. */
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
