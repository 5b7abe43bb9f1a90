import {
  createMenuService,
  type DailyMenu,
  type MenuErrorCode,
  openOperators,
  seoulToday,
} from 'menu-client';
import { type Fault, type FaultRule, type Sandbox, startSandbox } from 'menu-sandbox';
import { expect, test } from 'vitest';
import { fakeOperator, menu, steppedClock } from './fake-operator.ts';
import { lunch, MINUTE, serviceOver, TODAY } from './fake-service.ts';
import { runningClock } from './running-clock.ts';

const [WELSTORY, SHINSEGAE] = ['REST000007', 'CAF81'];
const WEDNESDAY = '2026-11-18';
const SATURDAY = '2026-11-21';

function serviceFor(sandbox: Sandbox, environment: Readonly<Record<string, string>> = {}) {
  return createMenuService({
    clock: runningClock(),
    operators: openOperators(
      { ...sandbox.environment, ...environment },
      { maxRequestsPerMinute: 60_000, retry: { maxAttempts: 1, baseDelayMs: 0, maxDelayMs: 0 } },
    ),
  });
}

/** What is read of a day of each operator while the faults last. */
async function readUnder(faults: readonly FaultRule[], date = WEDNESDAY) {
  await using sandbox = await startSandbox({ latencyMs: 0, faults });
  await using service = serviceFor(sandbox);
  const days = [
    await service.dailyMenu('welstory', WELSTORY, date),
    await service.dailyMenu('shinsegae', SHINSEGAE, date),
  ];
  return { days, health: await service.health() };
}

const shape = ({ periods }: DailyMenu) =>
  periods
    .filter(({ status }) => status !== 'empty')
    .map(({ code, status, menus }) => [code, status, menus.map(({ name }) => name)]);

/** Answers as public clients of the live services take them: the same is read as from the usual ones. */
const SAME: readonly Fault[] = [
  'meals-missing',
  'numeric-codes',
  'item-code-missing',
  'item-seq-missing',
  'large-tree',
  'no-envelope',
  'login-redirect',
  'json-as-html',
  'redirect',
  'ds-missing',
];

test.each(SAME)('%s: the same restaurants and menus are read', async (fault) => {
  const plain = await readUnder([]);
  const { days, health } = await readUnder([{ fault }]);
  expect(days.map(shape)).toEqual(plain.days.map(shape));
  expect(shape(days[0] as DailyMenu).length).toBeGreaterThan(0);
  expect(health.status).toBe('ok');
});

test('a meal of an unknown code keeps the operator’s own label, and its menus', async () => {
  const plain = await readUnder([]);
  const { days, health } = await readUnder([{ fault: 'unknown-meal-code' }]);
  const meals = (day?: DailyMenu) =>
    day?.periods.map(({ label, status, menus }) => [label, status, menus.map(({ name }) => name)]);
  const sorted = (day?: DailyMenu) => meals(day)?.toSorted();
  expect(days.map(sorted)).toEqual(plain.days.map(sorted));
  for (const day of days) {
    const last = day.periods.at(-1);
    expect(last).toMatchObject({ code: '20', status: 'ok' });
    expect(last?.label).not.toBe('20');
  }
  expect(health.status).toBe('ok');
});

test('an empty day without ds is empty', async () => {
  const { days, health } = await readUnder([{ fault: 'ds-missing' }], SATURDAY);
  expect(new Set(days[1]?.periods.map(({ status }) => status))).toEqual(new Set(['empty']));
  expect(health.status).toBe('ok');
});

test('a row without a course is a menu by its own name', async () => {
  const plain = await readUnder([]);
  const { days } = await readUnder([{ fault: 'course-type-missing' }]);
  const names = (day?: DailyMenu) => day?.periods.flatMap(({ menus }) => menus.map(({ name }) => name)) ?? [];
  expect(names(days[0])).toEqual(expect.arrayContaining(names(plain.days[0])));
  const ids = days[0]?.periods.flatMap(({ menus }) => menus.map(({ id }) => id)) ?? [];
  expect(new Set(ids).size).toBe(ids.length);
});

