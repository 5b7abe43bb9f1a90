import type { JsonObject } from 'rostack-core';
import type { Random } from 'test-support/random';
import { predicateOf } from '../../follows/history.ts';
import { CITIES, MAX_WEIGHT, NOTES, randomParcel, STATUSES, TAGS, ZONES } from './parcel.ts';

const WITNESS_TRIES = 60;

type DrawFilter = (random: Random) => JsonObject;

const COMPARISONS: readonly DrawFilter[] = [
  (random) => ({ '/status': { eq: random.pick(STATUSES) } }),
  (random) => ({ '/status': { ne: random.pick(STATUSES) } }),
  (random) => ({ '/status': { in: random.many(random.int(1, 3), () => random.pick(STATUSES)) } }),
  (random) => ({ '/status': { nin: random.many(random.int(1, 3), () => random.pick(STATUSES)) } }),
  (random) => ({ '/zone': { eq: random.pick(ZONES) } }),
  (random) => ({ '/zone': { starts_with: random.pick(['a', 'ab', '가', 'b']) } }),
  (random) => ({ '/zone': { gte: random.pick(ZONES) } }),
  (random) => ({ '/weight': { gt: random.int(0, MAX_WEIGHT) } }),
  (random) => ({ '/weight': { lte: random.int(0, MAX_WEIGHT) / 2 } }),
  (random) => {
    const from = random.int(0, MAX_WEIGHT);
    return { '/weight': { gte: from, lt: from + random.int(1, 15) } };
  },
  (random) => ({ '/insured': { eq: random.chance(0.5) } }),
  (random) => ({ '/insured': { exists: random.chance(0.5) } }),
  () => ({ '/note': { eq: null } }),
  (random) => ({ '/note': { contains: random.pick(['door', 'e', '1']) } }),
  (random) => ({ '/note': { ne: random.pick(NOTES) } }),
  (random) => ({ '/tags': { contains: random.pick(TAGS) } }),
  (random) => ({ '/tags': { exists: random.chance(0.5) } }),
  (random) => ({ '/place/city': { eq: random.pick(CITIES) } }),
  (random) => ({ '/place/city': { ends_with: random.pick(['n', 'u', 'ul']) } }),
  (random) => ({ '/place/floor': { gte: random.int(-2, 15) } }),
  (random) => ({ '/place/floor': { exists: false }, '/weight': { gt: random.int(0, MAX_WEIGHT) } }),
];

/** A filter of any shape over parcels: a comparison, `$and`, `$or` and `$not` of filters, three deep at most. */
export function randomFilter(random: Random, depth = 3): JsonObject {
  if (depth === 1 || random.chance(0.5)) return random.pick(COMPARISONS)(random);
  const inner = () => randomFilter(random, depth - 1);
  const kind = random.pick(['$and', '$or', '$not', 'members'] as const);
  if (kind === '$not') return { $not: inner() };
  if (kind === 'members') return { ...inner(), ...inner() };
  return { [kind]: random.many(random.int(1, 3), inner) };
}

/** A record that the filter matches; undefined when none was found, because the filter matches hardly anything. */
export function drawWitness(
  random: Random,
  filter: JsonObject | undefined,
  id: string,
): JsonObject | undefined {
  const matches = predicateOf(filter);
  for (let tries = 0; tries < WITNESS_TRIES; tries += 1) {
    const record = randomParcel(random, id, tries);
    if (matches(record)) return record;
  }
  return undefined;
}
