import { type Database, receive, send, type Work } from '../../drivers/database.ts';
import type { Dialect } from '../../drivers/dialect/dialect.ts';
import { query } from '../source/query.ts';
import { type Attachment, attachmentTable, emptyQuarantine, type Progress } from './attachment.ts';

export const MAX_LEASE_MS = 30_000;

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
  const { extend, isLed } = dialect.leases;
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
 * Begins a transaction of the leader by writing the progress that it will have made. The same statement checks whether the process still
 * leads.
 * @throws DeposedError if another process has taken over
 */
export function* advance<T>(
  { schema, name, term }: Attachment,
  { phase, place, stamp }: Progress,
  write: () => Work<T>,
): Work<T> {
  const advancing = yield* send({
    kind: 'once',
    sql: `update ${attachmentTable(schema)} set phase = $3, place = $4, stamp = $5 where name = $1 and term = $2 returning 1`,
    parameters: [name, term, phase, place, stamp],
    isNumbered: true,
    isKept: true,
  });
  const written = yield* write();
  if ((yield* receive(advancing)).length === 0) throw new DeposedError(`term ${term} is over`);
  return written;
}

/**
 * Records that the same attachment now has a table with other OIDs, or columns of other types, and has to be read completely.
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
 * A term in which this process leads, as long as its lease is renewed. The lease alone protects nothing: writes of an earlier leader are
 * refused because of its term.
 */
export type LeaderLease = AsyncDisposable;

/**
 * The leases of one process, renewed together after a third of their time, whatever their leaders do in the meantime: a table that nobody
 * changes costs no transaction of its own.
 */
export class LeaderLeases {
  readonly #database: Database;
  readonly #schema: string;
  readonly #leaseMs: number;
  readonly #held = new Set<Attachment>();
  #timer: NodeJS.Timeout | undefined;
  #renewing: Promise<unknown> | undefined;

  constructor(database: Database, schema: string, leaseMs: number) {
    this.#database = database;
    this.#schema = schema;
    this.#leaseMs = leaseMs;
  }

  /** Renews the lease of a term that has just begun, until it is disposed of; then another process may lead at once. */
  hold(attachment: Attachment): LeaderLease {
    this.#held.add(attachment);
    this.#timer ??= setInterval(() => {
      this.#renewing ??= this.#renew().finally(() => {
        this.#renewing = undefined;
      });
    }, this.#leaseMs / 3).unref();
    return {
      [Symbol.asyncDispose]: async () => {
        this.#held.delete(attachment);
        if (this.#held.size === 0) {
          clearInterval(this.#timer);
          this.#timer = undefined;
        }
        await this.#renewing;
        await this.#set([attachment], 0);
      },
    };
  }

  /** If the database does not answer, leases run out unless the next attempt succeeds in time. */
  async #renew(): Promise<void> {
    const held = [...this.#held];
    const set = await this.#set(held, this.#leaseMs, true);
    if (set === undefined) return;
    const renewed = new Set(set.map(({ name }) => name));
    // A writing leader has its row locked: only its own renewal waits for that lock.
    const others = held.filter(({ name }) => !renewed.has(name));
    await Promise.all(others.map((attachment) => this.#set([attachment], this.#leaseMs)));
  }

  /** Sets how long leases last from now on. @returns the leases that were set; undefined if the database did not answer */
  #set(
    attachments: readonly Attachment[],
    leaseMs: number,
    skipsLocked = false,
  ): Promise<readonly { readonly name: string }[] | undefined> {
    const { dialect } = this.#database;
    const { extend, terms, skipLocked } = dialect.leases;
    const table = attachmentTable(this.#schema);
    const held = `select name from ${table} where (name, term) in (${terms('$1')})${skipsLocked ? skipLocked : ''}`;
    const parameters = [JSON.stringify(attachments.map(({ name, term }) => [name, term])), leaseMs];
    return this.#database
      .write(() =>
        query<{ name: string }>(
          // A locked row may have got another term while the statement waited: PostgreSQL only repeats conditions on the row itself.
          `update ${table} set ${extend('$2')} where name in (${held}) and (name, term) in (${terms('$1')}) returning name`,
          parameters,
        ),
      )
      .catch(() => undefined);
  }
}
