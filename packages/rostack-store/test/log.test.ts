import { PositionExpiredError, parseFilter } from 'rostack-core';
import { describePostgres, queryPostgres } from 'test-support/postgres';
import { expect, test, vi } from 'vitest';
import type { StoreAlarm } from '../src/index.ts';
import { describeBoth, postgres, sqliteFile } from './support/databases.ts';
import { notes, put, remove, stations } from './support/stations.ts';

const resources = [stations, notes];

describeBoth('the log', (create) => {
  test('tells each change with the states around it, in the order of the commits', async () => {
    await using database = create();
    let nowMs = 1_000;
    await using store = await database.open({ resources, nowMs: () => nowMs });
    await store.apply([put({ id: 'a', height: 1 }), put({ id: 'b', height: 1 })]);
    nowMs = 2_000;
    // Several versions of one record in one transaction, one of which is never the current one.
    await store.apply([
      put({ id: 'a', height: 2 }),
      put({ id: 'a', height: 3 }),
      remove('a'),
      put({ id: 'a', height: 4 }),
    ]);
    await store.apply([remove('b')]);
    const changes = await store.source('stations').read(0, 100);
    const heightOf = (body: string | undefined) =>
      body === undefined ? undefined : (JSON.parse(body) as { height: number }).height;
    expect(
      changes.map((change) => [
        change.position,
        change.id,
        change.transition,
        heightOf(change.before),
        heightOf(change.after),
        change.occurredAtMs,
      ]),
    ).toEqual([
      [1, 'a', 'create', undefined, 1, 1_000],
      [2, 'b', 'create', undefined, 1, 1_000],
      [3, 'a', 'update', 1, 2, 2_000],
      [4, 'a', 'update', 2, 3, 2_000],
      [5, 'a', 'delete', 3, undefined, 2_000],
      [6, 'a', 'create', undefined, 4, 2_000],
      [7, 'b', 'delete', 1, undefined, 2_000],
    ]);
    expect(new Set(changes.map(({ eventId }) => eventId)).size).toBe(7);
    expect(await store.source('stations').read(2, 3)).toEqual(changes.slice(2, 5));
    expect(await store.source('stations').read(7, 3)).toEqual([]);
  });

  test('refuses to look for what is visible by a field that it does not know', async () => {
    await using database = create();
    await using store = await database.open({ resources });
    const unknown = parseFilter({ '/nothing': { eq: 1 } });
    await expect(store.source('stations').get('a', unknown)).rejects.toThrow('add it to filterableFields');
  });

  test('hints at the resources that moved, and at no others', async () => {
    await using database = create();
    await using store = await database.open({ resources, pollIntervalMs: 60_000 });
    const moved = { stations: vi.fn<() => void>(), notes: vi.fn<() => void>() };
    const stop = store.source('stations').watch(moved.stations);
    store.source('notes').watch(moved.notes);
    for (let height = 1; height <= 5; height += 1) await store.apply([put({ id: 'a', height })]);
    expect(moved.stations.mock.calls.length).toBeGreaterThanOrEqual(5);
    // Whoever begins to watch may get a first hint for nothing.
    expect(moved.notes.mock.calls.length).toBeLessThanOrEqual(1);
    stop();
    moved.stations.mockClear();
    await store.apply([put({ id: 'a', height: 6 })]);
    expect(moved.stations).not.toHaveBeenCalled();
  });

  test('hints at what another process writes', async () => {
    await using database = create();
    await using here = await database.open({ resources, pollIntervalMs: 20 });
    await using there = await database.open({ resources });
    const moved = vi.fn<() => void>();
    here.source('stations').watch(moved);
    await there.apply([put({ id: 'a', height: 1 })]);
    await vi.waitFor(() => {
      expect(moved).toHaveBeenCalled();
    });
  });
});

test('the log: SQLite hints once at what another process has written', async () => {
  await using database = sqliteFile();
  await using there = await database.open({ resources });
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    await using here = await database.open({ resources, pollIntervalMs: 20 });
    const moved = vi.fn<() => void>();
    here.source('stations').watch(moved);
    await there.apply([put({ id: 'a', height: 1 })]);
    vi.advanceTimersByTime(20);
    expect(moved).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(200);
    expect(moved).toHaveBeenCalledTimes(1);
  } finally {
    vi.useRealTimers();
  }
});

describePostgres('the log: PostgreSQL alone', () => {
  test('a hole is told to the operator and ends the reader', async () => {
    await using database = postgres();
    const alarms: StoreAlarm[] = [];
    await using store = await database.open({ resources, onAlarm: (alarm) => alarms.push(alarm) });
    await store.apply(['a', 'b', 'c', 'd'].map((id) => put({ id, height: 1 })));
    await queryPostgres(`delete from ${database.schema}.log_1 where position = 3`);
    const source = store.source('stations');
    expect(await source.read(0, 2)).toHaveLength(2);
    await expect(source.read(1, 10)).rejects.toBeInstanceOf(PositionExpiredError);
    expect(alarms).toMatchObject([{ code: 'log_hole', resource: 'stations' }]);
    await queryPostgres(`delete from ${database.schema}.log_1 where position = 4`);
    await expect(source.read(3, 10)).rejects.toBeInstanceOf(PositionExpiredError);
  });

  test('a hint by notification comes without waiting for the poll', async () => {
    await using database = postgres();
    await using here = await database.open({ resources, pollIntervalMs: 600_000 });
    await using there = await database.open({ resources });
    const moved = { stations: vi.fn<() => void>(), notes: vi.fn<() => void>() };
    here.source('stations').watch(moved.stations);
    here.source('notes').watch(moved.notes);
    await vi.waitFor(() => {
      expect(moved.notes).toHaveBeenCalled();
    });
    moved.stations.mockClear();
    moved.notes.mockClear();
    await there.apply([put({ id: 'a', height: 1 })]);
    await vi.waitFor(() => {
      expect(moved.stations).toHaveBeenCalled();
    });
    expect(moved.notes).not.toHaveBeenCalled();
  });
});
