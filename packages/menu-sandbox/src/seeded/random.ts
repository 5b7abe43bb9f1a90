import { createHash } from 'node:crypto';
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** A stream of random choices; the same keys give the same stream. */
export interface Random {
  /** An integer in the range, both ends included. */
  int(min: number, max: number): number;
  /** True with the given probability, 0 to 1. */
  chance(probability: number): boolean;
  /** One of the items. @throws RangeError when there are none */
  pick<T>(items: readonly T[]): T;
  /** Up to `count` different items, in a random order. */
  sample<T>(items: readonly T[], count: number): T[];
}

/** 32 bits that depend on every key. */
export function hashKeys(...keys: readonly (string | number)[]): number {
  return createHash('sha256').update(keys.join('\u0000')).digest().readUInt32LE(0);
}

export function createRandom(...keys: readonly (string | number)[]): Random {
  const generator = xoroshiro128plus(hashKeys(...keys) | 0);
  const int = (min: number, max: number) => uniformInt(generator, min, max);
  const pick = <T>(items: readonly T[]): T => {
    const index = items.length > 0 ? int(0, items.length - 1) : 0;
    if (index >= items.length) throw new RangeError('pick needs at least one item');
    return items[index] as T;
  };
  return {
    int,
    chance: (probability) => uniformFloat64(generator) < probability,
    pick,
    sample(items, count) {
      const left = [...items];
      const taken = [];
      while (taken.length < count && left.length > 0) taken.push(...left.splice(int(0, left.length - 1), 1));
      return taken;
    },
  };
}