test('a page of HTML still is a lost session: one new login, and the day is read', async () => {
  await using sandbox = await startSandbox({ latencyMs: 0 });
  let pastMs = 0;
  const running = runningClock();
  const clock = { ...running, nowMs: () => running.nowMs() + pastMs };
  await using service = createMenuService({
    operators: openOperators(sandbox.environment, {
      retry: { maxAttempts: 2, baseDelayMs: 0, maxDelayMs: 0 },
      clock,
    }),
    clock,
  });
  await service.restaurants();
  // A session that has only just begun would not have ended.
  pastMs = 2 * MINUTE;
  sandbox.setFaults([{ fault: 'html', operator: 'welstory', path: '/api/meal', count: 1 }]);
  const day = await service.dailyMenu('welstory', WELSTORY, WEDNESDAY);
  expect(new Set(day.periods.map(({ status }) => status))).not.toContain('failed');
  expect(sandbox.stats().welstory.logins).toBe(2);
});

test('limits of time and size are settings', async () => {
  await using sandbox = await startSandbox({ latencyMs: 0, faults: [{ fault: 'large-tree' }] });
  const reasonOf = async (environment: Readonly<Record<string, string>>) => {
    await using service = serviceFor(sandbox, environment);
    return (await service.restaurants()).incomplete.find(({ vendor }) => vendor === 'shinsegae')?.reason;
  };
  expect(await reasonOf({})).toBeUndefined();
  expect(await reasonOf({ PLANEAT_MAX_TREE_BYTES: '8388608' })).toBe('operator_answer_too_large');
  sandbox.setFaults([{ fault: 'slow', operator: 'shinsegae', delayMs: 1000 }]);
  expect(await reasonOf({ OPERATOR_TIMEOUT_MS: '150' })).toBe('operator_timeout');
  expect(() => openOperators({ OPERATOR_TIMEOUT_MS: 'soon' })).toThrow(
    /OPERATOR_TIMEOUT_MS must be an integer/,
  );
});

test('one empty answer after menus is not believed: they are shown as stale until the next says so too', async () => {
  const clock = steppedClock();
  const operator = fakeOperator();
  await using service = serviceOver(operator, clock);
  const again = async () => {
    await clock.advance(16 * MINUTE);
    await lunch(service);
    await clock.advance(1);
    return lunch(service);
  };
  expect(await lunch(service)).toMatchObject({ status: 'ok', menus: [{ id: 'a' }] });
  operator.menus = [];
  const unsure = { status: 'stale', menus: [{ id: 'a' }], error: { code: 'operator_answer_empty' } };
  expect(await again()).toMatchObject(unsure);
  operator.menus = [menu('b')];
  expect(await again()).toMatchObject({ status: 'ok', menus: [{ id: 'b' }] });
  operator.menus = [];
  expect((await again()).status).toBe('stale');
  expect(await again()).toMatchObject({ status: 'empty', menus: [] });
});

test.each(['operator_answer_invalid', 'operator_answer_too_large'] satisfies MenuErrorCode[])(
  '%s alarms, and opens no circuit',
  async (failure) => {
    const clock = steppedClock();
    const operator = fakeOperator();
    const alarms: string[] = [];
    await using service = createMenuService({
      operators: [operator],
      clock,
      onUnreadable: (vendor, what, { code }) => alarms.push(`${vendor} ${what} ${code}`),
    });
    await lunch(service);
    operator.failure = failure;
    for (const day of [1, 2, 3, 4, 5, 6]) await lunch(service, `2026-12-0${day}`);
    expect(alarms).toEqual(Array.from({ length: 6 }, () => `welstory menus ${failure}`));
    expect((await service.health()).operators).toMatchObject([
      { status: 'degraded', retrying: [{ what: 'menus', reason: failure }], circuit: { state: 'closed' } },
    ]);
    operator.failure = undefined;
    expect((await lunch(service, '2026-12-07')).status).toBe('ok');
    expect(seoulToday(clock.nowMs())).toBe(TODAY);
  },
);
