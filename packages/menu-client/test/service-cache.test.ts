import {
  createMenuService,
  type MenuChange,
  type MenuService,
  type MenuStore,
  memoryMenuStore,
  type Operator,
} from 'menu-client';
import { describe, expect, test } from 'vitest';
import {
  type FakeOperator,
  fakeOperator,
  LUNCH,
  menu,
  type SteppedClock,
  settle,
  steppedClock,
} from './fake-operator.ts';

const TODAY = '2026-11-18';
const TOMORROW = '2026-11-19';
const MINUTE = 60_000;

/** A store that outlives the services over it, as a database does. */
function sharedStore(clock: SteppedClock): MenuStore {
  return withMethods(memoryMenuStore({ nowMs: () => clock.nowMs() }), {
    [Symbol.asyncDispose]: async () => {},
  });
}

function withMethods(store: MenuStore, methods: Partial<MenuStore>): MenuStore {
  return new Proxy(store, {
    get: (target, member) => {
      if (Object.hasOwn(methods, member)) return Reflect.get(methods, member);
      const value: unknown = Reflect.get(target, member);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

function serviceOver(operator: FakeOperator, clock: SteppedClock, store?: MenuStore): MenuService {
  return createMenuService({ operators: [operator], clock, ...(store === undefined ? {} : { store }) });
}

async function lunch(service: MenuService, date = TODAY) {
  const day = await service.dailyMenu('welstory', 'R1', date);
  const [period] = day.periods;
  if (period === undefined) throw new Error('the day has no period');
  return period;
}

describe('the cache', () => {
  test('asks for a day once while it is fresh, and answers everybody at once', async () => {
    const clock = steppedClock();
    const operator = fakeOperator();
    await using service = serviceOver(operator, clock);
    const periods = await Promise.all(Array.from({ length: 20 }, () => lunch(service)));
    expect(new Set(periods.map(({ status }) => status))).toEqual(new Set(['ok']));
    await clock.advance(14 * MINUTE);
    await lunch(service);
    expect(operator.calls).toEqual(['restaurants', 'meals R1', `day R1 ${TODAY}`]);
  });

  test('answers from what is kept while it reads again in the background', async () => {
    const clock = steppedClock();
    const operator = fakeOperator();
    await using service = serviceOver(operator, clock);
    const first = await lunch(service);
    await clock.advance(16 * MINUTE);
    operator.menus = [menu('b')];
    let open = () => {};
    operator.gate = new Promise((resolve) => {
      open = resolve;
    });
    expect(await lunch(service)).toEqual(first);
    open();
    await settle();
    expect(await lunch(service)).toMatchObject({
      status: 'ok',
      menus: [{ id: 'b' }],
      fetchedAt: '2026-11-18T03:16:00.000Z',
    });
    expect(operator.calls.filter((call) => call.startsWith('day'))).toHaveLength(2);
  });

  test('later days stay fresh for longer, and a day read after its end for ever', async () => {
    const clock = steppedClock();
    const operator = fakeOperator();
    await using service = serviceOver(operator, clock);
    await lunch(service, TOMORROW);
    await lunch(service, '2026-11-17');
    await clock.advance(2 * 60 * MINUTE);
    await lunch(service, TOMORROW);
    await clock.advance(30 * 24 * 60 * MINUTE);
    await lunch(service, '2026-11-17');
    const days = operator.calls.filter((call) => call.startsWith('day'));
    expect(days).toEqual([`day R1 ${TOMORROW}`, 'day R1 2026-11-17']);
  });

  test('waits for a reading where what is kept is too old to be shown', async () => {
    const clock = steppedClock();
    const operator = fakeOperator();
    await using service = serviceOver(operator, clock);
    await lunch(service);
    await clock.advance(13 * 60 * MINUTE);
    operator.menus = [menu('b')];
    expect(await lunch(service)).toMatchObject({ status: 'ok', menus: [{ id: 'b' }] });
  });
});

describe('failures', () => {
  test('before anything is kept: every usual meal failed, none empty', async () => {
    const clock = steppedClock();
    const operator = fakeOperator();
    await using service = serviceOver(operator, clock);
    await service.restaurants();
    operator.failure = 'operator_unavailable';
    const day = await service.dailyMenu('welstory', 'R1', TODAY);
    expect(day.periods.map(({ code, label, status, error }) => ({ code, label, status, error }))).toEqual(
      [
        ['1', '아침'],
        ['2', '점심'],
        ['3', '저녁'],
      ].map(([code, label]) => ({
        code,
        label,
        status: 'failed',
        error: { code: 'operator_unavailable', retryable: true },
      })),
    );
    for (const period of day.periods) expect(period).not.toHaveProperty('fetchedAt');
  });

  test('afterwards: stale, with the menus and the time of the last reading; it recovers by itself', async () => {
    const clock = steppedClock();
    const operator = fakeOperator();
    await using service = serviceOver(operator, clock);
    const first = await lunch(service);
    operator.failure = 'operator_timeout';
    await clock.advance(16 * MINUTE);
    await lunch(service);
    await settle();
    expect(await lunch(service)).toEqual({
      ...first,
      status: 'stale',
      error: { code: 'operator_timeout', retryable: true },
    });
    operator.failure = undefined;
    await clock.advance(2 * MINUTE);
    await lunch(service);
    await settle();
    expect(await lunch(service)).toEqual({ ...first, fetchedAt: '2026-11-18T03:18:00.000Z' });
  });

  test('a failed day is not asked for again within a minute', async () => {
    const clock = steppedClock();
    const operator = fakeOperator();
    await using service = serviceOver(operator, clock);
    await service.restaurants();
    operator.failure = 'operator_refused';
    await lunch(service);
    const asked = operator.calls.length;
    await clock.advance(59_000);
    await lunch(service);
    expect(operator.calls).toHaveLength(asked);
    operator.failure = undefined;
    await clock.advance(1000);
    expect((await lunch(service)).status).toBe('ok');
  });

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
    expect(new Set(periods.map(({ status }) => status))).toEqual(new Set(['failed']));
    expect(periods[0]?.error).toEqual({ code: 'deadline_exceeded', retryable: true });
    open();
    await settle();
    expect((await lunch(service)).status).toBe('ok');
  });

  test('a restaurant is not "not found" while the catalogue has never been read', async () => {
    const operator = fakeOperator();
    operator.failure = 'operator_unreachable';
    await using service = serviceOver(operator, steppedClock());
    const expected = { code: 'catalogue_unavailable', retryable: true, vendor: 'welstory' };
    await expect(service.dailyMenu('welstory', 'R1', TODAY)).rejects.toMatchObject(expected);
    await expect(service.search('R1')).rejects.toMatchObject(expected);
  });

  test('a catalogue that cannot be read keeps nobody waiting for a minute, then it is asked for again', async () => {
    const clock = steppedClock();
    const operator = fakeOperator();
    await using service = serviceOver(operator, clock);
    let open = () => {};
    operator.gate = new Promise((resolve) => {
      open = resolve;
    });
    const first = service.search('R1').catch((error: unknown) => error);
    await clock.advance(8000);
    expect(await first).toMatchObject({ code: 'catalogue_unavailable', retryAfterMs: 60_000 });
    await expect(service.search('R1')).rejects.toMatchObject({ code: 'catalogue_unavailable' });
    operator.failure = 'operator_unavailable';
    open();
    await settle();
    await expect(service.search('R1')).rejects.toMatchObject({ code: 'catalogue_unavailable' });
    expect(operator.calls).toEqual(['restaurants']);
    operator.failure = undefined;
    await clock.advance(MINUTE);
    expect(await service.search('R1')).toHaveLength(1);
  });

  test('one operator’s failure does not hide the other’s restaurants', async () => {
    const [broken, working] = [fakeOperator('welstory'), fakeOperator('shinsegae')];
    broken.failure = 'operator_unreachable';
    await using service = createMenuService({ operators: [broken, working], clock: steppedClock() });
    expect((await service.search('R1')).map(({ vendor }) => vendor)).toEqual(['shinsegae']);
  });

  test('after five failures in a row the operator is left alone for half a minute, then asked by one', async () => {
    const clock = steppedClock();
    const operator = fakeOperator();
    await using service = serviceOver(operator, clock);
    await service.restaurants();
    operator.failure = 'operator_unavailable';
    for (const day of [1, 2, 3, 4, 5]) await lunch(service, `2026-12-0${day}`);
    const asked = operator.calls.length;
    expect((await lunch(service, '2026-12-06')).error).toEqual({ code: 'circuit_open', retryable: true });
    expect(operator.calls).toHaveLength(asked);
    expect((await service.health()).operators).toMatchObject([{ status: 'down' }]);
    await clock.advance(30_000);
    await Promise.all(['2026-12-07', '2026-12-08'].map((date) => lunch(service, date)));
    expect(operator.calls).toHaveLength(asked + 1);
    operator.failure = undefined;
    await clock.advance(30_000);
    expect((await lunch(service, '2026-12-09')).status).toBe('ok');
    expect((await service.health()).operators).toMatchObject([{ status: 'ok' }]);
  });

  test('what says nothing about the operator’s state does not open its circuit', async () => {
    const operator = fakeOperator();
    await using service = serviceOver(operator, steppedClock());
    await service.restaurants();
    operator.failure = 'restaurant_not_found';
    for (const day of [1, 2, 3, 4, 5, 6]) await lunch(service, `2026-12-0${day}`);
    operator.failure = undefined;
    expect((await lunch(service, '2026-12-07')).status).toBe('ok');
  });

  test('a catalogue that shrinks by more than half is taken for a fault', async () => {
    const clock = steppedClock();
    const store = sharedStore(clock);
    const full = fakeOperator('welstory', ['R1', 'R2', 'R3']);
    await serviceOver(full, clock, store).restaurants();
    await clock.advance(7 * 60 * MINUTE);
    await using service = serviceOver(fakeOperator('welstory', ['R1']), clock, store);
    await service.restaurants();
    await settle();
    expect(await service.restaurants()).toHaveLength(3);
  });

  test('what may be among dropped rows is kept, and read again soon', async () => {
    const clock = steppedClock();
    const store = sharedStore(clock);
    const dropped: number[] = [];
    await serviceOver(fakeOperator('welstory', ['R1', 'R2', 'R3']), clock, store).restaurants();
    await clock.advance(7 * 60 * MINUTE);
    const inner = fakeOperator('welstory', ['R1', 'R3']);
    const operator: Operator = {
      ...inner,
      restaurants: async (options) => ({ ...(await inner.restaurants(options)), droppedRows: 1 }),
    };
    const onDroppedRows = (_vendor: string, rows: number) => dropped.push(rows);
    await using service = createMenuService({ operators: [operator], clock, store, onDroppedRows });
    await service.restaurants();
    await settle();
    expect((await service.restaurants()).map(({ id }) => id)).toEqual(['R1', 'R2', 'R3']);
    expect(dropped).toEqual([1]);
    await clock.advance(16 * MINUTE);
    await service.restaurants();
    await settle();
    expect(inner.calls).toEqual(['restaurants', 'restaurants']);
  });

  test('a store that is down costs the cache, not the answer', async () => {
    const clock = steppedClock();
    const operator = fakeOperator();
    const down = () => Promise.reject(new Error('disk full'));
    const store: MenuStore = {
      read: down,
      readDays: down,
      write: down,
      acquireLease: down,
      releaseLease: down,
      prune: down,
      [Symbol.asyncDispose]: async () => {},
    };
    await using service = serviceOver(operator, clock, store);
    expect((await lunch(service)).status).toBe('ok');
    expect(await service.health()).toMatchObject({
      status: 'degraded',
      store: 'down',
      operators: [{ status: 'ok' }],
    });
    await lunch(service);
    expect(operator.calls.filter((call) => call.startsWith('day'))).toHaveLength(1);
  });
});

describe('changes', () => {
  test('menus that are added, changed and withdrawn are told once, with the times of the period', async () => {
    const clock = steppedClock();
    const operator = fakeOperator();
    const changes: MenuChange[] = [];
    const told = () => changes.splice(0).map(({ kind, menu: { id } }) => `${kind} ${id}`);
    await using service = createMenuService({
      operators: [operator],
      clock,
      onChange: (change) => changes.push(change),
    });
    operator.menus = [];
    const empty = await lunch(service);
    expect(empty.status).toBe('empty');
    expect(empty).not.toHaveProperty('firstSeenAt');
    const rereadWith = async (...menus: readonly ReturnType<typeof menu>[]) => {
      operator.menus = menus;
      await clock.advance(20 * MINUTE);
      await lunch(service);
      await settle();
      return lunch(service);
    };
    expect(await rereadWith(menu('a'), menu('b'))).toMatchObject({
      firstSeenAt: '2026-11-18T03:20:00.000Z',
      changedAt: '2026-11-18T03:20:00.000Z',
    });
    expect(told()).toEqual(['added a', 'added b']);
    expect(await rereadWith(menu('b'), menu('a'))).toMatchObject({ changedAt: '2026-11-18T03:20:00.000Z' });
    expect(told()).toEqual([]);
    expect(await rereadWith(menu('b', 'another'))).toMatchObject({
      firstSeenAt: '2026-11-18T03:20:00.000Z',
      changedAt: '2026-11-18T04:00:00.000Z',
    });
    expect(told()).toEqual(['changed b', 'withdrawn a']);
    expect(await rereadWith()).toMatchObject({ status: 'empty', firstSeenAt: '2026-11-18T03:20:00.000Z' });
    expect(told()).toEqual(['withdrawn b']);
  });

  test('a failure changes nothing', async () => {
    const clock = steppedClock();
    const operator = fakeOperator();
    const changes: MenuChange[] = [];
    await using service = createMenuService({
      operators: [operator],
      clock,
      onChange: (change) => changes.push(change),
    });
    await lunch(service);
    changes.length = 0;
    operator.failure = 'operator_unavailable';
    await clock.advance(20 * MINUTE);
    await lunch(service);
    await settle();
    expect(changes).toEqual([]);
    expect(await lunch(service)).toMatchObject({ status: 'stale', changedAt: '2026-11-18T03:00:00.000Z' });
  });

  test('a meal that the restaurant gives up is withdrawn with its menus', async () => {
    const clock = steppedClock();
    const operator = fakeOperator();
    operator.meals_ = [LUNCH, { code: '3', label: '저녁' }];
    await using service = serviceOver(operator, clock);
    const later = '2026-11-25';
    await service.dailyMenu('welstory', 'R1', later);
    operator.meals_ = [LUNCH];
    await clock.advance(25 * 60 * MINUTE);
    await service.dailyMenu('welstory', 'R1', later);
    await settle();
    await clock.advance(4 * 60 * MINUTE);
    await service.dailyMenu('welstory', 'R1', later);
    await settle();
    const { periods } = await service.dailyMenu('welstory', 'R1', later);
    expect(periods.map(({ code, status }) => `${code} ${status}`)).toEqual(['2 ok', '3 empty']);
  });
});

describe('a restart', () => {
  test('loses nothing and asks for nothing that is fresh', async () => {
    const clock = steppedClock();
    const store = sharedStore(clock);
    const before = serviceOver(fakeOperator(), clock, store);
    const first = await lunch(before);
    await before[Symbol.asyncDispose]();
    const operator = fakeOperator();
    await using after = serviceOver(operator, clock, store);
    expect(await lunch(after)).toEqual(first);
    expect((await after.health()).operators).toMatchObject([
      { status: 'ok', lastSuccessAt: '2026-11-18T03:00:00.000Z' },
    ]);
    expect(operator.calls).toEqual([]);
  });

  test('in the middle of a reading does not keep its end as a failure', async () => {
    const clock = steppedClock();
    const store = sharedStore(clock);
    const operator = fakeOperator();
    const service = serviceOver(operator, clock, store);
    await service.restaurants();
    let end = () => {};
    operator.gate = new Promise((resolve) => {
      end = resolve;
    });
    const asked = lunch(service);
    await settle();
    operator.failure = 'aborted';
    const closed = service[Symbol.asyncDispose]();
    end();
    await expect(asked).rejects.toMatchObject({ code: 'aborted' });
    await closed;
    await using after = serviceOver(fakeOperator(), clock, store);
    expect((await lunch(after)).status).toBe('ok');
  });
});

describe('two processes over one store', () => {
  test('what the other read while this one waited for its turn is not read again', async () => {
    const clock = steppedClock();
    const store = sharedStore(clock);
    const [one, two] = [fakeOperator(), fakeOperator()];
    await using first = serviceOver(one, clock, store);
    let turn = () => {};
    const waiting = new Promise<void>((resolve) => {
      turn = resolve;
    });
    const late = withMethods(store, {
      acquireLease: (name, holder, ttlMs) => waiting.then(() => store.acquireLease(name, holder, ttlMs)),
    });
    await using second = serviceOver(two, clock, late);
    const asked = lunch(second);
    await settle();
    await lunch(first);
    turn();
    expect((await asked).status).toBe('ok');
    expect(two.calls).toEqual([]);
  });

  test('one whose lease ended while it read does not write over the other, and tells no changes', async () => {
    const clock = steppedClock();
    const store = sharedStore(clock);
    const [one, two] = [fakeOperator(), fakeOperator()];
    two.menus = [menu('other')];
    const changes: MenuChange[] = [];
    const onChange = (change: MenuChange) => changes.push(change);
    const forgetful = withMethods(store, { acquireLease: async () => true });
    await using first = createMenuService({ operators: [one], clock, store: forgetful, onChange });
    await using second = createMenuService({ operators: [two], clock, store, onChange });
    await Promise.all([first.restaurants(), second.restaurants()]);
    let end = () => {};
    one.gate = new Promise((resolve) => {
      end = resolve;
    });
    const late = lunch(first);
    await settle();
    const kept = await lunch(second);
    end();
    expect(await late).toEqual(kept);
    expect(changes.map(({ menu: { id } }) => id)).toEqual(['other']);
  });
});

describe('kept days', () => {
  test('come without asking any operator, in order, of listed restaurants only', async () => {
    const clock = steppedClock();
    const operator = fakeOperator('welstory', ['R1', 'R2']);
    await using service = serviceOver(operator, clock);
    await service.week('welstory', 'R2', TODAY, 2);
    await service.week('welstory', 'R1', TODAY, 3);
    const asked = operator.calls.length;
    const days: string[] = [];
    for await (const day of service.knownDays(TODAY, 2))
      days.push(`${day.restaurant.id} ${day.date} ${day.periods[0]?.status}`);
    expect(days).toEqual([`R1 ${TODAY} ok`, `R1 ${TOMORROW} ok`, `R2 ${TODAY} ok`, `R2 ${TOMORROW} ok`]);
    expect(operator.calls).toHaveLength(asked);
  });
});

test('a week is as many days as were asked for', async () => {
  await using service = serviceOver(fakeOperator(), steppedClock());
  const week = await service.week('welstory', 'R1', '2026-12-30', 4);
  expect(week.map(({ date }) => date)).toEqual(['2026-12-30', '2026-12-31', '2027-01-01', '2027-01-02']);
  await expect(service.week('welstory', 'R1', TODAY, 15)).rejects.toMatchObject({ code: 'invalid_argument' });
});

test('the detail of a menu is read once; a menu that is not there is an error of its own', async () => {
  const operator = fakeOperator();
  await using service = serviceOver(operator, steppedClock());
  await service.menuDetail('welstory', 'R1', TODAY, 'a');
  await service.menuDetail('welstory', 'R1', TODAY, 'a');
  expect(operator.calls.filter((call) => call.startsWith('detail'))).toEqual([`detail R1 ${TODAY} a`]);
  await expect(service.menuDetail('welstory', 'R1', TODAY, 'z')).rejects.toMatchObject({
    code: 'menu_not_found',
  });
});

test.each([0, 51, 1.5, Number.NaN])('a limit of %s is refused', async (limit) => {
  await using service = serviceOver(fakeOperator(), steppedClock());
  await expect(service.search('R1', { limit })).rejects.toMatchObject({ code: 'invalid_argument' });
});
