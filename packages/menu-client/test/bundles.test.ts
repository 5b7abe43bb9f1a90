import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Bundle,
  createMenuService,
  type Menu,
  type MenuChange,
  type MenuErrorCode,
  type MenuStore,
  type Operator,
  OperatorError,
} from 'menu-client';
import { openPostgresMenuStore } from 'menu-client/postgres';
import { openSqliteMenuStore } from 'menu-client/sqlite';
import { createSchema, describePostgres, POSTGRES_URL } from 'test-support/postgres';
import { describe, expect, test } from 'vitest';
import { type FakeOperator, fakeOperator, menu, settle, steppedClock } from './fake-operator.ts';
import { lunch, MINUTE, serviceOver, sharedStore, TODAY, TOMORROW, withMethods } from './fake-service.ts';

const HOUR = 60 * MINUTE;
const UNREAD: Bundle = { status: 'loading', items: [], error: { code: 'not_read_yet', retryable: true } };

function bundle(id: string, name = id): Menu {
  return { ...menu(id, name), serving: 'take-out', bundle: UNREAD };
}

function item(name: string, caloriesKcal: number) {
  return { id: name, name, nutrition: { caloriesKcal } };
}

const ITEMS = [item('샌드위치', 391), item('샐러드', 245)];

function takeOutOperator(...menus: readonly Menu[]): FakeOperator {
  const operator = fakeOperator();
  operator.menus = menus;
  operator.items = () => ({ value: ITEMS, droppedRows: 0 });
  return operator;
}

function failing(code: MenuErrorCode, ...ids: readonly string[]): FakeOperator['items'] {
  return ({ id }) => {
    if (ids.length === 0 || ids.includes(id)) throw new OperatorError('welstory', code, 'as told');
    return { value: ITEMS, droppedRows: 0 };
  };
}

function asked(operator: FakeOperator): readonly string[] {
  return operator.calls.filter((call) => call.startsWith('items'));
}

/** The lunch that one service read, then that of another over the same store and of its kept days, and what it asked. */
async function readTwice(open: () => Promise<MenuStore>) {
  const clock = steppedClock();
  const before = serviceOver(takeOutOperator(bundle('b')), clock, await open());
  const first = await lunch(before);
  await before[Symbol.asyncDispose]();
  const operator = takeOutOperator(bundle('b'));
  await using after = serviceOver(operator, clock, await open());
  const again = [await lunch(after)];
  for await (const day of after.knownDays(TODAY)) again.push(...day.periods);
  return { first, again, calls: operator.calls };
}

describePostgres('the items of bundles in PostgreSQL', () => {
  test('survive a restart, in the kept days too', async () => {
    await using schema = await createSchema();
    const open = () => openPostgresMenuStore(POSTGRES_URL, { schema: schema.name });
    const { first, again, calls } = await readTwice(open);
    expect(first.menus[0]?.bundle).toMatchObject({ status: 'ok', items: ITEMS });
    expect([again, calls]).toEqual([[first, first], []]);
  });
});

