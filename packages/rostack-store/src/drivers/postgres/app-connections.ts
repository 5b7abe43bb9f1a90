import { TransactionRefusedError } from '../../errors/index.ts';
import type { AppConnections, AppRunner } from '../app-connections.ts';
import { isKyselyTransaction, isPostgresClient, runInKysely } from '../app-transaction.ts';
import type { Dialect } from '../dialect/dialect.ts';
import type { Row } from '../dialect/query.ts';
import { type Once, once, sql } from '../dialect/sql.ts';
import { toConfig } from './session/session.ts';

/** SQLSTATE of an undefined table, and of an undefined schema. */
const UNDEFINED: readonly string[] = ['42P01', '3F000'];

/** Connections to PostgreSQL: a database is identified by its epoch, which is random. */
export class PostgresAppConnections implements AppConnections {
  readonly dialect: Dialect;
  readonly lock = undefined;
  readonly identityQuery: Once;

  constructor(dialect: Dialect) {
    this.dialect = dialect;
    this.identityQuery = once(dialect, sql`select epoch as identity from ${dialect.table('state')}`);
  }

  ownIdentity(epoch: string): string {
    return epoch;
  }

  ownLibrary(): string {
    return '';
  }

  isSameDatabase(own: string, other: string): boolean {
    return own !== '' && own === other;
  }

  isOfNoStore(error: unknown): boolean {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    return UNDEFINED.includes(code) || code.startsWith('SQLITE');
  }

  elsewhere(cause?: unknown): TransactionRefusedError {
    return new TransactionRefusedError(
      "the connection is not to the store's database, or its role cannot see the store's schema: connect to the database of the store URL",
      { cause },
    );
  }

  runnerOf(transaction: unknown): AppRunner {
    if (isKyselyTransaction(transaction)) {
      const inKysely = runInKysely(transaction);
      return (query) => inKysely(toConfig(query));
    }
    if (isPostgresClient(transaction)) {
      return async (query) => (await transaction.query(toConfig(query))).rows as Row[];
    }
    throw new TransactionRefusedError(
      'the store is in PostgreSQL: pass a Client of pg, or one from connect() of a pool, after begin, or a transaction of Kysely. A pool, or Kysely itself, may run each statement on a different connection',
    );
  }

  syncRunnerOf(): never {
    throw new TransactionRefusedError('the store is in PostgreSQL, but the connection is to SQLite');
  }
}
