import { Client } from 'pg';
import { SourceUnavailableError } from 'rostack-core';
import { describePooler, inEachSession, type Pooler, startPooler } from 'test-support/pooler';
import { describePostgres, POSTGRES_URL, queryPostgres } from 'test-support/postgres';
import { seededNumbers } from 'test-support/seeded-random';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  attachTable,
  type HintBus,
  type ResourceDefinition,
  type Store,
  type StoreAlarm,
  startMover,
} from '../src/index.ts';
import { type App, postgresWays } from './support/app-connections.ts';
import { writeSome } from './support/app-writer.ts';
import { following, QUICK, recordsOf } from './support/attached.ts';
import { postgres } from './support/databases.ts';
import { readToHead } from './support/log-states.ts';
import { MoverChild } from './support/mover-child.ts';
import { appTable, backlogOf, observations } from './support/observations.ts';
import { put, stations } from './support/stations.ts';

const resources = [stations];

/** Polling cannot be what tells of a change. */
const NEVER_MS = 600_000;

/** A resource whose statements differ from those of others in the names of tables and columns alone. */
const sibling = (number: number): ResourceDefinition => ({
  name: `siblings${number}`,
  idPointer: '/id',
  schema: { type: 'object', properties: { id: { type: 'string' }, text: { type: 'string' } } },
  sortableFields: number % 2 === 0 ? ['/text'] : [],
});

/** Counts the hints about a resource. */
function watching(store: Store) {
  const moved = vi.fn<() => void>();
  store.source('stations').watch(moved);
  return moved;
}

