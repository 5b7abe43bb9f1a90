import { createHash } from 'node:crypto';
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** Numbers from 0 to below 1. */
export type RandomNumbers = () => number;

/** A stream of choices that is the same whenever its keys are the same. */
export interface Random {
  /** From 0 to below 1. */
  readonly number: () => number;
  /** An integer, both ends included. */
  int(min: number, max: number): number;
  /** True with the given probability, 0 to 1. */
  chance(probability: number): boolean;
  /** One of the items. @throws RangeError when there are none */
  pick<T>(items: readonly T[]): T;
  /** `count` picks, which may repeat. */
  many<T>(count: number, draw: (random: Random) => T): T[];
}

/** @param keys what the stream depends on, such as the seed and the name of who draws from it */
export function createRandom(...keys: readonly (string | number)[]): Random {
  const hash = createHash('sha256').update(keys.join('\u0000')).digest();
  const generator = xoroshiro128plus(hash.readInt32LE(0));
  const random: Random = {
    number: () => uniformFloat64(generator),
    int: (min, max) => uniformInt(generator, min, max),
    chance: (probability) => uniformFloat64(generator) < probability,
    pick: (items) => {
      const item = items[uniformInt(generator, 0, Math.max(0, items.length - 1))];
      if (item === undefined) throw new RangeError('pick needs at least one item');
      return item;
    },
    many: (count, draw) => Array.from({ length: count }, () => draw(random)),
  };
  return random;
}

export function bytesOf(random: RandomNumbers, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)));
}
