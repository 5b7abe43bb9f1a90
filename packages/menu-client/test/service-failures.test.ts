import { createMenuService, type MenuStore, type Operator } from 'menu-client';
import { describe, expect, test } from 'vitest';
import { fakeOperator, menu, settle, steppedClock } from './fake-operator.ts';
import { lunch, MINUTE, serviceOver, sharedStore, TODAY, withMethods } from './fake-service.ts';

async function collect<T>(values: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const value of values) all.push(value);
  return all;
}

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

  test('a restaurant is not "not found" while the catalogue has never been read', async () => {
    const operator = fakeOperator();
    operator.failure = 'operator_unreachable';
    await using service = serviceOver(operator, steppedClock());
    const expected = { code: 'catalogue_unavailable', retryable: true, vendor: 'welstory' };
    await expect(service.dailyMenu('welstory', 'R1', TODAY)).rejects.toMatchObject(expected);
    await expect(service.restaurant('welstory', 'R1')).rejects.toMatchObject(expected);
  });

  test('a list that lacks an operator says which, why and since when, until it was read once', async () => {
    const clock = steppedClock();
    const [broken, working] = [fakeOperator('welstory'), fakeOperator('shinsegae')];
    broken.failure = 'operator_unreachable';
    await using service = createMenuService({ operators: [broken, working], clock });
    const unread = { vendor: 'welstory', reason: 'operator_unreachable', since: '2026-11-18T03:00:00.000Z' };
    for (const list of [await service.search('R1'), await service.restaurants()]) {
      expect(list.restaurants.map(({ vendor }) => vendor)).toEqual(['shinsegae']);
      expect(list.incomplete).toEqual([{ ...unread, retryAfterMs: 60_000 }]);
    }
    await clock.advance(20_000);
    const later = await service.search('nowhere');
    expect(later).toEqual({ restaurants: [], incomplete: [{ ...unread, retryAfterMs: 40_000 }] });
    await expect(collect(service.knownDays(TODAY))).rejects.toMatchObject({
      code: 'catalogue_unavailable',
      vendor: 'welstory',
    });

    broken.failure = undefined;
    await clock.advance(MINUTE);
    expect((await service.search('R1')).restaurants).toHaveLength(2);
    // What was read once is known from then on.
    broken.failure = 'operator_unreachable';
    await clock.advance(24 * 60 * MINUTE);
    const { restaurants, incomplete } = await service.restaurants();
    expect([restaurants.length, incomplete]).toEqual([2, []]);
    expect(await collect(service.knownDays(TODAY))).toEqual([]);
  });

  test('a catalogue that cannot be read keeps nobody waiting for a minute, then it is asked for again', async () => {
    const clock = steppedClock();
    const operator = fakeOperator();
    await using service = serviceOver(operator, clock);
    let open = () => {};
    operator.gate = new Promise((resolve) => {
      open = resolve;
    });
    const first = service.search('R1');
    const exact = service.restaurant('welstory', 'R1').catch((error: unknown) => error);
    await clock.advance(8000);
    expect(await exact).toMatchObject({ code: 'catalogue_unavailable', retryAfterMs: 60_000 });
    expect((await first).incomplete).toMatchObject([{ reason: 'deadline_exceeded', retryAfterMs: 60_000 }]);
    expect((await service.search('R1')).incomplete).toHaveLength(1);
    operator.failure = 'operator_unavailable';
    open();
    await settle();
    expect((await service.search('R1')).incomplete).toMatchObject([{ reason: 'operator_unavailable' }]);
    expect(operator.calls).toEqual(['restaurants']);
    operator.failure = undefined;
    await clock.advance(MINUTE);
    expect(await service.search('R1')).toMatchObject({ restaurants: [{ id: 'R1' }], incomplete: [] });
  });

  test('whoever asks first has a catalogue read, even if reading ahead has just failed', async () => {
    const clock = steppedClock();
    const operator = fakeOperator();
    operator.failure = 'operator_unreachable';
    await using service = createMenuService({ operators: [operator], clock, prefetch: true });
    await settle();
    expect(operator.calls).toEqual(['restaurants']);
    operator.failure = undefined;
    expect(await service.search('R1')).toMatchObject({ restaurants: [{ id: 'R1' }], incomplete: [] });
  });

  test('what is kept is not read again within a minute of a failure, however many ask and however old it is', async () => {
    const clock = steppedClock();
    const operator = fakeOperator();
    await using service = serviceOver(operator, clock);
    expect((await service.search('R1')).restaurants).toHaveLength(1);
    operator.failure = 'operator_unreachable';
    for (const hours of [2, 20]) {
      await clock.advance(hours * 60 * MINUTE);
      for (let asked = 0; asked < 5; asked += 1) {
        expect((await service.search('R1')).restaurants).toHaveLength(1);
        await settle();
      }
    }
    expect(operator.calls).toEqual(['restaurants', 'restaurants', 'restaurants']);
    operator.failure = undefined;
    await clock.advance(MINUTE);
    await service.search('R1');
    await settle();
    await service.search('R1');
    expect(operator.calls).toHaveLength(4);
  });

  test('after five failures in a row the operator is left alone for half a minute, then asked by one', async () => {
    const clock = steppedClock();
    const operator = fakeOperator('welstory', ['R1', 'R2']);
    await using service = serviceOver(operator, clock);
    await service.restaurants();
    operator.failure = 'operator_unavailable';
    for (const day of [1, 2, 3, 4, 5]) await lunch(service, `2026-12-0${day}`);
    const asked = operator.calls.length;
    expect((await lunch(service, '2026-12-06')).error).toEqual({
      code: 'operator_unavailable',
      retryable: true,
    });
    // What it failed with is what is told, not that it is left alone for it.
    expect(operator.calls).toHaveLength(asked);
    // Questions are answered still: restaurants from the cache, days as not read.
    expect(await service.health()).toEqual({
      status: 'degraded',
      operators: [
        {
          vendor: 'welstory',
          status: 'degraded',
          lastSuccessAt: '2026-11-18T03:00:00.000Z',
          retrying: [{ what: 'meals', reason: 'operator_unavailable', since: '2026-11-18T03:00:00.000Z' }],
          needsPerson: null,
          circuit: { state: 'open', failures: 5, retryAt: '2026-11-18T03:00:30.000Z' },
        },
      ],
      store: 'ok',
    });
    await clock.advance(30_000);
    expect((await service.health()).operators).toMatchObject([{ circuit: { state: 'half-open' } }]);
    const gate = Promise.withResolvers<void>();
    operator.gate = gate.promise;
    const both = Promise.all(['R1', 'R2'].map((id) => service.dailyMenu('welstory', id, '2026-12-07')));
    await settle();
    expect(operator.calls).toHaveLength(asked + 1);
    gate.resolve();
    await both;
    expect(operator.calls).toHaveLength(asked + 1);
    operator.failure = undefined;
    await clock.advance(30_000);
    expect((await lunch(service, '2026-12-09')).status).toBe('ok');
    const closed = { state: 'closed', failures: 0, retryAt: null };
    expect((await service.health()).operators).toMatchObject([
      { status: 'ok', retrying: [], circuit: closed },
    ]);
  });

  test('health is down until something was read, asks by itself, and is not while the cache answers', async () => {
    const clock = steppedClock();
    const store = sharedStore(clock);
    const operators = [fakeOperator('welstory'), fakeOperator('shinsegae')];
    const [welstory, shinsegae] = operators;
    if (welstory === undefined || shinsegae === undefined) throw new Error('two operators');
    welstory.failure = shinsegae.failure = 'operator_unreachable';
    await using service = createMenuService({ operators, clock, store });
    const states = async () => {
      const { status, operators: each } = await service.health();
      return [status, ...each.map((operator) => operator.status)];
    };
    expect(await states()).toEqual(['down', 'down', 'down']);
    await settle();
    expect([welstory.calls, shinsegae.calls]).toEqual([['restaurants'], ['restaurants']]);
    shinsegae.failure = undefined;
    await clock.advance(MINUTE);
    expect(await states()).toEqual(['down', 'down', 'down']);
    await settle();
    expect(await states()).toEqual(['degraded', 'down', 'ok']);
    welstory.failure = undefined;
    await clock.advance(MINUTE);
    await states();
    await settle();
    expect(await states()).toEqual(['ok', 'ok', 'ok']);

    // Another process that can read nothing answers from what they share.
    const broken = fakeOperator('welstory');
    broken.failure = 'operator_unreachable';
    await using second = createMenuService({ operators: [broken], clock, store });
    await second.dailyMenu('welstory', 'R1', TODAY);
    expect(await second.health()).toMatchObject({ status: 'degraded', operators: [{ status: 'degraded' }] });
  });

  test('once closed, a service answers everything with `closed`, what it knows included', async () => {
    const operator = fakeOperator();
    const service = serviceOver(operator, steppedClock());
    const { id } = (await lunch(service)).menus[0] ?? { id: '' };
    const days = service.knownDays(TODAY)[Symbol.asyncIterator]();
    await days.next();
    await service[Symbol.asyncDispose]();
    const calls: Readonly<Record<string, () => Promise<unknown>>> = {
      search: () => service.search('R1'),
      blank: () => service.search(' '),
      restaurants: () => service.restaurants(),
      restaurant: () => service.restaurant('welstory', 'R1'),
      other: () => service.restaurant('shinsegae', 'R1'),
      dailyMenu: () => service.dailyMenu('welstory', 'R1', TODAY),
      week: () => service.week('welstory', 'R1', TODAY),
      menuDetail: () => service.menuDetail('welstory', 'R1', TODAY, id),
      knownDays: () => collect(service.knownDays(TODAY)),
      begun: () => days.next(),
      health: () => service.health(),
    };
    for (const [name, call] of Object.entries(calls))
      await expect(call(), name).rejects.toMatchObject({ code: 'closed', retryable: false });
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
    expect((await service.restaurants()).restaurants).toHaveLength(3);
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
    expect((await service.restaurants()).restaurants.map(({ id }) => id)).toEqual(['R1', 'R2', 'R3']);
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
      addInterest: down,
      readInterest: down,
      prune: down,
      close: async () => {},
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

  test('what was read before its store went down is still shown, and kept again, until the store is back', async () => {
    const clock = steppedClock();
    const operator = fakeOperator();
    const inner = sharedStore(clock);
    let isDown = false;
    const failing = <T>(call: () => Promise<T>): Promise<T> =>
      isDown ? Promise.reject(new Error('disk full')) : call();
    const store = withMethods(inner, {
      read: (key) => failing(() => inner.read(key)),
      write: (...given) => failing(() => inner.write(...given)),
      acquireLease: (...given) => failing(() => inner.acquireLease(...given)),
      releaseLease: (...given) => failing(() => inner.releaseLease(...given)),
    });
    await using service = serviceOver(operator, clock, store);
    const first = await lunch(service);
    isDown = true;
    operator.failure = 'operator_unavailable';
    await clock.advance(16 * MINUTE);
    await lunch(service);
    await settle();
    // Neither lost nor taken for what is true now.
    expect(await lunch(service)).toMatchObject({ status: 'stale', menus: first.menus });
    expect(await service.health()).toMatchObject({ store: 'down' });

    operator.failure = undefined;
    operator.menus = [menu('b')];
    await clock.advance(2 * MINUTE);
    await lunch(service);
    await settle();
    expect(await lunch(service)).toMatchObject({ status: 'ok', menus: [{ id: 'b' }] });

    isDown = false;
    await clock.advance(16 * MINUTE);
    await lunch(service);
    await settle();
    expect(await lunch(service)).toMatchObject({ status: 'ok', menus: [{ id: 'b' }] });
    expect(await service.health()).toMatchObject({ store: 'ok' });
  });
});
