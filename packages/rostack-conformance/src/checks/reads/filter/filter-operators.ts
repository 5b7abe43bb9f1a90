import { compileFilter, type JsonObject, parseFilter } from 'rostack-core';
import type { Check } from '../../../check/check.ts';
import type { CheckContext } from '../../../check/check-context.ts';
import { type Chain, largestLimit } from '../sample/chain.ts';
import { collationsOf } from '../sample/record-schemas.ts';
import { compareList, keyOf, type Sample, samplesWith } from '../sample/sample.ts';
import { type Candidate, candidatesOf, filterOf } from './comparison-candidates.ts';
import { blame, judgeBy, type Wrong } from './filter-blame.ts';

/** How many comparisons are tried for each resource, and for all of them. */
const MAX_COMPARISONS = 90;
const MAX_COMPARISONS_IN_ALL = 240;
const MAX_COMBINATIONS = 10;
const MAX_PAGES = 4;

const OPERATOR_IDS = [
  'filter.operator.eq',
  'filter.operator.ne',
  'filter.operator.gt',
  'filter.operator.gte',
  'filter.operator.lt',
  'filter.operator.lte',
  'filter.operator.in',
  'filter.operator.nin',
  'filter.operator.contains',
  'filter.operator.starts_with',
  'filter.operator.ends_with',
  'filter.operator.exists',
] as const;
const MEANING_IDS = [
  'filter.no-conversion',
  'filter.code-points',
  'filter.case',
  'decided.missing-field',
  'decided.other-types',
  'decided.decimals',
  'decided.instants',
] as const;

/** Every advertised operator means what the protocol says, and so do combinations of them. */
export const filterOperators: Check = {
  name: 'reads.filter.operators',
  level: 'reads',
  requirements: [
    ...OPERATOR_IDS,
    ...MEANING_IDS,
    'json.query.filter',
    'filter.object',
    'filter.operators-anded',
    'filter.and',
    'filter.or',
    'filter.not',
  ],
  needs: ['token', 'filters'],
  async run(context) {
    const samples = await samplesWith(context, 1);
    const max = Math.min(MAX_COMPARISONS, Math.ceil(MAX_COMPARISONS_IN_ALL / samples.length));
    for (const sample of samples) {
      const collations = await collationsOf(context, sample.resource);
      if (collations === undefined) continue;
      const candidates = candidatesOf(
        sample,
        context.discovery.capabilities.filter_operators,
        collations,
        context.random,
        max,
      );
      const right: Candidate[] = [];
      for (const candidate of candidates) {
        if (await tryCandidate(context, sample, candidate)) right.push(candidate);
      }
      await tryCombinations(context, sample, right);
    }
    for (const id of [...OPERATOR_IDS, ...MEANING_IDS]) passUnlessJudged(context, id);
  },
};

/** @returns whether the answer is right */
async function tryCandidate(context: CheckContext, sample: Sample, candidate: Candidate): Promise<boolean> {
  const { findings } = context;
  const judge = judgeBy(candidate);
  const filter = JSON.stringify(filterOf(candidate));
  const { chain, difference, broken, isUnsettled } = await compareList(context, sample, {
    parameters: { filter, limit: String(largestLimit(context)) },
    maxPages: MAX_PAGES,
    differs: (listed, { items, isWhole }) => wrongOf(listed, items, isWhole, judge),
  });
  const own = `filter.operator.${candidate.operator}`;
  if (broken !== undefined) {
    findings.fail(own, {
      ...broken,
      expected: `The filter ${filter} is taken: its field and operator are advertised.`,
    });
    return false;
  }
  findings.pass('json.query.filter');
  if (isUnsettled === true) return false;
  if (difference === undefined) {
    findings.pass(own);
    for (const id of judgedBy(candidate, sample.items, judge)) findings.pass(id);
    return true;
  }
  const { records, wrong, listed } = difference;
  for (const id of blame(candidate, records, (record) => listed.has(keyOf(record)), wrong)) {
    const of = wrong.find(({ by }) => by === id) ?? wrong[0];
    const text = JSON.stringify(of?.record);
    const isListed = of !== undefined && listed.has(keyOf(of.record));
    findings.fail(id, {
      expected: `The filter ${filter} ${isListed ? 'does not match' : 'matches'} the record ${text}.`,
      got: `The record is ${isListed ? 'listed' : 'not listed'}.`,
      exchange: chain.pages[0]?.response.exchange,
    });
  }
  return false;
}

