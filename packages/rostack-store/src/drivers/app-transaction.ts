import type { Row } from './dialect/query.ts';

/** A prepared statement, as the drivers of SQLite have them. */
export interface SqliteStatement {
  /** Whether it returns rows; drivers without this property return none for statements that have no result. */
  readonly reader?: boolean;
  all(...values: unknown[]): unknown[];
  run(...values: unknown[]): unknown;
}

/** A connection of the better-sqlite3 that rostack-store loads itself: statements run on it synchronously. */
export interface SqliteConnection {
  /** Whether a transaction is open. */
  readonly inTransaction: boolean;
  /** Makes a statement. */
  prepare(sql: string): SqliteStatement;
}

/** A `Client` or `PoolClient` of `pg`, after `begin`. */
export interface PostgresClient {
  /** Runs one statement; `values` fill its `$1`, `$2` and so on. */
  query(config: { readonly text: string; readonly values: unknown[] }): Promise<{ readonly rows: unknown[] }>;
}

/** A transaction of Kysely, on SQLite or PostgreSQL. */
export interface KyselyTransaction {
  /** Distinguishes it from a `Kysely` instance, whose statements may run on any connection. */
  readonly isTransaction: true;
  /** The same transaction without plugins, so that none renames result columns. */
  withoutPlugins(): {
    executeQuery(query: CompiledQuery): Promise<{ readonly rows: unknown[] }>;
  };
}

/** The type that Kysely uses. */
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

/** A transaction of an application whose statements are asynchronous. */
export type AppTransaction = PostgresClient | KyselyTransaction;

export function isSqliteConnection(value: unknown): value is SqliteConnection {
  return has(value, 'prepare') && isInTransaction(value as SqliteConnection) !== undefined;
}

export function isKyselyTransaction(value: unknown): value is KyselyTransaction {
  return has(value, 'withoutPlugins') && 'isTransaction' in value && value.isTransaction === true;
}

export function isPostgresClient(value: unknown): value is PostgresClient {
  // A pool might run each statement on a different connection.
  return has(value, 'query') && !('totalCount' in value);
}

/** Undefined if it is not a SQLite connection. */
export function isInTransaction(connection: SqliteConnection): boolean | undefined {
  // `node:sqlite` calls it `isTransaction`: such a connection is recognized, so that it can be refused with the reason.
  const { inTransaction, isTransaction } = connection as { inTransaction?: unknown; isTransaction?: unknown };
  const isIn = inTransaction ?? isTransaction;
  return typeof isIn === 'boolean' ? isIn : undefined;
}

/** Runs statements in a transaction of Kysely, without plugins that could rename result columns. */
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
