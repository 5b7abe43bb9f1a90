import { compileFilter, type JsonValue, parseFilter } from 'rostack-core';
import siftModule from 'sift';
import { report } from '../support/report.ts';
import { timeStrategies } from '../support/rounds.ts';

// Its types describe an ES module, but Node loads the CommonJS build, whose export is the function itself.
const sift = siftModule as unknown as typeof siftModule.default;

interface Station {
  readonly id: string;
  readonly status: string;
  readonly level: number;
  readonly price: number;
  readonly region: string;
  readonly kind: string;
}

const STATUSES = ['active', 'idle', 'broken', 'retired'];
const REGIONS = ['kr', 'jp', 'us', 'de', 'fr'];
const KINDS = ['a', 'b', 'c'];

let seed = 1;
function random(below: number): number {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
  return (seed / 0x7fffffff) * below;
}
const pick = (values: readonly string[]): string => values[Math.floor(random(values.length))] ?? '';

// Through JSON, as records reach a predicate.
const records = JSON.parse(
  JSON.stringify(
    Array.from({ length: 100_000 }, (_, index) => ({
      id: `station-${index}`,
      status: pick(STATUSES),
      level: Math.floor(random(100)),
      price: random(1_000),
      region: pick(REGIONS),
      kind: pick(KINDS),
    })),
  ),
) as (Station & JsonValue)[];

const compiled = compileFilter(
  parseFilter({
    '/status': { eq: 'active' },
    '/level': { gte: 20 },
    '/price': { lt: 700 },
    $or: [{ '/region': { in: ['kr', 'jp', 'us'] } }, { '/kind': { eq: 'b' } }],
  }),
);

const peer = sift<Station>({
  $and: [
    { status: { $eq: 'active' } },
    { level: { $gte: 20 } },
    { price: { $lt: 700 } },
    { $or: [{ region: { $in: ['kr', 'jp', 'us'] } }, { kind: { $eq: 'b' } }] },
  ],
});

const byHand = (record: Station): boolean =>
  record.status === 'active' &&
  record.level >= 20 &&
  record.price < 700 &&
  (record.region === 'kr' || record.region === 'jp' || record.region === 'us' || record.kind === 'b');

// A gateway runs many filters: on its own, this one would look better than it is, because the engine would optimize for it.
for (const other of [
  { '/id': { eq: 'station-7' }, '/price': { gte: 1, lt: 4 } },
  { $or: [{ '/level': { eq: 5 } }, { '/price': { eq: null } }, { '/region': { in: [1, true] } }] },
  { $not: { '/status': { starts_with: 'act' } }, '/kind': { gt: 'a' } },
]) {
  const predicate = compileFilter(parseFilter(other));
  for (let round = 0; round < 5; round += 1) count(predicate);
}

function count(predicate: (record: Station & JsonValue) => boolean): number {
  let matches = 0;
  for (let at = 0; at < records.length; at += 1) {
    const record = records[at];
    if (record !== undefined && predicate(record)) matches += 1;
  }
  return matches;
}

const { medians, spread } = await timeStrategies({
  sift: { work: () => count(peer) },
  compiled: { work: () => count(compiled), times: 5 },
  byHand: { work: () => count(byHand), times: 5 },
});

console.log('filter over 100,000 records: eq and gte and lt and (in or eq)');
for (const [name, ms] of Object.entries(medians)) console.log(`  ${name}: ${ms.toFixed(2)} ms`);
console.log(`  machine noise: ${(spread * 100).toFixed(0)} %`);
report('rostack-core/filter-against-sift', {
  ratio: medians.sift / medians.compiled,
  bar: 15,
  want: 'at least',
});
report('rostack-core/filter-against-hand-written', {
  ratio: medians.compiled / medians.byHand,
  bar: 4,
  want: 'at most',
});
