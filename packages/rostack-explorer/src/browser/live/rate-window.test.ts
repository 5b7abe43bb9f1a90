import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RateWindow, totalOf } from './rate-window.ts';

const SECONDS = 5;

test('a window holds exactly the events of its last whole seconds', () => {
  const step = fc.record({
    afterMs: fc.integer({ min: 0, max: 3_000 }),
    transition: fc.constantFrom('create', 'update', 'delete'),
  });
  fc.assert(
    fc.property(fc.array(step), fc.integer({ min: 0, max: 8_000 }), (steps, restMs) => {
      const window = new RateWindow(SECONDS);
      const times: number[] = [];
      let nowMs = 1_000_000;
      for (const { afterMs, transition } of steps) {
        nowMs += afterMs;
        times.push(nowMs);
        window.add(transition, nowMs);
      }
      nowMs += restMs;
      const read = window.read(nowMs).map(totalOf);
      const present = Math.floor(nowMs / 1_000);
      const expected = Array.from(
        { length: SECONDS },
        (_, index) => times.filter((time) => Math.floor(time / 1_000) === present - SECONDS + index).length,
      );
      expect(read).toEqual(expected);
    }),
  );
});