describe('the items of bundles', () => {
  test('come with the day, one request for each bundle and none for other menus', async () => {
    const operator = takeOutOperator(menu('a'), bundle('b'), bundle('c'));
    await using service = serviceOver(operator, steppedClock());
    const { status, menus } = await lunch(service);
    expect(status).toBe('ok');
    expect(menus[0]).toEqual(menu('a'));
    const read = { status: 'ok', items: ITEMS, fetchedAt: '2026-11-18T03:00:00.000Z' };
    expect(menus.slice(1).map((each) => each.bundle)).toEqual([read, read]);
    expect(asked(operator)).toEqual([`items R1 ${TODAY} b`, `items R1 ${TODAY} c`]);
  });

  test('are asked for once by all who ask together, and one after the other', async () => {
    const operator = takeOutOperator(bundle('b'), bundle('c'));
    await using service = serviceOver(operator, steppedClock());
    await Promise.all(Array.from({ length: 10 }, () => lunch(service)));
    expect(asked(operator)).toHaveLength(2);
    expect(operator.maxInFlight).toBe(1);
  });

  test('of a day to come are kept while the bundle stays as it is, for half a day', async () => {
    const clock = steppedClock();
    const operator = takeOutOperator(bundle('b'));
    await using service = serviceOver(operator, clock);
    await lunch(service, TOMORROW);
    for (let readings = 0; readings < 3; readings += 1) {
      await clock.advance(181 * MINUTE);
      await lunch(service, TOMORROW);
      await settle();
    }
    expect(operator.calls.filter((call) => call.startsWith('day'))).toHaveLength(4);
    expect(asked(operator)).toHaveLength(1);
    await clock.advance(181 * MINUTE);
    await lunch(service, TOMORROW);
    await settle();
    expect(asked(operator)).toHaveLength(2);
  });

  test('of today are read with its menus: one that is added during the day is shown within 15 minutes', async () => {
    const clock = steppedClock();
    const operator = takeOutOperator(bundle('b'));
    await using service = serviceOver(operator, clock);
    await lunch(service);
    operator.items = () => ({ value: [item('제육', 612), item('두부', 301)], droppedRows: 0 });
    await clock.advance(15 * MINUTE);
    await lunch(service);
    await settle();
    const { menus } = await lunch(service);
    expect(menus[0]?.bundle?.items.map(({ name }) => name)).toEqual(['제육', '두부']);
    expect(asked(operator)).toHaveLength(2);
  });

  test('of a bundle that became another are asked for at once, and never shown as its own', async () => {
    const clock = steppedClock();
    const operator = takeOutOperator(bundle('b'));
    await using service = serviceOver(operator, clock);
    await lunch(service);
    operator.menus = [bundle('b', '도시락')];
    operator.items = failing('operator_answer_invalid');
    await clock.advance(13 * HOUR);
    const { menus } = await lunch(service);
    expect(menus).toMatchObject([{ name: '도시락', bundle: { status: 'failed', items: [] } }]);
    operator.items = () => ({ value: [item('제육', 612)], droppedRows: 0 });
    await clock.advance(2 * MINUTE);
    await lunch(service);
    await settle();
    expect((await lunch(service)).menus).toMatchObject([
      { bundle: { status: 'ok', items: [{ id: '제육' }] } },
    ]);
  });

  test('of a bundle that changed unseen are there for the next who asks, however late', async () => {
    const clock = steppedClock();
    const operator = takeOutOperator(bundle('b'));
    await using service = serviceOver(operator, clock);
    await lunch(service);
    operator.menus = [bundle('b', '도시락')];
    await clock.advance(16 * MINUTE);
    expect((await lunch(service)).menus).toMatchObject([{ name: 'b' }]);
    await clock.advance(16 * MINUTE);
    expect((await lunch(service)).menus).toMatchObject([{ name: '도시락', bundle: { status: 'ok' } }]);
  });

  test('that cannot be read spoil neither the meal nor the other bundles, and are tried again after a minute', async () => {
    const clock = steppedClock();
    const operator = takeOutOperator(menu('a'), bundle('b'), bundle('c'));
    operator.items = failing('operator_answer_invalid', 'c');
    await using service = serviceOver(operator, clock);
    const { status, menus } = await lunch(service);
    expect(status).toBe('ok');
    expect(menus.map((each) => each.bundle?.status)).toEqual([undefined, 'ok', 'failed']);
    expect(menus[2]?.bundle).toEqual({
      status: 'failed',
      items: [],
      error: { code: 'operator_answer_invalid', retryable: true },
    });
    expect((await service.health()).operators).toMatchObject([
      { status: 'degraded', retrying: [{ what: 'items', reason: 'operator_answer_invalid' }] },
    ]);
    await lunch(service);
    expect(asked(operator)).toHaveLength(2);
    operator.items = failing('operator_answer_invalid', 'none');
    await clock.advance(2 * MINUTE);
    await lunch(service);
    await settle();
    expect((await lunch(service)).menus.map((each) => each.bundle?.status)).toEqual([undefined, 'ok', 'ok']);
    // Neither the menus nor the other bundle were asked for again.
    expect(operator.calls.slice(-1)).toEqual([`items R1 ${TODAY} c`]);
  });

  test('are not asked for bundle by bundle while the operator itself is down', async () => {
    const operator = takeOutOperator(bundle('b'), bundle('c'), bundle('d'));
    operator.items = failing('operator_unavailable');
    await using service = serviceOver(operator, steppedClock());
    const { menus } = await lunch(service);
    expect(menus.map((each) => each.bundle?.error?.code)).toEqual(Array(3).fill('operator_unavailable'));
    expect(asked(operator)).toHaveLength(1);
  });

  test.each([
    ['cannot be read again', failing('operator_timeout'), 'operator_timeout'],
    ['are suddenly none', () => ({ value: [], droppedRows: 0 }), 'operator_answer_empty'],
  ])('that %s are those of the last reading, which says so', async (_what, items, code) => {
    const clock = steppedClock();
    const operator = takeOutOperator(bundle('b'));
    await using service = serviceOver(operator, clock);
    await lunch(service);
    operator.items = items;
    await clock.advance(13 * HOUR);
    expect((await lunch(service)).menus[0]?.bundle).toEqual({
      status: 'stale',
      items: ITEMS,
      fetchedAt: '2026-11-18T03:00:00.000Z',
      error: { code, retryable: true },
    });
  });

  test('a bundle of which the operator names none is empty, and asked again with the day', async () => {
    const clock = steppedClock();
    const operator = takeOutOperator(bundle('b'));
    operator.items = () => ({ value: [], droppedRows: 0 });
    await using service = serviceOver(operator, clock);
    expect((await lunch(service)).menus[0]?.bundle).toMatchObject({ status: 'empty', items: [] });
    operator.items = () => ({ value: ITEMS, droppedRows: 0 });
    await clock.advance(16 * MINUTE);
    await lunch(service);
    await settle();
    expect((await lunch(service)).menus[0]?.bundle).toMatchObject({ status: 'ok', items: ITEMS });
  });

  test('that do not come in time leave the menus as they are; they are there for the next who asks', async () => {
    const clock = steppedClock();
    const operator = takeOutOperator(menu('a'), bundle('b'));
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const slow: Operator = {
      ...operator,
      bundleItems: (...of) => ended.then(() => operator.bundleItems(...of)),
    };
    await using service = createMenuService({ operators: [slow], clock });
    await service.restaurants();
    const waiting = lunch(service);
    await clock.advance(9000);
    expect(await waiting).toMatchObject({ status: 'ok', menus: [{ id: 'a' }, { bundle: UNREAD }] });
    end();
    await settle();
    expect((await lunch(service)).menus[1]?.bundle).toMatchObject({ status: 'ok', items: ITEMS });
  });

  test('are read by the prefetcher too, with the priority of the background', async () => {
    const clock = steppedClock();
    const operator = takeOutOperator(bundle('b'));
    const priorities: (string | undefined)[] = [];
    const watched: Operator = {
      ...operator,
      bundleItems: (id, date, of, options) => {
        priorities.push(options?.priority);
        return operator.bundleItems(id, date, of, options);
      },
    };
    await using service = createMenuService({ operators: [watched], clock, prefetch: { days: 2 } });
    await settle();
    expect(asked(operator)).toEqual([`items R1 ${TODAY} b`, `items R1 ${TOMORROW} b`]);
    expect(priorities).toEqual(['background', 'background']);
    await lunch(service);
    expect(asked(operator)).toHaveLength(2);
  });

  test('tell of a change when they come, and only then', async () => {
    const clock = steppedClock();
    const operator = takeOutOperator(bundle('b'));
    const changes: MenuChange[] = [];
    await using service = createMenuService({
      operators: [operator],
      clock,
      onChange: (change) => changes.push(change),
    });
    const { changedAt } = await lunch(service);
    expect(changes.map(({ kind, menu: { bundle: of } }) => `${kind} ${of?.items.length}`)).toEqual([
      'added 0',
      'changed 2',
    ]);
    await clock.advance(16 * MINUTE);
    await lunch(service);
    await settle();
    expect(changes).toHaveLength(2);
    expect((await lunch(service)).changedAt).toBe(changedAt);
  });

  test('survive a restart, in the kept days too', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'menu-bundles-'));
    const { first, again, calls } = await readTwice(() => openSqliteMenuStore(join(folder, 'menus.db')));
    expect(first.menus[0]?.bundle).toMatchObject({ status: 'ok', items: ITEMS });
    expect([again, calls]).toEqual([[first, first], []]);
    await rm(folder, { recursive: true });
  });

  test('the detail of a bundle is the bundle, without asking again', async () => {
    const operator = takeOutOperator(bundle('b'));
    await using service = serviceOver(operator, steppedClock());
    expect(await service.menuDetail('welstory', 'R1', TODAY, 'b')).toMatchObject({
      bundle: { items: ITEMS },
    });
    expect(operator.calls.some((call) => call.startsWith('detail'))).toBe(false);
  });
});

