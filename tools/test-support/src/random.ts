import { randomInt } from 'node:crypto';
import { onTestFailed } from 'vitest';

/** Numbers from 0 to below 1. */
export type RandomNumbers = () => number;

/** The same sequence for the same seed (mulberry32). */
export function randomNumbers(seed: number): RandomNumbers {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Numbers for the present test. It prints the seed when it fails; `TEST_SEED=<seed>` repeats them. */
export function seededRandom(): RandomNumbers {
  return randomNumbers(testSeed());
}

/** `TEST_SEED`, or a new seed; printed when the present test fails. */
export function testSeed(): number {
  const seed = Number(process.env['TEST_SEED'] ?? randomInt(2 ** 31));
  onTestFailed(() => void process.stderr.write(`repeat with TEST_SEED=${seed}\n`));
  return seed;
}

export function bytesOf(random: RandomNumbers, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)));
}