describePostgres('PostgreSQL behind a pooler', () => {
  describePooler('pgbouncer that gives connections to transactions', () => {
    let pooler: Pooler;

    beforeAll(async () => {
      pooler = await startPooler('transaction');
    });

    afterAll(async () => {
      await pooler[Symbol.asyncDispose]();
    });

    test('transactions of applications hold their own rows and changes', async () => {
      for (const { create, connect } of postgresWays(pooler.url)) {
        await using database = create();
        await using store = await database.open({ resources });
        await using stack = new AsyncDisposableStack();
        const apps: App[] = [];
        for (let writer = 0; writer < 3; writer += 1) apps.push(stack.use(await connect(database)));
        await Promise.all(
          apps.map(async (app, writer) => {
            for (let round = 0; round < 10; round += 1) {
              const id = `s${writer}-${round % 4}`;
              await app.transaction(async (at) => {
                await at.write(id, round);
                await at.apply(store, [put({ id, height: round })]);
              });
            }
          }),
        );
        const log = await readToHead(store.source('stations'), 0);
        expect(log.map(({ position }) => position)).toEqual(log.map((_, index) => index + 1));
        expect(log).toHaveLength(30);
        expect(await apps[0]?.rows()).toHaveLength(12);
      }
    });

    test('the statement of one writer is never run as that of another', async () => {
      await using database = postgres(pooler.url);
      const definitions = Array.from({ length: 6 }, (_, number) => sibling(number));
      // Each opens with one resource, so that all send their statements in the same order.
      const stores: Store[] = [];
      for (const definition of definitions) stores.push(await database.open({ resources: [definition] }));
      try {
        await Promise.all(
          stores.map(async (store, number) => {
            for (let round = 0; round < 30; round += 1) {
              const record = (id: string) => ({ id, text: `of ${number}: ${round}` });
              await store.apply([
                { resource: `siblings${number}`, op: 'put', record: record('same') },
                { resource: `siblings${number}`, op: 'put', record: record(`r${round}`) },
              ]);
            }
          }),
        );
        for (const [number, store] of stores.entries()) {
          const records = await recordsOf(store, `siblings${number}`);
          const expected = Array.from({ length: 30 }, (_, round) => [
            `r${round}`,
            { id: `r${round}`, text: `of ${number}: ${round}` },
          ]);
          expect(new Map(records as [string, unknown][])).toEqual(
            new Map([
              ...(expected as [string, unknown][]),
              ['same', { id: 'same', text: `of ${number}: 29` }],
            ]),
          );
          const { position } = await store.source(`siblings${number}`).head();
          expect(position).toBe(60);
        }
      } finally {
        await Promise.all(stores.map((store) => store.close()));
      }
    });

    test('a session that knows the statements of another writer runs none of them in place of its own', async () => {
      await using database = postgres(pooler.url);
      const write = (store: Store, number: number, id: string) =>
        store.apply([{ resource: `siblings${number}`, op: 'put', record: { id } }]);
      // Hints would take connections too.
      const hints: HintBus = { publish: () => {}, subscribe: () => () => {} };
      await using first = await database.open({ resources: [sibling(1)], hints });
      await using second = await database.open({ resources: [sibling(3)], hints });
      const holder = new Client(pooler.url);
      await holder.connect();
      try {
        // The connection that was used last is given first: here the one in which the first store has prepared statements.
        await write(first, 1, 'a');
        await holder.query('begin');
        const { rows: prepared } = await holder.query(
          `select from pg_prepared_statements where statement like '%${database.schema}%'`,
        );
        expect(prepared.length).toBeGreaterThan(0);
        await write(second, 3, 'b');
        await holder.query('commit');
        await write(second, 3, 'c');
      } finally {
        await holder.end();
      }
      const idsOf = async (store: Store, number: number) =>
        (await recordsOf(store, `siblings${number}`)).map(([id]) => id);
      expect(await idsOf(first, 1)).toEqual(['a']);
      expect(await idsOf(second, 3)).toEqual(['b', 'c']);
    });

    test('a follower hears by the direct URL', async () => {
      await using database = postgres(pooler.url);
      const alarms: StoreAlarm[] = [];
      await using reader = await database.open({
        resources,
        directUrl: POSTGRES_URL,
        pollIntervalMs: NEVER_MS,
        onAlarm: (alarm) => alarms.push(alarm),
      });
      await using writer = await database.open({ resources });
      const moved = watching(reader);
      await vi.waitFor(() => {
        expect(moved).toHaveBeenCalled();
      });
      for (let height = 0; height < 5; height += 1) {
        moved.mockClear();
        await writer.apply([put({ id: 'a', height })]);
        await vi.waitFor(() => {
          expect(moved).toHaveBeenCalled();
        });
      }
      expect(alarms).toEqual([]);
    });

    test('a direct URL of another database is told, and polling goes on', async () => {
      await using database = postgres(pooler.url);
      const alarms: StoreAlarm[] = [];
      const elsewhere = new URL(POSTGRES_URL);
      elsewhere.pathname = '/postgres';
      await using reader = await database.open({
        resources,
        directUrl: elsewhere.href,
        pollIntervalMs: 50,
        onAlarm: (alarm) => alarms.push(alarm),
      });
      const moved = watching(reader);
      await vi.waitFor(() => {
        expect(alarms).toMatchObject([
          { code: 'watch_failed', message: expect.stringContaining('no notification came') },
        ]);
      });
      moved.mockClear();
      await vi.waitFor(() => {
        expect(moved).toHaveBeenCalled();
      });
    });

    test('without one it polls, says so once, and leaves nothing behind in the shared connections', async () => {
      await using database = postgres(pooler.url);
      const alarms: StoreAlarm[] = [];
      await using reader = await database.open({
        resources,
        pollIntervalMs: 50,
        onAlarm: (alarm) => alarms.push(alarm),
      });
      await using writer = await database.open({ resources });
      const heads: number[] = [];
      const looks: Promise<unknown>[] = [];
      const source = reader.source('stations');
      const stopWatching = source.watch(() => {
        looks.push(source.head().then(({ position }) => heads.push(position)));
      });
      for (let height = 1; height <= 3; height += 1) {
        await writer.apply([put({ id: 'a', height })]);
        await vi.waitFor(() => {
          expect(heads.at(-1)).toBe(height);
        });
      }
      expect(alarms).toMatchObject([
        { code: 'watch_failed', message: expect.stringContaining('pass a direct URL') },
      ]);
      const left = await inEachSession(
        pooler,
        `select (select count(*)::int from pg_listening_channels()) as channels,
          (select count(*)::int from pg_settings where source = 'session' and name like '%timeout') as settings,
          (select count(*)::int from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()) as locks`,
      );
      expect(left).toEqual(Array.from({ length: 3 }, () => ({ channels: 0, settings: 0, locks: 0 })));
      stopWatching();
      await Promise.all(looks);
    });

    test('a look at the head and a read of a record are cancelled in time, on the server too', async () => {
      await using database = postgres(pooler.url);
      await using store = await database.open({ resources, readTimeoutMs: 2_000 });
      await store.apply([put({ id: 'a', height: 1 })]);
      const other = new Client(POSTGRES_URL);
      await other.connect();
      await other.query(`begin; lock table ${database.schema}.head, ${database.schema}.record_1`);
      const source = store.source('stations');
      const failureOf = (reading: Promise<unknown>) => reading.catch((error: unknown) => error);
      for (const failure of await Promise.all([failureOf(source.head()), failureOf(source.get('a'))])) {
        expect(failure).toBeInstanceOf(SourceUnavailableError);
        expect(failure).toMatchObject({ cause: { code: '57014' } });
      }
      await vi.waitFor(async () => {
        const waiting = await queryPostgres(
          `select from pg_stat_activity where query like '%${database.schema}%' and wait_event_type = 'Lock'`,
        );
        expect(waiting).toHaveLength(0);
      });
      await other.end();
      expect(await source.head()).toMatchObject({ position: 1 });
    });

    test('what is moved does not depend on what sessions begin with', async () => {
      await using rounding = await startPooler('transaction', 'set extra_float_digits = -5');
      await using database = postgres(rounding.url);
      await using app = await appTable(database);
      const source = { table: `${app.schema}.spans`, key: 'id' };
      await app.query(`create table ${source.table} (id text primary key, span interval, points float8[])`);
      const spans = { name: 'spans', idPointer: '/id', schema: { type: 'object' } };
      await using store = await database.open({ resources: [spans] });
      const insert = (id: string) =>
        app.query(`insert into ${source.table} values ('${id}', '1 day 2 seconds', array[1 / 7.0::float8])`);
      const record = (id: string) => [id, { id, span: 'P1DT2S', points: [1 / 7] }];
      await insert('copied');
      await attachTable(store, 'spans', source);
      await using mover = startMover(store, { spans: source }, QUICK);
      await following(mover);
      expect(await recordsOf(store, 'spans')).toEqual([record('copied')]);
      await insert('moved');
      await vi.waitFor(async () => {
        expect(await recordsOf(store, 'spans')).toEqual([record('copied'), record('moved')]);
      });
    });

    test('of two movers one leads; when it hangs or is killed, the other one goes on, and nothing is lost or doubled', async () => {
      await using database = postgres(pooler.url);
      await using app = await appTable(database);
      await using store = await database.open({ resources: [observations] });
      await app.query(
        `insert into ${app.table} (id, station, height) select i, 'far', i / 7.0::float8 from generate_series(10000, 12000) i`,
      );
      await attachTable(store, 'observations', app.source);
      const random = seededNumbers();
      await using first = new MoverChild(database, app);
      const before = writeSome(app, random, 50);
      await first.leading();
      await using second = new MoverChild(database, app);
      await second.said('standby');
      first.signal('SIGSTOP');
      await Promise.all([before, writeSome(app, random, 50)]);
      await second.leading();
      const after = writeSome(app, random, 50);
      first.signal('SIGCONT');
      await after;
      await second.kill();
      const last = writeSome(app, random, 50);
      await first.leading();
      await last;
      await vi.waitFor(async () => {
        expect(await backlogOf(database, app)).toEqual({ rows: 0, phase: 'live' });
      });
      expect(await recordsOf(store)).toEqual(await app.expected());
      const log = await readToHead(store.source('observations'), 0, 1_000);
      expect(log.map(({ position }) => position)).toEqual(log.map((_, index) => index + 1));
    });
  });

  describePooler('pgbouncer that gives connections to sessions', () => {
    test('a store works, and others are heard of', async () => {
      await using pooler = await startPooler('session');
      await using database = postgres(pooler.url);
      await using writer = await database.open({ resources, maxConnections: 2 });
      await using reader = await database.open({ resources, maxConnections: 2, pollIntervalMs: 50 });
      const moved = watching(reader);
      for (let height = 0; height < 5; height += 1) {
        await writer.apply([put({ id: 'a', height })]);
        await vi.waitFor(async () => {
          expect(moved).toHaveBeenCalled();
          expect(await reader.source('stations').head()).toMatchObject({ position: height + 1 });
        });
      }
    });
  });
});
