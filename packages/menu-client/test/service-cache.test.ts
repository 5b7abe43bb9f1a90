import { createMenuService, type MenuChange, type MenuReading } from 'menu-client';
import { describe, expect, test } from 'vitest';
import { fakeOperator, menu, settle, steppedClock } from './fake-operator.ts';
import { lunch, MINUTE, serviceOver, sharedStore, TODAY, TOMORROW, withMethods } from './fake-service.ts';

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

  test('reads again what a clock that was ahead has kept', async () => {
    const [ahead, clock] = [steppedClock(), steppedClock()];
    const store = sharedStore(clock);
    await ahead.advance(30 * 24 * 60 * MINUTE);
    const operator = fakeOperator();
    {
      await using service = serviceOver(operator, ahead, store);
      await lunch(service);
    }
    operator.menus = [menu('b')];
    operator.calls.length = 0;
    await using service = serviceOver(operator, clock, store);
    expect(await lunch(service)).toMatchObject({ status: 'ok', menus: [{ id: 'b' }] });
    await settle();
    expect(operator.calls).toEqual(['restaurants', 'meals R1', `day R1 ${TODAY}`]);
    await lunch(service);
    expect(operator.calls).toHaveLength(3);
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

describe('readings', () => {
  const day = { kind: 'day', vendor: 'welstory', restaurantId: 'R1', date: TODAY };

  test('are reported once each, the unchanged ones too; what was fresh is not', async () => {
    const clock = steppedClock();
    const readings: MenuReading[] = [];
    await using service = createMenuService({
      operators: [fakeOperator()],
      clock,
      onReading: (reading) => readings.push(reading),
    });
    await lunch(service);
    await lunch(service);
    expect(readings).toEqual([{ kind: 'restaurants', vendor: 'welstory' }, day]);
    await clock.advance(16 * MINUTE);
    await lunch(service);
    await settle();
    expect(readings.slice(2)).toEqual([day]);
  });

  test('of another process are told when they are found', async () => {
    const clock = steppedClock();
    const store = sharedStore(clock);
    const readings: MenuReading[] = [];
    await using first = createMenuService({
      operators: [fakeOperator()],
      clock,
      store,
      onReading: (reading) => readings.push(reading),
    });
    await using second = serviceOver(fakeOperator(), clock, store);
    await lunch(first);
    await clock.advance(16 * MINUTE);
    await lunch(second);
    await settle();
    expect(readings).toHaveLength(2);
    await lunch(first);
    expect(readings.slice(2)).toEqual([day]);
  });
});

test('a list of restaurants that was read again and is the same stays as it is; another one is searched at once', async () => {
  const clock = steppedClock();
  const operator = fakeOperator();
  let names = ['강남 식당', '수원 식당'];
  const restaurants = async () => ({
    value: names.map((name) => ({ vendor: 'welstory' as const, id: name, name, location: [] })),
    droppedRows: 0,
  });
  await using service = createMenuService({ operators: [{ ...operator, restaurants }], clock });
  const { restaurants: first } = await service.restaurants();
  const readAnew = async () => {
    await clock.advance(7 * 60 * MINUTE);
    await service.restaurants();
    await settle();
    return (await service.restaurants()).restaurants;
  };
  expect(await readAnew()).toBe(first);
  names = ['강남 식당', '판교 식당'];
  expect(await readAnew()).not.toBe(first);
  expect((await service.search('판교')).restaurants).toHaveLength(1);
  expect(await service.search('수원')).toEqual({ restaurants: [], incomplete: [] });
});

test('a week is as many days as were asked for', async () => {
  await using service = serviceOver(fakeOperator(), steppedClock(Date.parse('2026-12-28T03:00:00Z')));
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
