import { randomInt } from 'node:crypto';
import { onTestFailed } from 'vitest';

/** Numbers from 0 to 1 for one test, whose seed is printed when it fails; `TEST_SEED` repeats it. */
export function seededRandom(): () => number {
  const seed = Number(process.env['TEST_SEED'] ?? randomInt(2 ** 31));
  onTestFailed(() => {
    process.stderr.write(`repeat with TEST_SEED=${seed}\n`);
  });
  let state = seed;
  // mulberry32
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
