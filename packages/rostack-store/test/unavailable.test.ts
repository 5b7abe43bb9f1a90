import { writeFile } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Client } from 'pg';
import { parseFilter, SourceUnavailableError } from 'rostack-core';
import { FaultProxy } from 'test-support/fault-proxy';
import { describePostgres, POSTGRES_URL } from 'test-support/postgres';
import { describe, expect, test, vi } from 'vitest';
import { openStore, type StoreAlarm, StoreUnavailableError } from '../src/index.ts';
import { describeBoth, postgres, sqliteFile } from './support/databases.ts';
import { executeRaw } from './support/execute-raw.ts';
import { recordsOfPage } from './support/page-records.ts';
import { put, stations } from './support/stations.ts';

const resources = [stations];

const RATE = {
  scope: 'principal',
  key: 'me',
  budget: { points: 9, windowMs: 600_000 },
  points: 1,
  spent: 0,
};

describeBoth('a page that costs too much', (create) => {
  test('ends in SourceUnavailableError and leaves the store as it was', async () => {
    await using database = create();
    await using writer = await database.open({ resources, synchronous: 'normal' });
    for (let from = 0; from < 40_000; from += 2_000) {
      await writer.apply(
        Array.from({ length: 2_000 }, (_, index) =>
          put({ id: `s${from + index}`, height: from + index, tags: ['a', 'b'] }),
        ),
      );
    }
    await using store = await database.open({ resources, readTimeoutMs: 5 });
    const source = store.source('stations');
    const filter = parseFilter({ '/tags': { contains: 'nowhere' } });
    await expect(source.page({ at: 40_000, sort: [], limit: 10, filter })).rejects.toBeInstanceOf(
      SourceUnavailableError,
    );
    const page = await writer.source('stations').page({ at: 40_000, sort: [], limit: 10 });
    expect(recordsOfPage(page)).toHaveLength(10);
  });
});

describeBoth('a database that refuses a write', (create) => {
  test('is told by what it says, nothing of the batch stands, and the store goes on when it is mended', async () => {
    await using database = create();
    await using store = await database.open({ resources });
    await store.apply([put({ id: 'a', height: 1 })]);
    await executeRaw(database, 'alter table log_1 rename column occurred_at_ms to occurred');
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await expect(store.apply([put({ id: 'a', height: 2 }), put({ id: 'b', height: 2 })])).rejects.toThrow(
        'occurred_at_ms',
      );
    }
    await executeRaw(database, 'alter table log_1 rename column occurred to occurred_at_ms');
    expect(await store.apply([put({ id: 'a', height: 3 })])).toMatchObject([{ position: 2 }]);
    expect(await store.source('stations').read(0, 10)).toHaveLength(2);
    expect(await executeRaw(database, 'select id from record_1')).toEqual([{ id: 'a' }]);
    expect(await executeRaw(database, 'select id from past_1')).toEqual([{ id: 'a' }]);
  });
});

describe('SQLite', () => {
  test('a long page lets others run between its pieces', async () => {
    await using database = sqliteFile();
    await using store = await database.open({ resources, synchronous: 'normal' });
    await store.apply(
      Array.from({ length: 30_000 }, (_, index) => put({ id: `s${index}`, height: index, tags: ['a'] })),
    );
    // Work for many pieces on any machine: 100 conditions on each of 30,000 records.
    const conditions = Array.from({ length: 100 }, (_, index) => ({
      '/tags': { contains: `nowhere ${index}` },
    }));
    const filter = parseFilter({ $or: conditions });
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 1);
    const page = await store.source('stations').page({ at: 30_000, sort: [], limit: 10, filter });
    clearInterval(timer);
    expect([recordsOfPage(page), page.next]).toEqual([[], undefined]);
    expect(turns).toBeGreaterThan(1);
  });

  test('waits for another process that writes, without blocking this one, and then gives up', async () => {
    await using database = sqliteFile();
    await using store = await database.open({ resources, writeTimeoutMs: 200 });
    const { default: Sqlite } = await import('better-sqlite3');
    const other = new Sqlite(database.file);
    other.exec('begin immediate');
    await expect(store.apply([put({ id: 'a', height: 1 })])).rejects.toMatchObject({
      code: 'store_unavailable',
      retryable: true,
    });
    const waiting = store.apply([put({ id: 'b', height: 1 })]);
    expect(await store.source('stations').get('a')).toBeUndefined();
    // In the first turn the batch is tried for the first time.
    await nextTurn();
    await nextTurn();
    other.exec('commit');
    other.close();
    expect(await waiting).toMatchObject([{ id: 'b', position: 1 }]);
  });

  test('a file that is no database is told as such', async () => {
    await using database = sqliteFile();
    await writeFile(
      database.file,
      'this is not a database, though it is long enough to be looked at as one'.repeat(20),
    );
    const failure = await database.open({ resources }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StoreUnavailableError);
    expect(failure).toMatchObject({ message: expect.stringContaining('not a database') });
  });
});

