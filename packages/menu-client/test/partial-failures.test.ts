import { OperatorError } from 'menu-client';
import { expect, test } from 'vitest';
import { fakeOperator, menu, settle, steppedClock } from './fake-operator.ts';
import { MINUTE, serviceOver, TODAY } from './fake-service.ts';

/** Two restaurants; at the first one lunch cannot be read while `failing` is true. */
function openService() {
  const clock = steppedClock();
  const operator = fakeOperator('welstory', ['R1', 'R2']);
  operator.meals_ = [
    { code: '2', label: '중식' },
    { code: '3', label: '석식' },
  ];
  const state = { failing: true };
  const error = new OperatorError('welstory', 'operator_unavailable', 'as told');
  operator.day = async (id, _date, meals) => ({
    value: meals.map((meal) =>
      state.failing && id === 'R1' && meal.code === '2'
        ? { ...meal, error }
        : { ...meal, menus: [menu('a')] },
    ),
    droppedRows: 0,
  });
  const service = serviceOver(operator, clock);
  const read = async (id: string, date = TODAY) => {
    await service.dailyMenu('welstory', id, date);
    await settle();
    return (await service.dailyMenu('welstory', id, date)).periods.map(({ status }) => status);
  };
  const health = async () => {
    const { status, operators } = await service.health();
    return [status, operators[0]?.status, operators[0]?.retrying];
  };
  return { service, clock, state, read, health };
}

const DEGRADED = [
  'degraded',
  'degraded',
  [{ what: 'menus', reason: 'operator_unavailable', since: '2026-11-18T03:00:00.000Z' }],
];

test('a meal that could not be read is in health, also after another restaurant was read whole', async () => {
  const { service, clock, state, read, health } = openService();
  await using closing = service;
  expect(await read('R1')).toEqual(['failed', 'ok']);
  expect(await health()).toEqual(DEGRADED);
  expect(await read('R2')).toEqual(['ok', 'ok']);
  expect(await health()).toEqual(DEGRADED);
  await clock.advance(2 * MINUTE);
  expect(await read('R1')).toEqual(['failed', 'ok']);
  expect(await health()).toEqual(DEGRADED);
  expect((await closing.health()).operators[0]?.circuit.failures).toBe(0);
  state.failing = false;
  await clock.advance(2 * MINUTE);
  expect(await read('R1')).toEqual(['ok', 'ok']);
  expect(await health()).toEqual(['ok', 'ok', []]);
});

test('a meal that nobody asks for any more is not in health', async () => {
  const { service, clock, read, health } = openService();
  await using _closing = service;
  await read('R1');
  await clock.advance(16 * MINUTE);
  expect(await health()).toEqual(['ok', 'ok', []]);
});

test('a meal of a day that is over is read again as long as it could not be read', async () => {
  const { service, clock, state, read } = openService();
  await using _closing = service;
  const yesterday = '2026-11-17';
  expect(await read('R1', yesterday)).toEqual(['failed', 'ok']);
  state.failing = false;
  await clock.advance(2 * MINUTE);
  expect(await read('R1', yesterday)).toEqual(['ok', 'ok']);
});
