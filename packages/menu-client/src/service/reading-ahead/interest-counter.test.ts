import { expect, test } from 'vitest';
import type { Clock } from '../../http/clock.ts';
import { GuardedStore } from '../../store/guarded-store.ts';
import { memoryMenuStore } from '../../store/memory-menu-store.ts';
import { InterestCounter } from './interest-counter.ts';

const NOON_MS = Date.parse('2026-11-18T03:00:00Z');
const TODAY = '2026-11-18';

function countOver(listed: readonly string[]) {
  const state = { nowMs: NOON_MS };
  const clock: Clock = { nowMs: () => state.nowMs, sleep: async () => {} };
  const store = memoryMenuStore({ nowMs: () => state.nowMs });
  const counter = new InterestCounter(new GuardedStore(store), clock, async () => new Set(listed));
  const stored = async () => {
    await counter.flush();
    return new Map(
      (await store.readInterest('welstory', TODAY)).map(({ restaurantId, count }) => [restaurantId, count]),
    );
  };
  return { counter, state, stored };
}

test('no more than 5,000 restaurants are counted until the counts are stored; the known ones go on', async () => {
  const ids = Array.from({ length: 5_001 }, (_, index) => `R${index}`);
  const { counter, stored } = countOver(ids);
  for (const id of ids) counter.note('welstory', id);
  counter.note('welstory', 'R0');
  const first = await stored();
  expect([first.size, first.get('R0'), first.get('R4999'), first.get('R5000')]).toEqual([
    5_000,
    2,
    1,
    undefined,
  ]);
  counter.note('welstory', 'R5000');
  expect((await stored()).get('R5000')).toBe(1);
});

test('one restaurant counts for 10,000 at most until the counts are stored', async () => {
  const { counter, stored } = countOver(['R1', 'R2']);
  for (let count = 0; count < 10_001; count += 1) counter.note('welstory', 'R1');
  for (let count = 0; count < 10_000; count += 1) counter.note('welstory', 'R2');
  expect(Object.fromEntries(await stored())).toEqual({ R1: 10_000, R2: 10_000 });
});

test('what the operator does not list is not stored', async () => {
  const { counter, stored } = countOver(['R1']);
  counter.note('welstory', 'R1');
  counter.note('welstory', 'made up');
  expect([...(await stored()).keys()]).toEqual(['R1']);
});

test('the counts are stored by themselves when somebody asks a minute later, each once', async () => {
  const { counter, state, stored } = countOver(['R1']);
  counter.note('welstory', 'R1');
  state.nowMs += 60_000;
  counter.note('welstory', 'R1');
  expect((await stored()).get('R1')).toBe(2);
  expect((await stored()).get('R1')).toBe(2);
});
