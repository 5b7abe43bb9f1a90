import { randomInt } from 'node:crypto';
import { onTestFailed } from 'vitest';
import { createRandom, type Random } from '../../convergence/random.ts';

/** Choices of a test, from `TEST_SEED` or a new seed, which is printed when the test fails. */
export function seededRandom(): Random {
  const seed = Number(process.env['TEST_SEED'] ?? randomInt(2 ** 31));
  onTestFailed(() => void process.stderr.write(`failed with TEST_SEED=${seed}\n`));
  return createRandom(seed);
}
