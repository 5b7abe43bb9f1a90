import { createHash } from 'node:crypto';
import { type Client, DatabaseError, type QueryResultRow } from 'pg';
import type { PostgresDatabase } from '../database/postgres-database.ts';

/** Time without a sign of life after which the server ends the session of a process that hangs, and so frees its locks. */
const IDLE_BEYOND_WRITES_MS = 5_000;

/**
 * The connection that holds a gateway's leaderships: session locks, which the server frees when the connection ends, however the
 * process ended. It must reach the server itself, not a pooler that gives it to others between transactions.
 */
export class LeaderSession implements AsyncDisposable {
  readonly #client: Client;
  readonly #lockClass: number;
  #isLost = false;

  private constructor(client: Client, schema: string) {
    this.#client = client;
    this.#lockClass = createHash('sha256').update(`rostack-store mover ${schema}`).digest().readInt32BE();
    client.on('end', () => {
      this.#isLost = true;
    });
    client.on('error', () => {
      this.#isLost = true;
    });
  }

  /** @throws Error of the driver when there is no connection */
  static async open(database: PostgresDatabase, schema: string, timeoutMs: number): Promise<LeaderSession> {
    const client = await database.openSession(timeoutMs);
    const session = new LeaderSession(client, schema);
    try {
      await client.query(`set idle_session_timeout = ${Math.ceil(timeoutMs + IDLE_BEYOND_WRITES_MS)}`);
      // What the texts of a table's columns depend on.
      await client.query(
        `set extra_float_digits = 1; set intervalstyle = 'iso_8601'; set row_security = off`,
      );
    } catch (error) {
      await session[Symbol.asyncDispose]();
      throw error;
    }
    return session;
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  /** Runs one statement. Whatever the server itself did not say leaves the connection in doubt: then it is taken for lost. */
  async query<T extends QueryResultRow>(
    text: string,
    values: readonly unknown[] = [],
  ): Promise<readonly T[]> {
    try {
      return (await this.#client.query<T>(text, [...values])).rows;
    } catch (error) {
      if (!(error instanceof DatabaseError)) this.#isLost = true;
      throw error;
    }
  }

  /** Whether this session leads now; it must not lead already. */
  async tryLead(number: number): Promise<boolean> {
    const [row] = await this.query<{ leads: boolean }>('select pg_try_advisory_lock($1, $2) as leads', [
      this.#lockClass,
      number,
    ]);
    return row?.leads === true;
  }

  async resign(number: number): Promise<void> {
    await this.query('select pg_advisory_unlock($1, $2)', [this.#lockClass, number]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.end().catch(() => {});
  }
}