describe('days that an earlier version kept', () => {
  const kept = (menus: readonly Menu[]) =>
    JSON.stringify({
      version: 1,
      entry: {
        periods: [{ code: '2', label: '점심', menus, fetchedAtMs: Date.parse('2026-11-18T02:59:00Z') }],
        attemptedAtMs: Date.parse('2026-11-18T02:59:00Z'),
      },
    });
  const key = { kind: 'day', vendor: 'welstory', restaurantId: 'R1', date: TODAY, item: '' } as const;
  const sum: Menu = { ...menu('b'), serving: 'take-out', nutrition: { caloriesKcal: 4254 } };

  test('are read again at once where something is taken out', async () => {
    const clock = steppedClock();
    const store = sharedStore(clock);
    await store.write(key, kept([menu('a'), sum]), 0);
    await using service = serviceOver(takeOutOperator(menu('a'), bundle('b')), clock, store);
    expect(await lunch(service)).toMatchObject({
      status: 'ok',
      menus: [{ id: 'a' }, { bundle: { items: ITEMS } }],
    });
  });

  test('are shown without the sum of all choices while the operator cannot be read', async () => {
    const clock = steppedClock();
    const store = sharedStore(clock);
    await store.write(key, kept([menu('a'), sum]), 0);
    const operator = takeOutOperator();
    await using service = serviceOver(operator, clock, store);
    await service.restaurants();
    operator.failure = 'operator_unavailable';
    const { status, menus } = await lunch(service);
    expect(status).toBe('stale');
    expect(menus.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(menus[1]).not.toHaveProperty('nutrition');
  });

  test('are as good as ever where everything is eaten there; another version is no day', async () => {
    const clock = steppedClock();
    const store = sharedStore(clock);
    await store.write(key, kept([menu('old')]), 0);
    const operator = takeOutOperator(menu('new'));
    await using service = serviceOver(operator, clock, withMethods(store, {}));
    expect((await lunch(service)).menus).toEqual([menu('old')]);
    await store.write({ ...key, date: TOMORROW }, kept([menu('old')]).replace('1', '9'), 0);
    expect((await lunch(service, TOMORROW)).menus).toEqual([menu('new')]);
  });
});
