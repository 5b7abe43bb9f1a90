import { Client } from 'pg';
import { describePostgres, POSTGRES_URL } from 'test-support/postgres';
import { seededNumbers } from 'test-support/seeded-random';
import { expect, test, vi } from 'vitest';
import { readAttachment } from '../src/attach/attachment/attachment.ts';
import { DeposedError } from '../src/attach/attachment/leader-lease.ts';
import type { AttachedResource } from '../src/attach/batch/attached-resource.ts';
import type { Batch } from '../src/attach/batch/batch.ts';
import { checkBatch } from '../src/attach/batch/check-batch.ts';
import { writeBatch } from '../src/attach/batch/write-batch.ts';
import { MOVE_LIMITS } from '../src/attach/postgres/read/noted-query.ts';
import { readInbox } from '../src/attach/postgres/read/read-inbox.ts';
import { readChunk } from '../src/attach/postgres/read/read-table.ts';
import { attachTable, startMover } from '../src/index.ts';
import { writeSome } from './support/app-writer.ts';
import { attached, equal, following, QUICK, recordsOf } from './support/attached.ts';
import { postgres, type TestDatabase } from './support/databases.ts';
import { readToHead } from './support/log-states.ts';
import { MoverChild } from './support/mover-child.ts';
import { type AppTable, appTable, backlogOf, observations } from './support/observations.ts';
import { recordsOfPage } from './support/page-records.ts';
import { takenOver } from './support/taken-over.ts';

async function leaseOf(database: TestDatabase, app: AppTable) {
  const [lease] = await app.query(`select term::int, extract(epoch from leads_until)::float8 * 1000 as until,
    leads_until <= clock_timestamp() as "isOver" from ${database.schema}.attachment`);
  return lease as { readonly term: number; readonly until: number; readonly isOver: boolean };
}

async function waitingBatch(leader: AttachedResource, maxBytes = MOVE_LIMITS.maxBytes): Promise<Batch> {
  const batch = await readInbox(leader, { ...MOVE_LIMITS, maxBytes });
  if (batch === undefined || 'change' in batch) throw new Error('nothing waits, or the table was changed');
  return batch;
}

