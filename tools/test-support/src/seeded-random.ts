import { randomInt } from 'node:crypto';
import { onTestFailed } from 'vitest';
import { createRandom, type Random, type RandomNumbers } from './random.ts';

/** Numbers of the present test. It prints the seed when it fails; `TEST_SEED=<seed>` repeats them. */
export function seededNumbers(): RandomNumbers {
  return seededRandom().number;
}

/** Choices of the present test, like `seededNumbers`. */
export function seededRandom(): Random {
  return createRandom(testSeed());
}

/** `TEST_SEED`, or a new seed; printed when the present test fails. */
export function testSeed(): number {
  const seed = Number(process.env['TEST_SEED'] ?? randomInt(2 ** 31));
  onTestFailed(() => void process.stderr.write(`repeat with TEST_SEED=${seed}\n`));
  return seed;
}
