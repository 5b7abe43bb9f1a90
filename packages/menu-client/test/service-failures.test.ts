import { createMenuService, type MenuStore, type Operator } from 'menu-client';
import { describe, expect, test } from 'vitest';
import { fakeOperator, settle, steppedClock } from './fake-operator.ts';
import { lunch, MINUTE, serviceOver, sharedStore, TODAY } from './fake-service.ts';

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