describePostgres('leaders of an attached table', () => {
  test('one process leads; when it is killed or closed, another one goes on within seconds', async () => {
    await using database = postgres();
    await using app = await appTable(database);
    await using store = await database.open({ resources: [observations] });
    await attachTable(store, 'observations', app.source);
    await using first = new MoverChild(database, app);
    await first.leading();
    await using second = new MoverChild(database, app);
    await app.query(`insert into ${app.table} (id, station) values (1, 'one')`);
    await equal({ app, store });
    await second.said('standby');
    expect(second.leads).toBe(false);
    await first.kill();
    // What is left of its lease, for which the second one waits: seconds.
    const left = await app.query(
      `select leads_until - clock_timestamp() <= interval '2 s' as "isShort" from ${database.schema}.attachment`,
    );
    expect(left).toEqual([{ isShort: true }]);
    await second.leading();
    await app.query(`insert into ${app.table} (id, station) values (2, 'two')`);
    await equal({ app, store });
    await using third = startMover(store, { observations: app.source }, QUICK);
    expect(third.status).toMatchObject([{ state: 'standby' }]);
    await second.kill();
    await following(third);
  });

  test('a leader that hangs is replaced, hinders no writer, and writes nothing when it wakes up', {
    timeout: 90_000,
  }, async () => {
    await using database = postgres();
    await using app = await appTable(database);
    await using store = await database.open({ resources: [observations] });
    await app.query(
      `insert into ${app.table} (id, station) select i, 'far' from generate_series(10000, 40000) i`,
    );
    await attachTable(store, 'observations', app.source);
    const random = seededNumbers();
    await using first = new MoverChild(database, app);
    const before = writeSome(app, random, 200);
    await first.leading();
    first.signal('SIGSTOP');
    // Whatever it was doing: an application waits for none of its locks, as it would now for ever.
    await app.query(`truncate ${app.schema}.observations`);
    await Promise.all([before, writeSome(app, random, 50)]);
    await using second = new MoverChild(database, app);
    await second.leading();
    const after = writeSome(app, random, 100);
    first.signal('SIGCONT');
    await after;
    await vi.waitFor(async () => {
      expect(await backlogOf(database, app)).toEqual({ rows: 0, phase: 'live' });
    });
    expect(await recordsOf(store)).toEqual(await app.expected());
    const log = await readToHead(store.source('observations'), 0, 1_000);
    expect(log.map(({ position }) => position)).toEqual(log.map((_, index) => index + 1));
  });

  test('what a leader read before another took over, it cannot write any more', async () => {
    await using database = postgres();
    await using app = await appTable(database);
    await using store = await database.open({ resources: [observations] });
    await app.query(`insert into ${app.table} (id, station) values (1, 'old')`);
    await attachTable(store, 'observations', app.source);
    const { leader: old, internals } = await takenOver(store);
    const chunk = await readChunk(old, 10);
    if (chunk === undefined) throw new Error('the table was changed');
    await app.query(`update ${app.table} set station = 'new'`);
    const moved = await waitingBatch(old);
    const { leader: next } = await takenOver(store);
    const batch = await waitingBatch(next);
    expect(batch.movedRows).toBe(1);
    const checked = await checkBatch(next, batch);
    await internals.write(() => writeBatch(next, checked));
    for (const late of [chunk, moved]) {
      const checkedLate = await checkBatch(old, late);
      await expect(internals.write(() => writeBatch(old, checkedLate))).rejects.toBeInstanceOf(DeposedError);
    }
    expect(await recordsOf(store)).toEqual(await app.expected());
    const kept = await internals.transaction(() => readAttachment(next.attachment.schema, 'observations'));
    expect(kept).toMatchObject({ term: next.attachment.term, phase: 'load', place: null });
  });

  test('a batch is as large as it is in memory, however small rows are stored', async () => {
    await using database = postgres();
    await using app = await appTable(database);
    await using store = await database.open({ resources: [observations] });
    await attachTable(store, 'observations', app.source);
    const { leader, internals } = await takenOver(store);
    for (const first of [1, 201, 401]) {
      await app.query(
        `insert into ${app.table} (id, station) select i, repeat('long ', 19) from generate_series(${first}, ${first + 199}) i`,
      );
    }
    const moved: number[] = [];
    while ((await backlogOf(database, app)).rows > 0) {
      const batch = await waitingBatch(leader, 40_000);
      moved.push(batch.movedRows);
      const checked = await checkBatch(leader, batch);
      await internals.write(() => writeBatch(leader, checked));
    }
    // Of a note that does not fit, the first rows.
    expect(moved.reduce((sum, rows) => sum + rows, 0)).toBe(600);
    expect(moved.filter((rows) => rows > 300)).toEqual([]);
    expect(await readInbox(leader)).toBeUndefined();
    expect(await recordsOf(store)).toEqual(await app.expected());
  });

  test('a leader whose connections the server ends goes on', async () => {
    await using found = await attached();
    const { app, database } = found;
    for (let id = 1; id <= 5; id += 1) {
      const ended = await app.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = '${database.schema}'`,
      );
      expect(ended.length).toBeGreaterThan(0);
      await app.query(`insert into ${app.table} (id, station) values (${id}, 'one')`);
      await equal(found);
    }
    await following(found.mover);
  });

  test('a leader that has nothing to do keeps its lease; one that is closed is followed at once', async () => {
    await using database = postgres();
    await using app = await appTable(database);
    await using store = await database.open({ resources: [observations] });
    await attachTable(store, 'observations', app.source);
    // So long that a process that is held up for a moment renews it in time.
    const leaseMs = 3_000;
    const mover = () => startMover(store, { observations: app.source }, { ...QUICK, leaseMs });
    await using first = mover();
    await following(first);
    await using second = mover();
    const { until: begun } = await leaseOf(database, app);
    await vi.waitFor(
      async () => {
        expect(second.status).toMatchObject([{ state: 'standby' }]);
        expect((await leaseOf(database, app)).until).toBeGreaterThan(begun + leaseMs);
      },
      { interval: 20 },
    );
    expect(await leaseOf(database, app)).toMatchObject({ term: 2 });
    await first.close();
    // Given back, and perhaps taken already.
    const { isOver, term } = await leaseOf(database, app);
    expect(isOver || term === 3).toBe(true);
    await following(second);
    expect(await leaseOf(database, app)).toMatchObject({ term: 3 });
  });

  test('a leader that another one has replaced notices, and leads again when the lease of that one is over', async () => {
    await using found = await attached(undefined, {}, () => Promise.resolve(), { ...QUICK, leaseMs: 400 });
    const { app, database, store, mover } = found;
    const { leader } = await takenOver(store, 30_000);
    await vi.waitFor(() => {
      expect(mover.status).toMatchObject([{ state: 'standby' }]);
    });
    expect(await leaseOf(database, app)).toMatchObject({ term: leader.attachment.term, isOver: false });
    // No lease is so long: the server's clock was put back.
    await app.query(`update ${database.schema}.attachment set leads_until = now() + interval '1 day'`);
    await following(mover);
    await app.query(`insert into ${app.table} (id, station) values (1, 'one')`);
    await equal(found);
  });

  test('the locks of a moving transaction hinder no writer', async () => {
    await using database = postgres();
    await using app = await appTable(database);
    await using store = await database.open({ resources: [observations], writeTimeoutMs: 600_000 });
    await attachTable(store, 'observations', app.source);
    const { leader, internals } = await takenOver(store);
    await app.query(`insert into ${app.table} (id, station) values (1, 'one'), (2, 'two')`);
    const batch = await waitingBatch(leader);
    expect(batch.movedRows).toBe(2);
    const gate = `'${database.schema}.attachment'::regclass::int`;
    await app.query(`select pg_advisory_lock(${gate})`);
    const checked = await checkBatch(leader, batch);
    const moving = internals.write(function* () {
      yield* writeBatch(leader, checked);
      yield { kind: 'once', sql: `select pg_advisory_xact_lock(${gate})`, parameters: [] };
    });
    await vi.waitFor(async () => {
      const holding = `select from pg_locks where locktype = 'advisory' and objid::int = ${gate} and not granted`;
      expect(await app.query(holding)).toHaveLength(1);
    });
    // It holds all its locks until the gate opens: a writer that waits for one of them waits for ever.
    await app.query(`update ${app.table} set station = 'new' where id = 1`);
    await app.query(`delete from ${app.table} where id = 2`);
    await app.query(`truncate ${app.table}`);
    await app.query(`insert into ${app.table} (id, station) values (1, 'last')`);
    expect(await recordsOf(store)).toEqual([]);
    await app.query(`select pg_advisory_unlock(${gate})`);
    await moving;
    await using mover = startMover(store, { observations: app.source }, QUICK);
    await following(mover);
    await equal({ app, store });
  });

  test('attach lets writers go on while a long transaction keeps the table, and gives up in time', async () => {
    await using database = postgres();
    await using app = await appTable(database);
    await using store = await database.open({ resources: [observations] });
    const [long, writer] = [new Client(POSTGRES_URL), new Client(POSTGRES_URL)];
    await Promise.all([long.connect(), writer.connect()]);
    try {
      await long.query(`begin; insert into ${app.table} (id, station) values (1, 'long')`);
      await expect(
        attachTable(store, 'observations', app.source, { lockTimeoutMs: 0 }),
      ).rejects.toMatchObject({ code: 'store_unavailable', retryable: true });
      let isOver = false;
      const attaching = attachTable(store, 'observations', app.source, { lockTimeoutMs: 600_000 }).finally(
        () => {
          isOver = true;
        },
      );
      for (const id of [2, 3]) {
        await vi.waitFor(
          async () => {
            const waiting = `select from pg_stat_activity where application_name = '${database.schema}' and wait_event_type = 'Lock'`;
            expect(await app.query(waiting)).toHaveLength(1);
          },
          { interval: 20 },
        );
        // Behind the one that waits, which steps aside.
        await writer.query(`insert into ${app.table} (id, station) values (${id}, 'short')`);
        expect(isOver).toBe(false);
      }
      await long.query('commit');
      await attaching;
    } finally {
      await Promise.all([long.end(), writer.end()]);
    }
    await using mover = startMover(store, { observations: app.source }, QUICK);
    await following(mover);
    await equal({ app, store });
  });

  test('rows that one transaction changes are never seen apart', async () => {
    await using found = await attached(undefined, {}, (app) =>
      app.query(
        `insert into ${app.table} (id, station, height) select i, 'one', 0 from generate_series(1, 20) i`,
      ),
    );
    const { app, store } = found;
    const source = store.source('observations');
    const stop = new AbortController();
    const random = seededNumbers();
    const transferring = Array.from({ length: 6 }, async () => {
      const client = new Client(POSTGRES_URL);
      await client.connect();
      while (!stop.signal.aborted) {
        const [from, to] = [1 + Math.floor(random() * 10), 11 + Math.floor(random() * 10)];
        await client.query(`begin; update ${app.table} set height = height - 1 where id = ${from};
          update ${app.table} set height = height + 1 where id = ${to}; commit`);
      }
      await client.end();
    });
    const sums = new Map<number, number>();
    while (sums.size < 30) {
      const page = await source.page({ sort: [], limit: 20 });
      const heights = recordsOfPage(page).map(({ body }) => (JSON.parse(body) as { height: number }).height);
      sums.set(
        page.head.position,
        heights.reduce((sum, height) => sum + height, 0),
      );
    }
    stop.abort();
    await Promise.all(transferring);
    expect([...sums].filter(([, sum]) => sum !== 0)).toEqual([]);
  });
});
