import Sqlite from 'better-sqlite3';
import { Client, Pool } from 'pg';
import { describePostgres, POSTGRES_URL, queryPostgres } from 'test-support/postgres';
import { describe, expect, test, vi } from 'vitest';
import {
  type HintBus,
  openStore,
  type Store,
  StoreClosedError,
  TransactionRefusedError,
  VersionConflictError,
} from '../src/index.ts';
import { postgresWays, SQLITE_WAYS, type Way } from './support/app-connections.ts';
import { postgres, sqliteFile, sqliteMemory } from './support/databases.ts';
import { readToHead } from './support/log-states.ts';
import { notes, put, remove, stations } from './support/stations.ts';

const resources = [stations, notes];
const NEVER_MS = 600_000;

async function idsOf(store: Store): Promise<readonly string[]> {
  return (await readToHead(store.source('stations'), 0)).map(({ id }) => id);
}

function suite({ create, connect }: Way): void {
  test('what the application wrote and its changes are one commit, or none', async () => {
    await using database = create();
    await using store = await database.open({ resources });
    await using app = await connect(database);
    await store.apply([put({ id: 'before', height: 0 })]);
    const results = await app.transaction(async (at) => {
      await at.write('a', 1);
      const applied = await at.apply(store, [
        put({ id: 'a', height: 1 }),
        put({ id: 'b', height: 2, name: '한', tags: ['x'] }),
        { resource: 'notes', op: 'put', record: { id: 'n' } },
        remove('before'),
      ]);
      expect(await idsOf(store)).toEqual(['before']);
      return applied;
    });
    expect(results).toMatchObject([
      { id: 'a', position: 2, transition: 'create' },
      { id: 'b', position: 3 },
      { resource: 'notes', position: 1 },
      { id: 'before', position: 4, transition: 'delete' },
    ]);
    expect(await app.rows()).toEqual([['a', 1]]);
    expect(await idsOf(store)).toEqual(['before', 'a', 'b', 'before']);
    expect(await store.source('stations').get('a')).toMatchObject({ version: results[0]?.version });

    const undone = app.transaction(async (at) => {
      await at.write('c', 3);
      await at.apply(store, [put({ id: 'c', height: 3 })]);
      throw new Error('the application changes its mind');
    });
    await expect(undone).rejects.toThrow('changes its mind');
    expect(await app.rows()).toEqual([['a', 1]]);
    expect((await store.source('stations').head()).position).toBe(4);
    // The position comes again, with a tag of its own.
    const [again] = await store.apply([put({ id: 'd', height: 4 })]);
    expect(again).toMatchObject({ position: 5 });
    // A retry of what is so already takes no position.
    const [retried] = await app.transaction((at) => at.apply(store, [put({ height: 1, id: 'a' })]));
    expect(retried).toMatchObject({ changed: false, version: results[0]?.version });
  });

  test('several calls in a transaction see each other, also when they are not waited for', async () => {
    await using database = create();
    await using store = await database.open({ resources });
    await using app = await connect(database);
    await app.transaction(async (at) => {
      const [first] = await at.apply(store, [put({ id: 'a', height: 1 })]);
      const second = put({ id: 'a', height: 2 }, { expectedVersion: first?.version ?? null });
      await Promise.all([at.apply(store, [second]), at.apply(store, [put({ id: 'b', height: 1 })])]);
    });
    const log = await readToHead(store.source('stations'), 0);
    expect(log.map(({ position, id, transition }) => [position, id, transition])).toEqual([
      [1, 'a', 'create'],
      [2, 'a', 'update'],
      [3, 'b', 'create'],
    ]);
  });

  test('a call that fails leaves no trace, and the transaction goes on; a savepoint takes calls back', async () => {
    await using database = create();
    await using store = await database.open({ resources });
    await using app = await connect(database);
    await app.transaction(async (at) => {
      await at.write('a', 1);
      const conflicting = [
        put({ id: 'x', height: 1 }),
        put({ id: 'a', height: 1 }, { expectedVersion: '1' }),
      ];
      await expect(at.apply(store, conflicting)).rejects.toThrow(VersionConflictError);
      await expect(at.apply(store, [put({ id: 'x', height: -1_000 })])).rejects.toMatchObject({
        code: 'record_invalid',
      });
      await at.execute('savepoint mine');
      await at.apply(store, [put({ id: 'y', height: 1 })]);
      await at.execute('rollback to savepoint mine');
      await at.apply(store, [put({ id: 'a', height: 1 })]);
    });
    expect(await app.rows()).toEqual([['a', 1]]);
    expect(await idsOf(store)).toEqual(['a']);
  });

  test('a write that the database itself refuses in the middle is taken back as a whole', async () => {
    await using database = create();
    await using store = await database.open({ resources });
    await using app = await connect(database);
    const { schema } = database;
    const log = schema === 'main' ? 'log_1' : `${schema}.log_1`;
    // A row where none may be: the batch's record is written before its row of the log.
    await app.transaction((at) =>
      at.execute(`insert into ${log} values (1, 'ghost', null, 'create', '1', 0, 0)`),
    );
    const [failed] = await app.transaction(async (at) => {
      await at.write('a', 1);
      return Promise.allSettled([at.apply(store, [put({ id: 'a', height: 1 })])]);
    });
    expect(failed).toMatchObject({ status: 'rejected' });
    expect(await app.rows()).toEqual([['a', 1]]);
    expect(await store.source('stations').get('a')).toBeUndefined();
  });

  test('whoever watches hears of the commit, without polling', async () => {
    await using database = create();
    const hints = { publish: vi.fn<HintBus['publish']>(), subscribe: () => () => {} };
    await using store = await database.open({ resources, hints, pollIntervalMs: NEVER_MS });
    await using app = await connect(database);
    const moved = vi.fn<() => void>();
    const source = store.source('stations');
    source.watch(moved);
    const looks = vi.spyOn(source, 'head');
    await app.transaction(async (at) => {
      await at.apply(store, [put({ id: 'a', height: 1 })]);
      await vi.waitFor(() => expect(looks.mock.settledResults.length).toBeGreaterThan(3));
      expect(moved).not.toHaveBeenCalled();
    });
    await vi.waitFor(() => expect(moved).toHaveBeenCalled());
    expect(hints.publish).toHaveBeenCalledWith(['stations']);
  });

  test('a connection that is in no transaction is refused, and so is a closed store', async () => {
    await using database = create();
    await using app = await connect(database);
    const store = await database.open({ resources });
    let late: (() => Promise<unknown>) | undefined;
    await app.transaction(async (at) => {
      late = () => at.apply(store, [put({ id: 'late', height: 1 })]);
    });
    // Kysely itself knows when a transaction is over.
    await expect(late?.()).rejects.toThrow(/in a transaction|already committed/);
    expect(await idsOf(store)).toEqual([]);
    await store.close();
    await expect(late?.()).rejects.toThrow(StoreClosedError);
  });
}

