import { createMenuService, memoryMenuStore, type Operator } from 'menu-client';
import { expect, test } from 'vitest';
import { fakeOperator, settle, steppedClock } from './fake-operator.ts';
import { sharedStore } from './fake-service.ts';

const DAYS = ['2026-11-18', '2026-11-19', '2026-11-20'];
const MINUTE = 60_000;

function days(calls: readonly string[]): readonly string[] {
  return calls.filter((call) => call.startsWith('day'));
}

test('reads the coming days of every restaurant, the nearest day first, and then what is wanted', async () => {
  const clock = steppedClock();
  const operator = fakeOperator('welstory', ['R1', 'R2']);
  let open = () => {};
  await using service = createMenuService({ operators: [operator], clock, prefetch: { days: 3 } });
  await settle();
  expect(days(operator.calls)).toEqual(DAYS.flatMap((date) => [`day R1 ${date}`, `day R2 ${date}`]));
  expect((await service.health()).prefetch).toEqual({ done: 6, total: 6 });

  // Nobody asks for either: they are read again at night.
  await clock.advance(20 * MINUTE);
  expect(days(operator.calls)).toHaveLength(6);

  operator.gate = new Promise((resolve) => {
    open = resolve;
  });
  service.noteInterest('welstory', 'R2');
  service.noteInterest('welstory', 'no such restaurant');
  await clock.advance(6 * MINUTE);
  expect((await service.health()).prefetch).toEqual({ done: 5, total: 6 });
  open();
  await settle();
  expect(days(operator.calls).slice(6)).toEqual(['day R2 2026-11-18']);
  expect((await service.health()).prefetch).toEqual({ done: 6, total: 6 });

  // 12:26 to 01:26 in Seoul.
  await clock.advance(13 * 60 * MINUTE);
  const [first, second] = ['R1', 'R2'].map((id) =>
    days(operator.calls)
      .slice(7)
      .filter((call) => call.startsWith(`day ${id}`)),
  );
  // The day that has come into view at midnight, the others in the night.
  expect(first).toEqual(['day R1 2026-11-21', 'day R1 2026-11-19', 'day R1 2026-11-20']);
  expect(second?.filter((call) => call.endsWith('2026-11-18')).length).toBeGreaterThan(10);
});

test('what was counted is shared by all services over the store, and nothing tells who asked', async () => {
  const clock = steppedClock();
  const store = sharedStore(clock);
  const [here, there] = [fakeOperator('welstory', ['R1', 'R2']), fakeOperator('welstory', ['R1', 'R2'])];
  await using reader = createMenuService({ operators: [here], clock, store, prefetch: { days: 1 } });
  await settle();
  {
    await using asked = createMenuService({ operators: [there], clock, store });
    await asked.dailyMenu('welstory', 'R2', DAYS[0] ?? '');
    await asked.week('welstory', 'R2', DAYS[0] ?? '', 3);
    asked.noteInterest('welstory', 'R2');
    asked.noteInterest('welstory', 'x'.repeat(100));
  }
  expect(await store.readInterest('welstory', '2026-01-01')).toEqual([
    { vendor: 'welstory', restaurantId: 'R2', date: DAYS[0], count: 3 },
  ]);
  const before = here.calls.length;
  await clock.advance(16 * MINUTE);
  expect(days(here.calls.slice(before))).toEqual(['day R2 2026-11-18']);
  expect((await reader.health()).status).toBe('ok');
});

test('no plan has more requests than the budget, and the next one follows at once', async () => {
  const clock = steppedClock();
  const operator = { ...fakeOperator('welstory', ['R1', 'R2', 'R3']), backgroundRequestsPerMinute: 3 };
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const slow: Operator = { ...operator, day: (...asked) => opened.then(() => operator.day(...asked)) };
  await using service = createMenuService({ operators: [slow], clock, prefetch: { days: 2 } });
  await settle();
  expect((await service.health()).prefetch).toEqual({ done: 0, total: 6 });
  open();
  await clock.advance(1);
  expect(days(operator.calls)).toHaveLength(6);
});

