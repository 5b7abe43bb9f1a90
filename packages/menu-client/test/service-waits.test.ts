import { type DailyMenu, type MealReading } from 'menu-client';
import { expect, test } from 'vitest';
import { fakeOperator, menu, settle, steppedClock } from './fake-operator.ts';
import { lunch, MINUTE, serviceOver, TODAY, TOMORROW } from './fake-service.ts';

test('an operator that does not answer in time: the deadline answers, the reading goes on', async () => {
  const clock = steppedClock();
  const operator = fakeOperator();
  await using service = serviceOver(operator, clock);
  await service.restaurants();
  let open = () => {};
  operator.gate = new Promise((resolve) => {
    open = resolve;
  });
  const asked = service.dailyMenu('welstory', 'R1', TODAY);
  await clock.advance(8000);
  const { periods } = await asked;
  expect(periods.map(({ code, status, error }) => [code, status, error])).toEqual(
    ['1', '2', '3'].map((code) => [code, 'loading', undefined]),
  );
  open();
  await settle();
  expect((await lunch(service)).status).toBe('ok');
});

test('a meal that hangs holds up none that has come, and the meal of the moment is asked for first', async () => {
  // 11:50 in Seoul.
  const clock = steppedClock(Date.parse(`${TODAY}T02:50:00Z`));
  const operator = fakeOperator();
  await using service = serviceOver(operator, clock);
  await service.restaurants();
  operator.meals_ = [
    { code: '1', label: '조식' },
    { code: '2', label: '중식' },
    { code: '3', label: '석식' },
  ];
  let open = () => {};
  const dinner = new Promise<void>((resolve) => {
    open = resolve;
  });
  const asked: string[] = [];
  const value: MealReading[] = [];
  operator.day = async (_id, _date, meals, options) => {
    for (const meal of meals) {
      asked.push(meal.code);
      if (meal.code === '3') await dinner;
      const reading = { ...meal, menus: [menu(meal.label)] };
      value.push(reading);
      options?.onMeal?.(reading);
    }
    return { value, droppedRows: 0 };
  };
  const first = service.dailyMenu('welstory', 'R1', TODAY, { waitMs: 600 });
  await clock.advance(600);
  const statuses = ({ periods }: DailyMenu) => periods.map(({ code, status }) => [code, status]);
  const before = [statuses(await first), [...asked]];
  open();
  await settle();
  expect(before).toEqual([
    [
      ['1', 'loading'],
      ['2', 'ok'],
      ['3', 'loading'],
    ],
    ['2', '3'],
  ]);
  expect(statuses(await service.dailyMenu('welstory', 'R1', TODAY)).map(([, status]) => status)).toEqual([
    'ok',
    'ok',
    'ok',
  ]);
});

test('a question waits as long as it says, and nobody waits again for a reading that has taken as long', async () => {
  const clock = steppedClock();
  const operator = fakeOperator();
  await using service = serviceOver(operator, clock);
  await service.restaurants();
  let open = () => {};
  operator.gate = new Promise((resolve) => {
    open = resolve;
  });
  const status = async (options: object): Promise<unknown> =>
    (await service.dailyMenu('welstory', 'R1', TODAY, options)).periods[0]?.status;
  expect(await status({ waitMs: 0 })).toBe('loading');
  const first = status({ waitMs: 600 });
  await clock.advance(600);
  expect(await first).toBe('loading');
  // No time passes from here on: these are answered at once.
  expect(await status({ waitMs: 600 })).toBe('loading');
  expect((await service.week('welstory', 'R1', TODAY, 1, { waitMs: 600 }))[0]?.periods[0]?.status).toBe(
    'loading',
  );
  const patient = status({});
  await clock.advance(7_400);
  expect(await patient).toBe('loading');
  expect(await status({})).toBe('loading');
  expect(operator.calls.filter((call) => call.startsWith('meals'))).toHaveLength(1);
  open();
  await settle();
  expect(await status({ waitMs: 0 })).toBe('ok');
});

test('menus too old to show without a word are stale while newer ones are on their way', async () => {
  const clock = steppedClock();
  const operator = fakeOperator();
  await using service = serviceOver(operator, clock);
  await lunch(service);
  let open = () => {};
  operator.gate = new Promise((resolve) => {
    open = resolve;
  });
  await clock.advance(13 * 60 * MINUTE);
  const { periods } = await service.dailyMenu('welstory', 'R1', TODAY, { waitMs: 0 });
  expect(periods[0]).toMatchObject({
    status: 'stale',
    menus: [{ id: 'a' }],
    error: { code: 'not_read_yet', retryable: true },
  });
  open();
});

test('a catalogue on its way is waited for once, and found as soon as it is there', async () => {
  const clock = steppedClock();
  const operator = fakeOperator();
  await using service = serviceOver(operator, clock);
  let open = () => {};
  operator.gate = new Promise((resolve) => {
    open = resolve;
  });
  const first = service.search('R1', { waitMs: 600 });
  await clock.advance(600);
  expect((await first).incomplete).toHaveLength(1);
  expect((await service.restaurants({ waitMs: 600 })).incomplete).toHaveLength(1);
  await expect(service.restaurant('welstory', 'R1', { waitMs: 600 })).rejects.toMatchObject({
    code: 'catalogue_unavailable',
  });
  const patient = service.search('R1');
  open();
  await settle();
  expect((await patient).restaurants).toHaveLength(1);
});

test('health: a read without an answer for longer than one request may take is being retried, and then degraded', async () => {
  const clock = steppedClock();
  const operator = fakeOperator();
  await using service = serviceOver({ ...operator, requestTimeoutMs: 5_000 }, clock);
  await lunch(service);
  let open = () => {};
  operator.gate = new Promise((resolve) => {
    open = resolve;
  });
  const asked = service.dailyMenu('welstory', 'R1', TOMORROW);
  const state = async () => {
    const { status, operators } = await service.health();
    return [status, operators[0]?.status, operators[0]?.retrying];
  };
  await clock.advance(4_999);
  expect(await state()).toEqual(['ok', 'ok', []]);
  await clock.advance(1);
  const since = '2026-11-18T03:00:00.000Z';
  const retrying = [{ what: 'menus', reason: 'operator_timeout', since }];
  expect(await state()).toEqual(['degraded', 'degraded', retrying]);
  await clock.advance(MINUTE);
  expect(await state()).toEqual(['degraded', 'degraded', retrying]);
  await asked;
  open();
  await settle();
  expect(await state()).toEqual(['ok', 'ok', []]);
});