/** The records that are wrongly listed or wrongly left out; undefined if there are none. */
function wrongOf(
  chain: Chain,
  sampled: readonly JsonObject[],
  isWhole: boolean,
  judge: ReturnType<typeof judgeBy>,
) {
  const listed = new Set(chain.items.map(keyOf));
  // If the sample is only a part, records that are listed beyond it are judged too; missing ones only if the list is complete.
  const known = new Set(sampled.map(keyOf));
  const records = [...sampled, ...(isWhole ? [] : chain.items.filter((item) => !known.has(keyOf(item))))];
  const wrong = records.flatMap((record): Wrong[] => {
    const { matches, by } = judge(record);
    const isListed = listed.has(keyOf(record));
    if (by === undefined || matches === isListed || (matches && !chain.isWhole)) return [];
    return [{ record, by }];
  });
  return wrong.length === 0 ? undefined : { wrong, records, listed };
}

/** The requirements that the records were judged by. */
function judgedBy(
  { operator, operand }: Candidate,
  records: readonly JsonObject[],
  judge: ReturnType<typeof judgeBy>,
): ReadonlySet<string> {
  const ids = new Set(records.flatMap((record) => judge(record).by ?? []));
  const isOrdered = ['gt', 'gte', 'lt', 'lte'].includes(operator);
  if (typeof operand === 'string') ids.add(isOrdered ? 'filter.code-points' : 'filter.case');
  return ids;
}

/** A combination of comparisons, and the requirement that it tests. */
type Combination = readonly [id: string, filter: JsonObject];

/** Combines comparisons that are answered correctly on their own. */
async function tryCombinations(
  context: CheckContext,
  sample: Sample,
  candidates: readonly Candidate[],
): Promise<void> {
  const { findings, random } = context;
  // Leaves out decimals and instants, which implementations may decide, so that a wrong answer is due to the combination.
  const dividing = candidates.filter((candidate) => {
    const judge = judgeBy(candidate);
    const matching = sample.items.filter((item) => judge(item).matches).length;
    return candidate.collation === undefined && matching > 0 && matching < sample.items.length;
  });
  if (dividing.length === 0) return;
  for (let round = 0; round < MAX_COMBINATIONS; round += 1) {
    const [id, filter] = combine(round, dividing, random);
    const matches = compileFilter(parseFilter(filter));
    const text = JSON.stringify(filter);
    const { chain, difference, broken, isUnsettled } = await compareList(context, sample, {
      parameters: { filter: text, limit: String(largestLimit(context)) },
      maxPages: MAX_PAGES,
      differs: (listed, { items, isWhole }) =>
        wrongOf(listed, items, isWhole, (record) => ({ matches: matches(record), by: id }))?.wrong[0],
    });
    if (broken !== undefined) findings.fail(id, broken);
    else if (isUnsettled !== true) {
      findings.judge(id, difference === undefined, () => ({
        expected: `The filter ${text} ${matches(difference?.record ?? {}) ? 'matches' : 'does not match'} the record ${JSON.stringify(difference?.record)}.`,
        got: 'The list says otherwise; each of its comparisons alone is answered rightly.',
        exchange: chain.pages[0]?.response.exchange,
      }));
    }
  }
}

function combine(
  round: number,
  candidates: readonly Candidate[],
  random: CheckContext['random'],
): Combination {
  const first = random.pick(candidates);
  const a = filterOf(first);
  const other = candidates.filter(({ pointer }) => pointer !== first.pointer);
  const b = filterOf(random.pick(other.length === 0 ? candidates : other));
  const same = candidates.filter(
    ({ pointer, operator }) => pointer === first.pointer && operator !== first.operator,
  );
  switch (round % 5) {
    case 0:
      return ['filter.and', { $and: [a, b] }];
    case 1:
      return ['filter.or', { $or: [a, b] }];
    case 2:
      return ['filter.not', { $not: a }];
    case 3:
      return ['filter.object', { ...a, ...b }];
    default: {
      const second = same.length === 0 ? first : random.pick(same);
      const operators = { [first.operator]: first.operand, [second.operator]: second.operand };
      return ['filter.operators-anded', { [first.pointer]: operators }];
    }
  }
}

function passUnlessJudged({ findings }: CheckContext, id: string): void {
  if (findings.all.every((finding) => finding.id !== id))
    findings.skip(id, 'no data: no record or operator to judge it by');
}
