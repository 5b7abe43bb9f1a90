import type { Database, Work } from '../drivers/database.ts';
import type { Dialect } from '../drivers/dialect.ts';
import { type Attachment, attachmentTable, emptyQuarantine, type Progress } from './attachment.ts';
import { query } from './query.ts';

export const MAX_LEASE_MS = 30_000;

const SQLITE_NOW_MS = `cast(unixepoch('subsec') * 1000 as integer)`;

/** SQL for each kind of database, by the clock of the server or of the machine. */
const LEASES = {
  postgres: {
    /** Whether a leader has time left. More time than any lease means that the clock was set back. */
    isLed: `leads_until > clock_timestamp() and leads_until < clock_timestamp() + interval '1 minute'`,
    /** Sets the lease to this many milliseconds. */
    extend: (ms: string) => `leads_until = clock_timestamp() + ${ms} * interval '1 millisecond'`,
  },
  sqlite: {
    isLed: `leads_until_ms > ${SQLITE_NOW_MS} and leads_until_ms < ${SQLITE_NOW_MS} + 60000`,
    extend: (ms: string) => `leads_until_ms = ${SQLITE_NOW_MS} + ${ms}`,
  },
} as const;

/** Another process has taken over, or the table was attached again or detached: this process must not write any more. */
export class DeposedError extends Error {
  override readonly name = 'DeposedError';
}

/**
 * Begins a term, which ends all earlier ones: a running transaction of an earlier leader commits before this, or not at all. If rows would
 * become different records than under the last leader, all of them are read again.
 * @param present the attachment as it was read
 * @returns undefined if another process leads, or the table was attached again
 */
export function* takeOver(
  dialect: Dialect,
  present: Attachment,
  mapping: string,
  leaseMs: number,
): Work<Attachment | undefined> {
  const { schema, name, term } = present;
  const { isLed, extend } = LEASES[dialect.name];
  const [taken] = yield* query<Progress & { readonly term: number }>(
    `update ${attachmentTable(schema)} set term = term + 1, ${extend('$4')}, mapping = $3,
        phase = case when mapping = $3 then phase else 'load' end, place = case when mapping = $3 then place end
      where name = $1 and term = $2 and not coalesce(${isLed}, false) returning term, phase, place, stamp`,
    [name, term, mapping, leaseMs],
  );
  if (taken === undefined) return undefined;
  if (present.mapping !== mapping) yield* emptyQuarantine(schema, name);
  return { ...present, ...taken, mapping };
}

/**
 * Begins a transaction of the leader by writing the progress that it will have made.
 * @throws DeposedError if another process has taken over
 */
export function* advance({ schema, name, term }: Attachment, { phase, place, stamp }: Progress): Work<void> {
  const rows = yield* query(
    `update ${attachmentTable(schema)} set phase = $3, place = $4, stamp = $5 where name = $1 and term = $2 returning 1`,
    [name, term, phase, place, stamp],
  );
  if (rows.length === 0) throw new DeposedError(`term ${term} is over`);
}

/**
 * Records that the same attachment has a table of other numbers, or columns of other types, and has to be read completely.
 * @throws DeposedError if another process has taken over
 */
export function* replaceTable(attachment: Attachment): Work<void> {
  const { schema, name, term, tableOid, key, columns, layout, stamp, mapping, phase, place } = attachment;
  const rows = yield* query(
    `update ${attachmentTable(schema)} set columns = $3, table_oid = $4, layout = $5, stamp = $6, mapping = $7, phase = $8, place = $9
      where name = $1 and term = $2 returning 1`,
    [name, term, JSON.stringify([...key, ...columns]), tableOid, layout, stamp, mapping, phase, place],
  );
  if (rows.length === 0) throw new DeposedError(`term ${term} is over`);
  yield* emptyQuarantine(schema, name);
}

/**
 * A term in which this process leads, as long as it renews the lease. A timer does that, so a long step does not lose the leadership. The
 * lease alone protects nothing: writes of an earlier leader are refused because of its term.
 */
export class LeaderLease implements AsyncDisposable {
  readonly #setEnd: (leaseMs: number) => Promise<unknown>;
  readonly #timer: NodeJS.Timeout;
  #renewing: Promise<unknown> | undefined;

  constructor(database: Database, { schema, name, term }: Attachment, leaseMs: number) {
    const { extend } = LEASES[database.dialect.name];
    const text = `update ${attachmentTable(schema)} set ${extend('$3')} where name = $1 and term = $2`;
    // If the database does not answer, the lease runs out unless the next attempt succeeds in time.
    this.#setEnd = (ms) => database.write(() => query(text, [name, term, ms])).catch(() => {});
    this.#timer = setInterval(() => {
      this.#renewing ??= this.#setEnd(leaseMs).finally(() => {
        this.#renewing = undefined;
      });
    }, leaseMs / 3).unref();
  }

  /** Ends the lease, so that another process may lead at once. */
  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.#renewing;
    await this.#setEnd(0);
  }
}