describe.each(SQLITE_WAYS)('applyWithin: $name', (way) => {
  suite(way);
});

describePostgres('applyWithin', () => {
  describe.each(postgresWays())('$name', (way) => {
    suite(way);
  });
});

describe('applyWithin on SQLite', () => {
  test('is a call without a promise, for the transactions of better-sqlite3', async () => {
    await using database = sqliteFile();
    await using store = await database.open({ resources });
    using connection = closing(new Sqlite(database.file));
    const { db } = connection;
    db.exec('create table own (id text)');
    const create = db.transaction((id: string, expectedVersion: string | null) => {
      db.prepare('insert into own values (?)').run(id);
      return store.applyWithin(db, [put({ id, height: 1 }, { expectedVersion })]);
    });
    expect(create('a', null)).toMatchObject([{ id: 'a', position: 1 }]);
    expect(() => create('b', '7')).toThrow(VersionConflictError);
    expect(db.prepare('select count(*) from own').pluck().get()).toBe(1);
    expect(() => store.applyWithin(db, [])).toThrow('not in a transaction');
  });

  test('names of the application do not come between: a temporary table is not taken for the store', async () => {
    await using database = sqliteFile();
    await using store = await database.open({ resources });
    using connection = closing(new Sqlite(database.file));
    const { db } = connection;
    db.exec('create temp table head (name text); create temp table record_1 (id text)');
    db.transaction(() => store.applyWithin(db, [put({ id: 'a', height: 1 })]))();
    expect(await idsOf(store)).toEqual(['a']);
  });

  test('a transaction that began with an old look is refused by SQLite, not written on top of others', async () => {
    await using database = sqliteFile();
    await using store = await database.open({ resources });
    using connection = closing(new Sqlite(database.file, { timeout: 50 }));
    const { db } = connection;
    db.exec('begin');
    db.prepare('select count(*) from record_1').get();
    await store.apply([put({ id: 'a', height: 1 })]);
    expect(() => store.applyWithin(db, [put({ id: 'b', height: 1 })])).toThrow(
      expect.objectContaining({ code: 'SQLITE_BUSY_SNAPSHOT' }),
    );
    db.exec('rollback');
    expect(await idsOf(store)).toEqual(['a']);
  });

  test.each([
    ['another file', sqliteFile, 'not the store'],
    ['a store in memory', sqliteMemory, 'not the store'],
  ])('%s is refused', async (_name, create, message) => {
    await using database = create();
    await using elsewhere = sqliteFile();
    await using store = await database.open({ resources });
    using connection = closing(new Sqlite(elsewhere.file));
    const { db } = connection;
    expect(() => db.transaction(() => store.applyWithin(db, [put({ id: 'a', height: 1 })]))()).toThrow(
      message,
    );
    await expect(store.applyWithin(new Client(), [])).rejects.toThrow('the store is in SQLite');
  });
});