describePostgres('a process that stands still in the middle of a write', () => {
  test('keeps its locks for some seconds only, and is told that nothing of it stands', async () => {
    await using database = postgres();
    await using store = await database.open({ resources });
    await store.updateNote('n', () => 'first');
    const standing = store.updateNote('n', () => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 6_000);
      return 'late';
    });
    await expect(standing).rejects.toMatchObject({ code: 'store_unavailable', retryable: true });
    await store.updateNote('n', (present) => `${present}, second`);
    let found: string | undefined;
    await store.updateNote('n', (present) => (found = present ?? ''));
    expect(found).toBe('first, second');
  });
});

describePostgres('PostgreSQL that goes away', () => {
  test('is told as unavailable, and serves again when it is back', async () => {
    await using database = postgres();
    const { proxy: started, url } = await startDatabaseProxy();
    await using proxy = started;
    const alarms: StoreAlarm[] = [];
    await using store = await openStore({
      url,
      resources,
      schema: database.schema,
      readTimeoutMs: 60_000,
      writeTimeoutMs: 60_000,
      pollIntervalMs: 60_000,
      onAlarm: (alarm) => alarms.push(alarm),
    });
    const source = store.source('stations');
    const moved = vi.fn<() => void>();
    source.watch(moved);
    await store.apply([put({ id: 'a', height: 1 })]);
    // The listener is there: what another process writes is heard.
    await using other = await database.open({ resources });
    const heard = () =>
      vi.waitFor(async () => {
        moved.mockClear();
        await other.apply([put({ id: 'c', height: performance.now() })]);
        // Where the hint was lost, another one is sent.
        await vi.waitFor(() => expect(moved).toHaveBeenCalled(), { timeout: 200 });
      });
    await heard();
    const { position: before } = await source.head();
    proxy.refuse(true);
    proxy.cut();
    await expect(source.page({ at: 1, sort: [], limit: 1 })).rejects.toBeInstanceOf(SourceUnavailableError);
    await expect(store.apply([put({ id: 'b', height: 1 })])).rejects.toBeInstanceOf(StoreUnavailableError);
    await expect(store.rates.lease([RATE])).rejects.toBeInstanceOf(StoreUnavailableError);
    await vi.waitFor(() => {
      expect(alarms.map(({ code }) => code)).toContain('watch_failed');
    });
    expect(JSON.stringify(alarms)).not.toContain('secret');
    proxy.refuse(false);
    await vi.waitFor(async () => {
      expect(recordsOfPage(await source.page({ at: 1, sort: [], limit: 1 }))).toHaveLength(1);
    });
    await store.apply([put({ id: 'b', height: 1 })]);
    expect((await source.head()).position).toBe(before + 1);
    expect(await store.rates.lease([RATE])).toMatchObject([{ points: 1 }]);
    // The listener is back too.
    await heard();
  });

  test('whose answers do not come is told as unavailable in time, and its connections are not used again', async () => {
    await using database = postgres();
    const { proxy: started, url } = await startDatabaseProxy();
    await using proxy = started;
    const schema = database.schema;
    await using store = await openStore({ url, resources, schema, readTimeoutMs: 2_000 });
    const source = store.source('stations');
    await store.apply([put({ id: 'a', height: 1 })]);
    // From here on there is a connection that nothing uses.
    await source.get('a');
    // What the server sends on the connections that there are is held back.
    for (const link of proxy.links) link.stall('to client');
    const startedMs = performance.now();
    await expect(source.head()).rejects.toBeInstanceOf(SourceUnavailableError);
    expect(performance.now() - startedMs).toBeGreaterThan(2_000);
    await vi.waitFor(async () => expect(await source.head()).toMatchObject({ position: 1 }));
  });

  test('a write that waits too long for a lock is given up, and nothing of it stands', async () => {
    await using database = postgres();
    // Long enough for all else on a busy machine, and the tables are there already.
    await using _first = await database.open({ resources });
    await using store = await database.open({ resources, writeTimeoutMs: 2_000 });
    const other = new Client(POSTGRES_URL);
    await other.connect();
    await other.query(`begin; select * from ${database.schema}.head for update`);
    await expect(store.apply([put({ id: 'a', height: 1 })])).rejects.toBeInstanceOf(StoreUnavailableError);
    await other.end();
    expect(await store.apply([put({ id: 'b', height: 1 })])).toMatchObject([{ position: 1 }]);
    expect(await executeRaw(database, 'select id from record_1')).toEqual([{ id: 'b' }]);
  });

  test('is told when it was never there', async () => {
    const failure = await openStore({ url: 'postgres://root:secret@127.0.0.1:1/test', resources }).catch(
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(StoreUnavailableError);
    expect(String(failure)).not.toContain('secret');
  });
});

/** A way to the database that can be cut; its URL has a password that nothing may print. */
async function startDatabaseProxy(): Promise<{ readonly proxy: FaultProxy; readonly url: string }> {
  const url = new URL(POSTGRES_URL);
  const proxy = await FaultProxy.start({ host: url.hostname, port: Number(url.port || 5432) });
  url.host = `127.0.0.1:${proxy.port}`;
  url.password = 'secret';
  return { proxy, url: url.href };
}
