import { run, type Work } from '../database/database.ts';
import { type Dialect, once } from '../database/dialect.ts';
import type { PostgresDatabase } from '../database/postgres-database.ts';
import { sql } from '../database/sql.ts';

/** Whether a leader has time left, by the server's clock. Longer than any lease: the clock was put back. */
export const IS_LED = sql`leads_until > clock_timestamp() and leads_until < clock_timestamp() + interval '1 minute'`;

export const MAX_LEASE_MS = 30_000;

/** When a lease of this length ends. */
export function leadsUntil(leaseMs: number) {
  return sql`clock_timestamp() + ${leaseMs} * interval '1 millisecond'`;
}

/**
 * A term in which this process leads, for as long as it renews it. It does so by a timer, so that a long step costs no leadership.
 * The time alone protects nothing: what an earlier leader writes is refused by its term.
 */
export class LeaderLease implements AsyncDisposable {
  readonly #database: PostgresDatabase;
  readonly #name: string;
  readonly #term: number;
  readonly #leaseMs: number;
  readonly #timer: NodeJS.Timeout;
  #renewing: Promise<void> | undefined;
  #isLost = false;

  constructor(database: PostgresDatabase, name: string, term: number, leaseMs: number) {
    this.#database = database;
    this.#name = name;
    this.#term = term;
    this.#leaseMs = leaseMs;
    this.#timer = setInterval(() => {
      this.#renewing ??= this.#renew().finally(() => {
        this.#renewing = undefined;
      });
    }, leaseMs / 3).unref();
  }

  /** Whether another process was seen to lead, or the table to be attached again. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** Another process may lead at once. */
  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.#renewing;
    if (this.#isLost) return;
    // When the database does not answer, the lease runs out.
    await this.#database
      .write(() => setEnd(this.#database.dialect, this.#name, this.#term, 0))
      .catch(() => {});
  }

  async #renew(): Promise<void> {
    try {
      const { dialect } = this.#database;
      const isHeld = await this.#database.write(() => setEnd(dialect, this.#name, this.#term, this.#leaseMs));
      this.#isLost ||= !isHeld;
    } catch {
      // The next time may succeed; until then another process may take over.
    }
  }
}

/** Returns whether the term is still the last one. */
function* setEnd(dialect: Dialect, name: string, term: number, leaseMs: number): Work<boolean> {
  const rows = yield* run(
    once(
      dialect,
      sql`update ${dialect.table('attachment')} set leads_until = ${leadsUntil(leaseMs)}
        where name = ${name} and term = ${term} returning term`,
    ),
  );
  return rows.length > 0;
}
