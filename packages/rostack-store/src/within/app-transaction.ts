import type { Row } from '../database/database.ts';
import type { SqliteStatement } from '../database/sqlite-statements.ts';

/** A connection of better-sqlite3, or a `DatabaseSync` of `node:sqlite`: what is run on it runs at once. */
export type SqliteConnection = ({ readonly inTransaction: boolean } | { readonly isTransaction: boolean }) & {
  prepare(sql: string): SqliteStatement;
};

/** A `Client` or `PoolClient` of `pg`, inside of `begin`. */
export interface PostgresClient {
  /** Runs one statement; `values` fill its `$1`, `$2` and so on. */
  query(config: { readonly text: string; readonly values: unknown[] }): Promise<{ readonly rows: unknown[] }>;
}

/** A transaction of Kysely, on SQLite or PostgreSQL. */
export interface KyselyTransaction {
  /** Tells it from a `Kysely` instance, whose statements may run on any connection. */
  readonly isTransaction: true;
  /** The same transaction without plugins, so that none renames what comes back. */
  withoutPlugins(): {
    executeQuery(query: CompiledQuery): Promise<{ readonly rows: unknown[] }>;
  };
}

/** As Kysely has it. */
interface CompiledQuery {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  readonly query: {
    readonly kind: 'RawNode';
    readonly sqlFragments: readonly string[];
    readonly parameters: readonly never[];
  };
  readonly queryId: { readonly queryId: string };
}

/** A transaction of an application's own whose statements are waited for. */
export type AppTransaction = PostgresClient | KyselyTransaction;

export function isSqliteConnection(value: unknown): value is SqliteConnection {
  return has(value, 'prepare') && isInTransaction(value as SqliteConnection) !== undefined;
}

export function isKyselyTransaction(value: unknown): value is KyselyTransaction {
  return has(value, 'withoutPlugins') && 'isTransaction' in value && value.isTransaction === true;
}

export function isPostgresClient(value: unknown): value is PostgresClient {
  // A pool would run each statement on another connection.
  return has(value, 'query') && !('totalCount' in value);
}

/** Undefined: it is no connection of SQLite. */
export function isInTransaction(connection: SqliteConnection): boolean | undefined {
  const isIn = 'inTransaction' in connection ? connection.inTransaction : connection.isTransaction;
  return typeof isIn === 'boolean' ? isIn : undefined;
}

/** Runs statements in a transaction of Kysely; no plugin renames what comes back. */
export function runInKysely(
  transaction: KyselyTransaction,
): (statement: { readonly text: string; readonly values: readonly unknown[] }) => Promise<readonly Row[]> {
  const plain = transaction.withoutPlugins();
  return async ({ text: sql, values: parameters }) => {
    const query = { kind: 'RawNode', sqlFragments: [sql], parameters: [] } as const;
    const { rows } = await plain.executeQuery({
      sql,
      parameters,
      query,
      queryId: { queryId: 'rostack-store' },
    });
    return rows as Row[];
  };
}

function has<Name extends string>(value: unknown, name: Name): value is object & Record<Name, unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    name in value &&
    typeof (value as Record<Name, unknown>)[name] === 'function'
  );
}
