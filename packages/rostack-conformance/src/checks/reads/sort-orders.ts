import {
  comparePageKeys,
  formatSort,
  type JsonObject,
  type JsonValue,
  pageKeyOf,
  parseSort,
  type Resource,
  resolvePointer,
  type SortKey,
} from 'rostack-core';
import type { Check } from '../../check/check.ts';
import type { CheckContext } from '../../check/check-context.ts';
import { listUrl } from '../../probe/place/urls.ts';
import { requirementOf } from './filter/filter-blame.ts';
import { largestLimit } from './sample/chain.ts';
import { idOf } from './sample/id-member.ts';
import { judgeRefusal } from './sample/judge-refusal.ts';
import { collationsOf } from './sample/record-schemas.ts';
import { compareList, keyOf, type Sample, samplesOf, samplesWith } from './sample/sample.ts';

const SORT = 'json.query.sort';
const ORDER = 'decided.sort-order';
const TIES = 'decided.sort-ties';

/** How many orders are tried for each resource, and for all of them. */
const MAX_ORDERS = 16;
const MAX_ORDERS_IN_ALL = 64;
const MAX_PAGES = 10;

/** Every sortable field sorts, up and down, alone and with another. */
export const sortOrders: Check = {
  name: 'reads.sort.orders',
  level: 'reads',
  requirements: [SORT, ORDER, TIES, requirementOf('decimal'), requirementOf('date-time')],
  needs: ['token', 'sorting'],
  async run(context) {
    const samples = await samplesWith(context, 2);
    const max = Math.min(MAX_ORDERS, Math.ceil(MAX_ORDERS_IN_ALL / samples.length));
    for (const sample of samples) {
      const { sortable_fields: fields } = sample.resource.filtering;
      const collations = await collationsOf(context, sample.resource);
      if (collations === undefined) continue;
      for (const text of ordersOf(fields, context.random, max)) {
        await tryOrder(context, sample, parseSort(text, fields, collations));
      }
    }
  },
};

/** Each field in both directions, then pairs. */
function ordersOf(fields: readonly string[], random: CheckContext['random'], max: number): readonly string[] {
  const single = random.some(fields, fields.length, fields.length).flatMap((field) => [field, `-${field}`]);
  const pairs = fields.flatMap((field) => {
    const others = fields.filter((other) => other !== field);
    return others.length === 0 ? [] : [`-${field},${random.pick(others)}`];
  });
  const fromPairs = pairs.slice(0, Math.max(max - single.length, 2));
  return [...single.slice(0, max - fromPairs.length), ...fromPairs];
}

async function tryOrder(context: CheckContext, sample: Sample, sort: readonly SortKey[]): Promise<void> {
  const { findings } = context;
  const text = formatSort(sort);
  const { chain, difference, broken, isUnsettled } = await compareList(context, sample, {
    parameters: { sort: text, limit: String(largestLimit(context)) },
    maxPages: MAX_PAGES,
    differs: ({ items, isWhole }, { items: sampled, isWhole: isAll }) =>
      isWhole && isAll ? lostOrAdded(items, sampled) : undefined,
  });
  if (broken !== undefined) {
    findings.fail(SORT, { ...broken, expected: `The order ${text} is taken: its fields are sortable.` });
    return;
  }
  if (isUnsettled !== true)
    findings.judge(SORT, difference === undefined, () => ({
      expected: `The order ${text} lists the records that a list without it has.`,
      got: difference ?? '',
      exchange: chain.pages[0]?.response.exchange,
    }));
  const ids = new Set([
    SORT,
    ...sort.flatMap(({ collation }) => (collation === undefined ? [] : [requirementOf(collation)])),
  ]);
  for (const [index, second] of chain.items.entries()) {
    const first = chain.items[index - 1];
    if (first === undefined) continue;
    const { by, isKept } = judgePair(first, second, sort, sample.resource);
    if (isKept) ids.add(by);
    else {
      findings.fail(by, {
        expected: `In the order ${text}, ${JSON.stringify(second)} comes before ${JSON.stringify(first)}.`,
        got: 'It comes after it.',
        exchange: chain.pages[0]?.response.exchange,
      });
      ids.delete(by);
      return;
    }
  }
  for (const id of ids) findings.pass(id);
}

function lostOrAdded(items: readonly JsonObject[], sampled: readonly JsonObject[]): string | undefined {
  const [listed, known] = [items.map(keyOf).sort(), sampled.map(keyOf).sort()];
  if (JSON.stringify(listed) === JSON.stringify(known)) return undefined;
  return `${items.length} records instead of ${sampled.length}, or others.`;
}

/** Whether two neighbours are in order, and the requirement that says so. */
function judgePair(
  first: JsonObject,
  second: JsonObject,
  sort: readonly SortKey[],
  resource: Resource,
): { readonly by: string; readonly isKept: boolean } {
  for (const key of sort) {
    const alone = comparePageKeys([key]);
    // Ids are left out here: they only break ties.
    const order = alone(
      { values: pageKeyOf({ id: '', value: first }, [key]).values, id: '' },
      { values: pageKeyOf({ id: '', value: second }, [key]).values, id: '' },
    );
    if (order === 0) continue;
    return {
      by: requirementFor(key, resolvePointer(first, key.path), resolvePointer(second, key.path)),
      isKept: order < 0,
    };
  }
  const [a, b] = [idOf(first, resource), idOf(second, resource)];
  const isKept =
    a === undefined ||
    b === undefined ||
    comparePageKeys([])({ values: [], id: a }, { values: [], id: b }) < 0;
  return { by: TIES, isKept };
}

/** The protocol orders numbers and strings of plain letters; the rest is this project's decision. */
function requirementFor(key: SortKey, a: JsonValue | undefined, b: JsonValue | undefined): string {
  if (key.collation !== undefined && typeof a === 'string' && typeof b === 'string')
    return requirementOf(key.collation);
  if (typeof a === 'number' && typeof b === 'number') return SORT;
  return isPlain(a) && isPlain(b) ? SORT : ORDER;
}

const isPlain = (value: JsonValue | undefined): boolean =>
  typeof value === 'string' && /^[a-z]+$/.test(value);

/** Orders that are malformed, or that use fields which are not sortable. */
export const sortRefusals: Check = {
  name: 'reads.sort.refusals',
  level: 'reads',
  requirements: [SORT, 'err.http.type.invalid-sort'],
  needs: ['token'],
  async run(context) {
    for (const { resource } of await samplesOf(context)) {
      for (const sort of refusedOrders(resource)) {
        const response = await context.http.get(listUrl(resource, { sort }), { token: context.tokens.main });
        judgeRefusal(context, [SORT], response, 'invalid-sort', `The order ${sort}`);
      }
    }
  },
};

function refusedOrders({ filtering }: Resource): readonly string[] {
  const [first] = filtering.sortable_fields;
  const other = Object.keys(filtering.filterable_fields).find(
    (name) => !filtering.sortable_fields.includes(name),
  );
  return [
    '/no-such-field',
    'no-slash',
    ...(other === undefined ? [] : [other]),
    ...(first === undefined ? [] : [`--${first}`, `${first},/no-such-field`]),
  ];
}
