import Sqlite from 'better-sqlite3';
import { CamelCasePlugin, CompiledQuery, Kysely, PostgresDialect, SqliteDialect } from 'kysely';
import { Client, Pool } from 'pg';
import { POSTGRES_URL, queryPostgres } from 'test-support/postgres';
import type { ChangeResult, Store, StoreChange } from '../../src/index.ts';
import { postgres, sqliteFile, type TestDatabase } from './databases.ts';

/** A transaction of an application. */
export interface AppWork {
  /** Writes, overwrites or deletes a row of the application's own. */
  write(id: string, height: number | undefined): Promise<void>;
  execute(text: string): Promise<void>;
  apply(store: Store, changes: readonly StoreChange[]): Promise<readonly ChangeResult[]>;
}

/** An application with a connection of its own to the database of a store, and a table `own`. */
export interface App extends AsyncDisposable {
  /** Commits when the work is done, rolls back when it throws. */
  transaction<T>(work: (at: AppWork) => Promise<T>): Promise<T>;
  rows(): Promise<readonly (readonly [id: string, height: number])[]>;
}

export interface Way {
  readonly name: string;
  readonly create: () => TestDatabase;
  readonly connect: (database: TestDatabase) => Promise<App>;
}

/**
 * A row that is deleted stays, without a height: to delete a row that another transaction is about to insert locks nothing, and the two
 * would be in one order here and in the other in the store.
 */
const CREATE = 'create table if not exists own (id text primary key, height integer)';

type Execute = (text: string) => Promise<readonly Record<string, unknown>[]>;

/** @param schema where the application's table is */
function appOf(
  execute: Execute,
  schema: string,
  rest: Pick<App, 'transaction'> & { close(): Promise<void> },
): App {
  return {
    transaction: rest.transaction,
    rows: async () => {
      const rows = await execute(`select id, height from ${schema}.own where height is not null`);
      return rows.map(({ id, height }) => [String(id), Number(height)] as const).toSorted(byId);
    },
    [Symbol.asyncDispose]: () => rest.close(),
  };
}

function byId([a]: readonly [string, number], [b]: readonly [string, number]): number {
  return a < b ? -1 : 1;
}

function workOf(execute: Execute, schema: string, apply: AppWork['apply']): AppWork {
  return {
    write: async (id, height) => {
      await execute(
        `insert into ${schema}.own (id, height) values ('${id}', ${height ?? 'null'}) on conflict (id) do update set height = excluded.height`,
      );
    },
    execute: async (text) => {
      await execute(text);
    },
    apply,
  };
}

/** `begin` and `commit` by hand. */
function byHand(execute: Execute, schema: string, apply: AppWork['apply'], close: () => Promise<void>): App {
  return appOf(execute, schema, {
    transaction: async (work) => {
      await execute('begin');
      let result: Awaited<ReturnType<typeof work>>;
      try {
        result = await work(workOf(execute, schema, apply));
      } catch (error) {
        await execute('rollback');
        throw error;
      }
      await execute('commit');
      return result;
    },
    close,
  });
}

function inKysely(kysely: Kysely<object>, schema: string): App {
  const executeIn = (on: Kysely<object>): Execute => {
    return async (text) => (await on.executeQuery<Record<string, unknown>>(CompiledQuery.raw(text))).rows;
  };
  return appOf(executeIn(kysely), schema, {
    transaction: (work) =>
      kysely
        .transaction()
        .execute((trx) =>
          work(workOf(executeIn(trx), schema, async (store, changes) => store.applyWithin(trx, changes))),
        ),
    close: () => kysely.destroy(),
  });
}

const fileOf = ({ url }: TestDatabase) => url.slice('sqlite:'.length);

export const SQLITE_WAYS: readonly Way[] = [
  {
    name: 'better-sqlite3',
    create: sqliteFile,
    connect: async (database) => {
      const connection = new Sqlite(fileOf(database), { timeout: 0 });
      connection.defaultSafeIntegers(true);
      connection.exec(CREATE);
      const execute: Execute = async (text) => {
        const statement = connection.prepare(text);
        if (statement.reader) return statement.all() as Record<string, unknown>[];
        statement.run();
        return [];
      };
      const apply: AppWork['apply'] = async (store, changes) => store.applyWithin(connection, changes);
      return byHand(execute, 'main', apply, async () => void connection.close());
    },
  },
  {
    name: 'Kysely over SQLite',
    create: sqliteFile,
    connect: async (database) => {
      const connection = new Sqlite(fileOf(database), { timeout: 0 });
      connection.exec(CREATE);
      const dialect = new SqliteDialect({ database: connection });
      return inKysely(new Kysely<object>({ dialect, plugins: [new CamelCasePlugin()] }), 'main');
    },
  },
];

/** @param through where else the same database answers */
export function postgresWays(through = POSTGRES_URL): readonly Way[] {
  const create = () => postgres(through);
  // Whoever goes through a pooler cannot set what a session begins with.
  const settings = through === POSTGRES_URL ? { options: '-c deadlock_timeout=20ms' } : {};
  const prepare = ({ schema }: TestDatabase) =>
    queryPostgres(`create schema if not exists ${schema}; ${CREATE.replace('own', `${schema}.own`)}`);
  return [
    {
      name: 'pg',
      create,
      connect: async (database) => {
        await prepare(database);
        const client = new Client({ connectionString: through, ...settings });
        await client.connect();
        const execute: Execute = async (text) => (await client.query<Record<string, unknown>>(text)).rows;
        const apply: AppWork['apply'] = (store, changes) => store.applyWithin(client, changes);
        return byHand(execute, database.schema, apply, () => client.end());
      },
    },
    {
      name: 'Kysely over PostgreSQL',
      create,
      connect: async (database) => {
        await prepare(database);
        const dialect = new PostgresDialect({
          pool: new Pool({ connectionString: through, ...settings, max: 2 }),
        });
        const kysely = new Kysely<object>({ dialect, plugins: [new CamelCasePlugin()] });
        return inKysely(kysely, database.schema);
      },
    },
  ];
}
