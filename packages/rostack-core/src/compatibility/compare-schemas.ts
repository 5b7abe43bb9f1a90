import { formatPointer } from '../query/pointer/format-pointer.ts';
import {
  createSchemaFacts,
  difference,
  intersection,
  SCHEMA_TYPES,
  type SchemaFacts,
  type SchemaType,
  union,
} from '../schema/graph/schema-facts.ts';
import type { SchemaGraph } from '../schema/graph/schema-graph.ts';
import type { SchemaNode } from '../schema/graph/schema-node.ts';
import { inPlaceNodes } from '../schema/graph/schema-path.ts';
import type { BreakingChange, BreakingChangeKind } from './breaking-change.ts';
import { narrowedRules } from './value-rules.ts';

/** A place in the data, with the schema nodes that apply to it, in one version. */
interface Side {
  readonly graph: SchemaGraph;
  readonly facts: SchemaFacts;
  readonly nodes: readonly SchemaNode[];
}

interface Place {
  readonly before: Side;
  readonly after: Side;
  readonly field: readonly string[];
}

/**
 * Finds what the newer schema removes, narrows or gives another type.
 * @param at pointer of the representation or event, for the paths
 */
export function compareSchemas(
  before: { readonly graph: SchemaGraph; readonly root: SchemaNode },
  after: { readonly graph: SchemaGraph; readonly root: SchemaNode },
  at: string,
): BreakingChange[] {
  const changes: BreakingChange[] = [];
  // Recursive schemas lead to the same pair of nodes again: its changes are reported once.
  const seen = new Map<SchemaNode, Set<SchemaNode>>();
  const pending: Place[] = [
    {
      before: { graph: before.graph, facts: createSchemaFacts(before.graph), nodes: [before.root] },
      after: { graph: after.graph, facts: createSchemaFacts(after.graph), nodes: [after.root] },
      field: [],
    },
  ];
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    if (!isNew(seen, place)) continue;
    const { field } = place;
    const report = (kind: BreakingChangeKind, reason: string, below: readonly string[] = []) => {
      changes.push({ kind, path: `${at}#${formatPointer([...field, ...below])}`, reason });
    };
    compareTypes(place, report);
    comparePresence(place, report);
    for (const next of children(place, report).reverse()) pending.push(next);
  }
  return changes;
}

type Report = (kind: BreakingChangeKind, reason: string, below?: readonly string[]) => void;

function isNew(seen: Map<SchemaNode, Set<SchemaNode>>, { before, after }: Place): boolean {
  let fresh = false;
  for (const left of before.nodes) {
    const partners = seen.get(left) ?? new Set();
    seen.set(left, partners);
    for (const right of after.nodes) {
      fresh ||= !partners.has(right);
      partners.add(right);
    }
  }
  return fresh;
}

const applied = ({ graph, nodes }: Side): SchemaNode[] => [
  ...new Set(nodes.flatMap((node) => inPlaceNodes(graph, node))),
];

// Several nodes for one member are mostly alternatives: it can have any of their types, and only what all of them
// require is required.
const typesOf = ({ facts, nodes }: Side): ReadonlySet<SchemaType> => nodes.map(facts.types).reduce(union);

/** `integer` is named only where `number` is not. */
const nameTypes = (types: ReadonlySet<SchemaType>): SchemaType[] =>
  SCHEMA_TYPES.filter((type) => types.has(type) && (type !== 'integer' || !types.has('number')));

function compareTypes({ before, after }: Place, report: Report): void {
  const then = typesOf(before);
  const now = typesOf(after);
  const added = nameTypes(difference(now, then));
  const removed = nameTypes(difference(then, now));
  const [was, is] = [then, now].map((types) => nameTypes(types).join(' or ') || 'nothing');
  if (added.length > 0) report('type_changed', `was ${was}, is ${is}`);
  else if (removed.length > 0) report('type_narrowed', `was ${was}, is only ${is}`);
  for (const reason of narrowedRules(applied(before), applied(after))) report('type_narrowed', reason);
}

function comparePresence({ before, after }: Place, report: Report): void {
  const required = ({ facts, nodes }: Side) => nodes.map(facts.required).reduce(intersection);
  const now = required(after);
  const named = childrenByName(after, 'properties');
  for (const name of required(before)) {
    if (!now.has(name) && named.has(name))
      report('field_made_optional', 'was always there, may be missing now', [name]);
  }
}

function childrenByName(side: Side, keyword: string): Map<string, SchemaNode[]> {
  const found = new Map<string, SchemaNode[]>();
  for (const holder of applied(side)) {
    for (const inner of side.graph.inside(holder)) {
      if (inner.keyword !== keyword || inner.node.schema === false) continue;
      found.set(inner.name, [...(found.get(inner.name) ?? []), inner.node]);
    }
  }
  return found;
}

function children(place: Place, report: Report): Place[] {
  const { before, after, field } = place;
  const pair = (left: SchemaNode[], right: SchemaNode[], name: string): Place => ({
    before: { ...before, nodes: left },
    after: { ...after, nodes: right },
    field: [...field, name],
  });
  const found: Place[] = [];
  for (const keyword of ['properties', 'patternProperties']) {
    const now = childrenByName(after, keyword);
    for (const [name, left] of childrenByName(before, keyword)) {
      const right = now.get(name);
      if (right === undefined) report('field_removed', 'was a member of the data', [name]);
      else found.push(pair(left, right, name));
    }
  }
  const items = (side: Side) => childrenByName(side, 'items').get('items');
  const [itemsBefore, itemsAfter] = [items(before), items(after)];
  if (itemsBefore !== undefined && itemsAfter !== undefined) found.push(pair(itemsBefore, itemsAfter, '*'));
  const tupleAfter = childrenByName(after, 'prefixItems');
  for (const [index, left] of childrenByName(before, 'prefixItems')) {
    const right = tupleAfter.get(index) ?? itemsAfter;
    if (right === undefined) report('field_removed', 'was an item of the data', [index]);
    else found.push(pair(left, right, index));
  }
  return found;
}
