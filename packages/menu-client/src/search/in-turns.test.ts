import { expect, test } from 'vitest';
import { inTurns, type Work } from './in-turns.ts';

/** Takes a millisecond for each step. */
function* slowCount(steps: number): Work<number> {
  for (let step = 0; step < steps; step += 1) {
    for (const untilMs = performance.now() + 1; performance.now() < untilMs; );
    yield;
  }
  return steps;
}

test('work in turns lets others run in between, and ends with the result', async () => {
  let others = 0;
  let watching = true;
  const watch = (): void => {
    others += 1;
    if (watching) setImmediate(watch);
  };
  setImmediate(watch);
  expect(await inTurns(slowCount(60))).toBe(60);
  watching = false;
  expect(others).toBeGreaterThanOrEqual(4);
});

test('what the work throws is thrown', async () => {
  // oxlint-disable-next-line require-yield -- it fails before its first stop
  function* failing(): Work<never> {
    throw new RangeError('too large');
  }
  await expect(inTurns(failing())).rejects.toThrow(RangeError);
});