describePostgres('applyWithin on PostgreSQL', () => {
  test('a pool, another database, another store and a connection of SQLite are refused', async () => {
    await using database = postgres();
    await using store = await database.open({ resources });
    const changes = [put({ id: 'a', height: 1 })];
    const pool = new Pool({ connectionString: POSTGRES_URL });
    await expect(store.applyWithin(pool, changes)).rejects.toThrow('A pool');
    await pool.end();
    await expect(store.applyWithin({} as never, changes)).rejects.toThrow(TransactionRefusedError);
    using connection = closing(new Sqlite(':memory:'));
    expect(() => store.applyWithin(connection.db, changes)).toThrow(TransactionRefusedError);

    const other = new URL(POSTGRES_URL);
    other.pathname = '/template1';
    const client = new Client(other.href);
    await client.connect();
    await client.query('begin');
    await expect(store.applyWithin(client, changes)).rejects.toThrow("store's database");
    await client.end();
  });

  test('another database with a store in a schema of the same name is refused', async () => {
    await using database = postgres();
    const { schema } = database;
    await using store = await database.open({ resources });
    const url = new URL(POSTGRES_URL);
    url.pathname = `/${schema}`;
    await queryPostgres(`create database ${schema}`);
    try {
      const other = await openStore({ url: url.href, schema, resources });
      await other.close();
      const client = new Client(url.href);
      await client.connect();
      await client.query('begin');
      const refused = store.applyWithin(client, [put({ id: 'a', height: 1 })]);
      await expect(refused).rejects.toThrow(TransactionRefusedError);
      await client.end();
    } finally {
      await queryPostgres(`drop database ${schema} with (force)`);
    }
  });

  test('an epoch that another process has renewed is learned', async () => {
    await using database = postgres();
    await using store = await database.open({ resources });
    await using other = await database.open({ resources });
    const epoch = await other.renewEpoch();
    const client = new Client(POSTGRES_URL);
    await client.connect();
    await client.query('begin');
    const [result] = await store.applyWithin(client, [put({ id: 'a', height: 1 })]);
    await client.query('commit');
    await client.end();
    expect(result?.version).toContain(epoch);
  });

  test('stores elsewhere are woken by a notification, once the transaction is committed', async () => {
    await using database = postgres();
    await using store = await database.open({ resources, pollIntervalMs: 5_000 });
    await using other = await database.open({ resources, pollIntervalMs: NEVER_MS });
    const moved = vi.fn<() => void>();
    other.source('stations').watch(moved);
    await vi.waitFor(() => expect(moved).toHaveBeenCalled());
    moved.mockClear();
    const client = new Client(POSTGRES_URL);
    await client.connect();
    await client.query('begin');
    await store.applyWithin(client, [put({ id: 'a', height: 1 })]);
    expect(moved).not.toHaveBeenCalled();
    await client.query('commit');
    await client.end();
    await vi.waitFor(() => expect(moved).toHaveBeenCalled());
  });

  test.each(['repeatable read', 'serializable'])(
    'in a %s transaction others win or lose by its rules',
    async (level) => {
      await using database = postgres();
      await using store = await database.open({ resources });
      const client = new Client(POSTGRES_URL);
      await client.connect();
      try {
        await client.query(`begin isolation level ${level}`);
        await client.query('select 1');
        await store.apply([put({ id: 'a', height: 1 })]);
        await expect(store.applyWithin(client, [put({ id: 'b', height: 1 })])).rejects.toMatchObject({
          code: '40001',
        });
        await client.query('rollback');
        await client.query(`begin isolation level ${level}`);
        await store.applyWithin(client, [put({ id: 'b', height: 1 })]);
        await client.query('commit');
        expect(await idsOf(store)).toEqual(['a', 'b']);
      } finally {
        await client.end();
      }
    },
  );

  test('others wait for the end of the transaction; when its connection dies, they go on without it', async () => {
    await using database = postgres();
    await using store = await database.open({ resources });
    const client = new Client(POSTGRES_URL);
    client.on('error', () => {});
    await client.connect();
    await client.query('begin');
    await store.applyWithin(client, [put({ id: 'a', height: 1 })]);
    let isDone = false;
    const applied = store.apply([put({ id: 'b', height: 1 })]).finally(() => {
      isDone = true;
    });
    await vi.waitFor(async () => {
      const waiting = `select from pg_stat_activity where application_name = '${database.schema}' and wait_event_type = 'Lock'`;
      expect(await queryPostgres(waiting)).toHaveLength(1);
    });
    expect(isDone).toBe(false);
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    await queryPostgres(`select pg_terminate_backend(${rows[0]?.pid})`);
    expect(await applied).toMatchObject([{ position: 1 }]);
    expect(await idsOf(store)).toEqual(['b']);
    await client.end().catch(() => {});
  });

  test('the role of the application needs no more than the rights in the documents', async () => {
    await using database = postgres();
    const { schema } = database;
    await using store = await database.open({ resources });
    const role = `${schema}_writer`;
    await queryPostgres(`create role ${role}; grant ${role} to current_user;
      grant usage on schema ${schema} to ${role};
      grant select on ${schema}.state to ${role};
      grant select, update on ${schema}.head to ${role};
      grant select, insert, update, delete on ${schema}.record_1 to ${role};
      grant insert on ${schema}.past_1, ${schema}.log_1 to ${role}`);
    const client = new Client(POSTGRES_URL);
    await client.connect();
    try {
      await client.query(`begin; set local role ${role}`);
      await store.applyWithin(client, [put({ id: 'a', height: 1 }), put({ id: 'b', height: 1 })]);
      await store.applyWithin(client, [put({ id: 'a', height: 2 }), remove('b')]);
      await client.query('commit');
      await client.query(`begin; set local role ${role}`);
      const onNotes = [{ resource: 'notes', op: 'put', record: { id: 'a' } } as const];
      await expect(store.applyWithin(client, onNotes)).rejects.toMatchObject({ code: '42501' });
    } finally {
      await client.end();
      await queryPostgres(`drop owned by ${role}; drop role ${role}`);
    }
    expect(await idsOf(store)).toEqual(['a', 'b', 'a', 'b']);
  });
});

function closing(db: Sqlite.Database): Disposable & { readonly db: Sqlite.Database } {
  return { db, [Symbol.dispose]: () => void db.close() };
}
