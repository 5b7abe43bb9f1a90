import { keyword } from '../schema/graph/json-schema.ts';
import type { SchemaNode } from '../schema/graph/schema-node.ts';
import { isArray } from '../text/json.ts';

/** Rules that allow fewer values as the number grows. */
const LOWER_BOUNDS = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties', 'minContains'];

/** Rules that allow fewer values as the number shrinks. */
const UPPER_BOUNDS = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties', 'maxContains'];

/** Rules where any change can exclude values that were allowed before. */
const OTHER_RULES = ['pattern', 'format', 'multipleOf', 'uniqueItems', 'contentEncoding', 'contentMediaType'];

type Nodes = readonly SchemaNode[];

/** How a field's rules exclude values that they allowed before, one sentence for each. */
export function narrowedRules(before: Nodes, after: Nodes): string[] {
  return [
    ...LOWER_BOUNDS.flatMap((name) =>
      narrowedBound(name, bound(before, name, Math.min), bound(after, name, Math.min), 1),
    ),
    ...UPPER_BOUNDS.flatMap((name) =>
      narrowedBound(name, bound(before, name, Math.max), bound(after, name, Math.max), -1),
    ),
    ...OTHER_RULES.flatMap((name) => changedRule(name, texts(before, name), texts(after, name))),
    ...removedValues(before, after),
  ];
}

/** The widest bound, which holds in every branch. */
function bound(nodes: Nodes, name: string, widest: (...numbers: number[]) => number): number | undefined {
  const numbers = nodes
    .map(({ schema }) => keyword(schema, name))
    .filter((value) => typeof value === 'number');
  return numbers.length === 0 ? undefined : widest(...numbers);
}

function narrowedBound(
  name: string,
  before: number | undefined,
  after: number | undefined,
  sign: 1 | -1,
): string[] {
  if (after === undefined || before === after) return [];
  if (before === undefined) return [`${name} is ${after} now, there was none`];
  return (after - before) * sign > 0 ? [`${name} was ${before}, is ${after}`] : [];
}

const texts = (nodes: Nodes, name: string): ReadonlySet<string> =>
  new Set(
    nodes
      .map(({ schema }) => keyword(schema, name))
      .filter((value) => value !== undefined && value !== false)
      .map((value) => JSON.stringify(value)),
  );

function changedRule(name: string, before: ReadonlySet<string>, after: ReadonlySet<string>): string[] {
  const added = [...after].filter((text) => !before.has(text));
  return added.map(
    (text) => `${name} ${text} ${before.size === 0 ? 'was added' : `replaces ${[...before].join(', ')}`}`,
  );
}

/** The listed values as JSON texts; undefined if any value is allowed. */
function listedValues(nodes: Nodes): ReadonlySet<string> | undefined {
  const lists = nodes.flatMap(({ schema }) => {
    const constant = keyword(schema, 'const');
    const values = keyword(schema, 'enum');
    if (constant !== undefined) return [[constant]];
    return isArray(values) ? [values] : [];
  });
  return lists.length === 0 ? undefined : new Set(lists.flat().map((value) => JSON.stringify(value)));
}

function removedValues(before: Nodes, after: Nodes): string[] {
  const now = listedValues(after);
  if (now === undefined) return [];
  const then = listedValues(before);
  if (then === undefined) return [`only ${[...now].join(', ')} can stand here now`];
  return [...then].filter((value) => !now.has(value)).map((value) => `the value ${value} was removed`);
}
