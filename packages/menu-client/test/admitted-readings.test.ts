import { addDays, createMenuService, MenuError } from 'menu-client';
import { expect, test } from 'vitest';
import { fakeOperator, settle, steppedClock } from './fake-operator.ts';
import { lunch, MINUTE, TODAY } from './fake-service.ts';

const HOUR = 60 * MINUTE;

function limitedService() {
  const clock = steppedClock();
  const operator = fakeOperator();
  const state = { asked: 0, allowed: Number.POSITIVE_INFINITY };
  const service = createMenuService({
    operators: [operator],
    clock,
    admitReading: async () => {
      if (state.asked >= state.allowed)
        throw new MenuError('too_many_readings', 'not now', { retryAfterMs: 7000 });
      state.asked += 1;
    },
  });
  return { clock, operator, state, service };
}

test('only questions that cause a reading are counted, once for each reading', async () => {
  const { clock, operator, state, service } = limitedService();
  await using closing = service;
  await Promise.all([lunch(closing), lunch(closing), lunch(closing)]);
  await lunch(closing);
  expect(state.asked).toBe(1);
  await closing.week('welstory', 'R1', TODAY, 7);
  expect(state.asked).toBe(7);
  await closing.menuDetail('welstory', 'R1', TODAY, 'a');
  await closing.menuDetail('welstory', 'R1', TODAY, 'a');
  expect(state.asked).toBe(8);
  expect((await closing.search('R1')).restaurants).toHaveLength(1);
  // Shown as it is, while one reading makes a newer one.
  await clock.advance(16 * MINUTE);
  await Promise.all([lunch(closing), lunch(closing)]);
  await settle();
  expect(state.asked).toBe(9);
  expect(operator.calls.filter((call) => call.startsWith('day')).length).toBe(8);
});

test('reading ahead asks nobody', async () => {
  await using _service = createMenuService({
    operators: [fakeOperator()],
    clock: steppedClock(),
    prefetch: true,
    admitReading: () => Promise.reject(new Error('asked')),
    onBackgroundError: (error) => expect(error).toBeUndefined(),
  });
  await settle();
  expect((await _service.health()).prefetch).toEqual({ done: 7, total: 7 });
});

test('who may cause no reading gets what is kept, as old as it is, and an error where nothing is', async () => {
  const { clock, operator, state, service } = limitedService();
  await using closing = service;
  await lunch(closing);
  state.allowed = 0;
  await expect(lunch(closing, '2026-11-19')).rejects.toMatchObject({
    code: 'too_many_readings',
    retryAfterMs: 7000,
  });
  await clock.advance(16 * MINUTE);
  expect(await lunch(closing)).toMatchObject({ status: 'ok', menus: [{ id: 'a' }] });
  await clock.advance(13 * HOUR);
  expect(await lunch(closing)).toMatchObject({ status: 'stale', menus: [{ id: 'a' }] });
  expect(operator.calls.filter((call) => call.startsWith('day'))).toHaveLength(1);
});

test('dates of 60 days back to 30 ahead can be asked for; of others the operator is not asked', async () => {
  const { operator, service } = limitedService();
  await using closing = service;
  for (const days of [-60, 30]) expect((await lunch(closing, addDays(TODAY, days))).status).toBe('ok');
  expect(await closing.week('welstory', 'R1', addDays(TODAY, 30), 7)).toHaveLength(7);
  const asked = operator.calls.length;
  for (const days of [-61, 31, -20_000]) {
    const date = addDays(TODAY, days);
    const refused = {
      code: 'date_out_of_range',
      retryable: false,
      message: expect.stringContaining('from 2026-09-19 to 2026-12-18'),
    };
    await expect(closing.dailyMenu('welstory', 'R1', date)).rejects.toMatchObject(refused);
    await expect(closing.week('welstory', 'R1', date)).rejects.toMatchObject(refused);
    await expect(closing.menuDetail('welstory', 'R1', date, 'a')).rejects.toMatchObject(refused);
  }
  expect(operator.calls).toHaveLength(asked);
});
