import { ARRAY_INDEX } from '../../query/pointer/pointer.ts';
import type { InnerNode, SchemaGraph } from './schema-graph.ts';
import type { SchemaNode } from './schema-node.ts';

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
 * The places in the schema that a path of reference tokens inside an instance of `node` leads to; none when no record can
 * have that value. A token of digits is an array index if the schema has items.
 */
export function placesAtPath(graph: SchemaGraph, node: SchemaNode, path: readonly string[]): SchemaNode[] {
  let here = [node];
  for (const token of path) {
    const holders = here.flatMap((place) => inPlaceNodes(graph, place));
    here = [...new Set(holders.flatMap((holder) => childNodes(graph, holder, token)))];
  }
  return here;
}

/** The nodes that describe the value at a path: the places of `placesAtPath`, and all that they refer to or combine. */
export function nodesAtPath(graph: SchemaGraph, node: SchemaNode, path: readonly string[]): SchemaNode[] {
  return [...new Set(placesAtPath(graph, node, path).flatMap((place) => inPlaceNodes(graph, place)))];
}

/** By name, and the others: a schema of a thousand properties is asked for each of them. */
interface Children {
  readonly properties: ReadonlyMap<string, InnerNode>;
  readonly others: readonly InnerNode[];
}

const known = new WeakMap<SchemaNode, Children>();

function childrenOf(graph: SchemaGraph, holder: SchemaNode): Children {
  const before = known.get(holder);
  if (before !== undefined) return before;
  const inner = graph.inside(holder).filter(({ role }) => role === 'child');
  const children: Children = {
    properties: new Map(
      inner.filter(({ keyword }) => keyword === 'properties').map((property) => [property.name, property]),
    ),
    others: inner.filter(({ keyword }) => keyword !== 'properties'),
  };
  known.set(holder, children);
  return children;
}

function childNodes(graph: SchemaGraph, holder: SchemaNode, token: string): SchemaNode[] {
  const { properties, others: inner } = childrenOf(graph, holder);
  const property = properties.get(token);
  const named = property === undefined ? [] : [property];
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