test('asks in the background, so that a question of now goes first', async () => {
  const inner = fakeOperator();
  const priorities: (string | undefined)[] = [];
  const operator: Operator = {
    ...inner,
    day: (id, date, meals, options) => {
      priorities.push(options?.priority);
      return inner.day(id, date, meals, options);
    },
  };
  await using service = createMenuService({
    operators: [operator],
    clock: steppedClock(),
    prefetch: { days: 1 },
  });
  await settle();
  await service.dailyMenu('welstory', 'R1', '2026-12-01');
  expect(priorities).toEqual(['background', 'foreground']);
});

test('leaves an operator alone while its circuit is open, and goes on afterwards', async () => {
  const clock = steppedClock();
  const ids = ['R1', 'R2', 'R3', 'R4', 'R5', 'R6', 'R7'];
  const operator = fakeOperator('welstory', ids);
  await using service = createMenuService({ operators: [operator], clock, prefetch: { days: 1 } });
  await settle();
  for (const id of ids) service.noteInterest('welstory', id);
  operator.failure = 'operator_unavailable';
  await clock.advance(16 * MINUTE);
  const asked = operator.calls.length;
  expect((await service.health()).operators).toMatchObject([{ circuit: { state: 'open' } }]);
  await clock.advance(14_000);
  expect(operator.calls).toHaveLength(asked);
  operator.failure = undefined;
  await clock.advance(10 * MINUTE);
  expect((await service.health()).operators).toMatchObject([{ status: 'ok' }]);
});

test('of services that share a store one prefetches', async () => {
  const clock = steppedClock();
  const store = memoryMenuStore({ nowMs: () => clock.nowMs() });
  const [one, two] = [fakeOperator(), fakeOperator()];
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const slow: Operator = { ...one, day: (...asked) => opened.then(() => one.day(...asked)) };
  await using first = createMenuService({ operators: [slow], clock, store, prefetch: { days: 3 } });
  await using second = createMenuService({ operators: [two], clock, store, prefetch: { days: 3 } });
  await clock.advance(1000);
  const totals = [first, second].map(async (service) => (await service.health()).prefetch?.total);
  expect(await Promise.all(totals)).toEqual([3, 0]);
  open();
  await clock.advance(10 * MINUTE);
  expect([...days([...one.calls, ...two.calls])].sort()).toEqual(DAYS.map((date) => `day R1 ${date}`));
});

test('one that waits takes over half a minute after the other died, long before the next round is due', async () => {
  const clock = steppedClock();
  const store = memoryMenuStore({ nowMs: () => clock.nowMs() });
  const operator = fakeOperator();
  await store.acquireLease('prefetch:welstory', 'a process that died', 15_000);
  const prefetch = { days: 3, intervalMs: 60 * MINUTE };
  await using _service = createMenuService({ operators: [operator], clock, store, prefetch });
  await clock.advance(29_000);
  expect(days(operator.calls)).toEqual([]);
  await clock.advance(2_000);
  expect(days(operator.calls)).toEqual(DAYS.map((date) => `day R1 ${date}`));
});

test('passed days are pruned', async () => {
  const clock = steppedClock();
  const store = memoryMenuStore({ nowMs: () => clock.nowMs() });
  await using service = createMenuService({
    operators: [fakeOperator()],
    clock,
    store,
    prefetch: { days: 1, keepDays: 2 },
  });
  await service.dailyMenu('welstory', 'R1', '2026-11-15');
  await service.dailyMenu('welstory', 'R1', '2026-11-16');
  await clock.advance(10 * MINUTE);
  const kept = await store.readDays({ from: '2026-01-01', to: '2026-12-31', limit: 10 });
  expect(kept.map(({ key }) => key.date)).toEqual(['2026-11-16', '2026-11-18']);
});

test('an operator whose restaurants could not be read does not wait for the other’s round', async () => {
  const clock = steppedClock();
  const [broken, slow] = [fakeOperator('welstory'), fakeOperator('shinsegae')];
  broken.failure = 'operator_unavailable';
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const long: Operator = { ...slow, day: (...asked) => opened.then(() => slow.day(...asked)) };
  await using service = createMenuService({ operators: [broken, long], clock, prefetch: { days: 3 } });
  await clock.advance(1000);
  broken.failure = undefined;
  await clock.advance(MINUTE);
  expect(days(broken.calls)).toEqual(DAYS.map((date) => `day R1 ${date}`));
  expect((await service.health()).prefetch).toEqual({ done: 3, total: 6 });
  open();
  await settle();
  expect((await service.health()).prefetch).toEqual({ done: 6, total: 6 });
});
