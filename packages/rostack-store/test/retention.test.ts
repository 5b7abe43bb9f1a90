import { type Change, type Position, PositionExpiredError, type RecordSource } from 'rostack-core';
import { expect, test, vi } from 'vitest';
import type { StoreAlarm } from '../src/index.ts';
import { readChain } from './support/chain.ts';
import { describeBoth } from './support/databases.ts';
import { executeRaw } from './support/execute-raw.ts';
import { type State, stateAfter } from './support/log-states.ts';
import { put, remove, stations } from './support/stations.ts';

const resources = [stations];

describeBoth('retention', (create) => {
  test('by age: drops what is older, and raises the floor to it', async () => {
    await using database = create();
    let nowMs = 0;
    await using store = await database.open({
      resources,
      nowMs: () => nowMs,
      retention: { maxAgeMs: 1_000, intervalMs: 0 },
    });
    const source = store.source('stations');
    await store.apply([put({ id: 'a', height: 1 }), put({ id: 'a', height: 2 })]);
    nowMs = 600;
    await store.apply([put({ id: 'a', height: 3 }), put({ id: 'b', height: 3 })]);
    nowMs = 1_000;
    expect(await store.prune()).toBe(0);
    nowMs = 1_001;
    expect(await store.prune()).toBe(2);
    expect(await source.head()).toMatchObject({ position: 4, floor: 2 });
    expect((await source.read(2, 10)).map(({ position, before }) => [position, before])).toEqual([
      [3, '{"id":"a","height":2}'],
      [4, undefined],
    ]);
    expect((await readChain(source, { at: 2, sort: [], limit: 10 })).map(({ body }) => body)).toEqual([
      '{"id":"a","height":2}',
    ]);
    await expect(source.read(1, 10)).rejects.toBeInstanceOf(PositionExpiredError);
    await expect(source.page({ at: 1, sort: [], limit: 10 })).rejects.toBeInstanceOf(PositionExpiredError);
    expect(await store.prune()).toBe(0);
  });

  test('leaves no row that nobody can ask for: versions and changes end where the floor is', async () => {
    await using database = create();
    await using store = await database.open({ resources, retention: { maxChanges: 3, intervalMs: 0 } });
    const count = async (table: string) =>
      Number((await executeRaw(database, `select count(*) as rows from ${table}`))[0]?.['rows']);
    // In steps, each of which raises the floor: what one of them leaves, no later one takes.
    for (const height of [1, 2, 3, 4, 5]) {
      await store.apply([put({ id: 'a', height }), put({ id: 'b', height })]);
      await store.prune();
    }
    const { position, floor } = await store.source('stations').head();
    expect([position, floor]).toEqual([10, 7]);
    // The change at the floor stays, for those who come back from there; the version that it ended does not.
    expect([await count('log_1'), await count('past_1')]).toEqual([4, 3]);
  });

  test('by number of changes, and by bytes of past versions', async () => {
    await using database = create();
    const changes = Array.from({ length: 40 }, (_, index) => put({ id: 'a', height: index + 10 }));
    await using few = await database.open({ resources, retention: { maxChanges: 15, intervalMs: 0 } });
    await few.apply(changes);
    expect(await few.prune()).toBe(25);
    expect(await few.source('stations').head()).toMatchObject({ position: 40, floor: 25 });
    expect(await few.prune()).toBe(0);
    // {"id":"a","height":10} takes 22 bytes.
    await using small = await database.open({ resources, retention: { maxBytes: 22 * 6, intervalMs: 0 } });
    await small.prune();
    expect(await small.source('stations').head()).toMatchObject({ position: 40, floor: 34 });
    expect(await small.source('stations').get('a')).toMatchObject({ position: 40 });
    expect(await small.source('stations').read(34, 10)).toHaveLength(6);
  });

  test('drops all that is beyond a limit at once, however much it is', async () => {
    await using database = create();
    await using store = await database.open({ resources, retention: { maxChanges: 1, intervalMs: 0 } });
    await store.apply(Array.from({ length: 1_200 }, (_, height) => put({ id: 'a', height })));
    expect(await store.prune()).toBe(1_199);
    expect(await store.source('stations').head()).toMatchObject({ position: 1_200, floor: 1_199 });
  });

  test('goes by itself, and tells the operator when it fails', async () => {
    await using database = create();
    const alarms: StoreAlarm[] = [];
    let fails = false;
    await using store = await database.open({
      resources,
      nowMs: () => {
        if (fails) throw new Error('no clock');
        return 0;
      },
      onAlarm: (alarm) => alarms.push(alarm),
      retention: { maxChanges: 1, intervalMs: 10 },
    });
    await store.apply([put({ id: 'a', height: 1 }), put({ id: 'b', height: 1 }), remove('a')]);
    await vi.waitFor(async () => {
      expect(await store.source('stations').head()).toMatchObject({ floor: 2 });
    });
    fails = true;
    await vi.waitFor(() => {
      expect(alarms[0]).toMatchObject({ code: 'prune_failed', message: expect.stringContaining('no clock') });
    });
  });

  test('a reader in flight gets the complete answer or the documented error, never a hole', async () => {
    await using database = create();
    await using store = await database.open({ resources, retention: { maxChanges: 30, intervalMs: 0 } });
    const source = store.source('stations');
    const write = async (round: number) => {
      const changes = Array.from({ length: 10 }, (_, index) =>
        (round + index) % 7 === 0 ? remove(`s${index}`) : put({ id: `s${index}`, height: round }),
      );
      await store.apply(changes);
    };
    await write(1);
    const writersDone = new AbortController();
    const outcomes = { expired: 0, complete: 0 };
    const writing = (async () => {
      for (let round = 2; round < 60; round += 1) {
        await write(round);
        await store.prune();
      }
      writersDone.abort();
    })();
    const states = new Map<Position, State>([[0, new Map()]]);
    const followed: Change[] = [];
    const following = (async () => {
      let after = 0;
      while (!writersDone.signal.aborted || after < (await source.head()).position) {
        const changes = await source.read(after, 7).catch(ignoreExpired);
        if (changes === undefined) {
          after = await takeSnapshot(source, states);
          outcomes.expired += 1;
          continue;
        }
        followed.push(...changes);
        for (const change of changes) {
          expect(change.position).toBe(after + 1);
          states.set(change.position, stateAfter(states.get(after), change));
          after = change.position;
        }
        outcomes.complete += changes.length;
      }
    })();
    const pages = new Map<Position, string[][]>();
    const paging = (async () => {
      while (!writersDone.signal.aborted) {
        const { position: at } = await source.head();
        const records = await readChain(source, { at, sort: [], limit: 3 }).catch(ignoreExpired);
        if (records === undefined) outcomes.expired += 1;
        else
          pages.set(
            at,
            records.map(({ id, body }) => [id, body]),
          );
      }
    })();
    await Promise.all([writing, following, paging]);
    expect(outcomes.complete).toBeGreaterThan(0);
    const known = [...pages].filter(([at]) => states.has(at));
    for (const [at, records] of known) {
      expect([at, records]).toEqual([at, [...(states.get(at) ?? [])].sort(([a], [b]) => (a < b ? -1 : 1))]);
    }
  });
});

function ignoreExpired(error: unknown): undefined {
  if (error instanceof PositionExpiredError) return undefined;
  throw error;
}

async function takeSnapshot(source: RecordSource, states: Map<Position, State>): Promise<Position> {
  for (;;) {
    const { position: at } = await source.head();
    const records = await readChain(source, { at, sort: [], limit: 5 }).catch(ignoreExpired);
    if (records === undefined) continue;
    states.set(at, new Map(records.map(({ id, body }) => [id, body])));
    return at;
  }
}
