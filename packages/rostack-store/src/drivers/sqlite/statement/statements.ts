import type { SqliteStatement } from '../../app-transaction.ts';
import { SharedTurn } from '../../database.ts';
import type { Query, Row } from '../../dialect/query.ts';
import type { Once } from '../../dialect/sql.ts';
import { OverTimeError } from '../../over-time-error.ts';

/** Each shape of filters has its own text: enough for the usual shapes, with a bound for the unusual ones. */
const MAX_CACHED_STATEMENTS = 500;
const NO_ROWS: readonly Row[] = [];

/** Prepared statements of one connection. */
export class SqliteStatements {
  readonly #handle: { prepare(sql: string): SqliteStatement };
  readonly #statements = new Map<string, SqliteStatement>();

  constructor(handle: { prepare(sql: string): SqliteStatement }) {
    this.#handle = handle;
  }

  get size(): number {
    return this.#statements.size;
  }

  run(query: Query): readonly Row[] {
    if (query.kind === 'once') return this.#runOnce(query.sql, boundTo(query));
    const results: Row[] = [];
    for (const { sql, parameters } of runsOf(query)) results.push(...this.#runOnce(sql, parameters));
    return results;
  }

  prepare(sql: string): SqliteStatement {
    const cached = this.#statements.get(sql);
    if (cached !== undefined) return cached;
    const statement = this.#handle.prepare(sql);
    if (this.#statements.size >= MAX_CACHED_STATEMENTS) {
      const [oldest] = this.#statements.keys();
      if (oldest !== undefined) this.#statements.delete(oldest);
    }
    this.#statements.set(sql, statement);
    return statement;
  }

  clear(): void {
    this.#statements.clear();
  }

  #runOnce(sql: string, values: readonly unknown[]): readonly Row[] {
    const statement = this.prepare(sql);
    if (statement.reader !== false) return statement.all(...values) as Row[];
    statement.run(...values);
    return NO_ROWS;
  }
}

/** SQLite treats `$1` as a parameter named `1`. */
function boundTo({ parameters, isNumbered }: Once): readonly unknown[] {
  if (isNumbered !== true || parameters.length === 0) return parameters;
  return [Object.fromEntries(parameters.map((value, index) => [index + 1, value]))];
}

/** The SQLite statements of which a query consists, in order. */
export function* runsOf(query: Query): Iterable<Pick<Once, 'sql' | 'parameters'>> {
  if (query.kind === 'once') {
    yield query;
    return;
  }
  const { sql, rows, several } = query;
  let done = 0;
  if (several !== undefined) {
    for (let end = several.rowCount; end <= rows.length; end += several.rowCount) {
      yield { sql: several.sql, parameters: rows.slice(done, end).flat() };
      done = end;
    }
  }
  for (; done < rows.length; done += 1) yield { sql, parameters: rows[done] ?? [] };
}

/** Name of the SQL function that statements call now and then while testing rows. */
export const IN_TIME = 'rostack_in_time';

/** A connection on which functions can be defined; users of the store's types may not have those of the driver. */
interface FunctionHandle {
  function(name: string, options: { readonly deterministic: boolean }, callback: () => number): unknown;
}

/** Bounds the time of statements on one connection: otherwise SQLite could only be interrupted from another thread. */
export class TimeBound {
  #endMs = Number.POSITIVE_INFINITY;
  /** CPU time that the statement gets after running for the same time by the clock. */
  #ownMs: number | undefined;
  /** CPU usage when the count of its own time began. */
  #usage: NodeJS.CpuUsage | undefined;

  /** @param isOver called each time that the bound is checked */
  constructor(handle: FunctionHandle, isOver: () => boolean = () => false) {
    handle.function(IN_TIME, { deterministic: false }, () => {
      if (isOver() || (performance.now() > this.#endMs && this.#isOwnTimeOver())) throw new OverTimeError();
      return 1;
    });
  }

  /** Limits the time of statements from now on, until the next call. */
  set(durationMs: number): void {
    this.#endMs = performance.now() + durationMs;
    this.#ownMs = undefined;
  }

  /**
   * As `set`, but in the second half only the process's own CPU time counts. Reading the CPU time costs as much as a hundred rows, and most
   * statements end before that.
   */
  setOwn(durationMs: number): void {
    this.set(durationMs / 2);
    this.#ownMs = durationMs / 2;
    this.#usage = undefined;
  }

  #isOwnTimeOver(): boolean {
    if (this.#ownMs === undefined) return true;
    if (this.#usage === undefined) {
      this.#usage = process.cpuUsage();
      this.#endMs = performance.now() + this.#ownMs;
      return false;
    }
    const { user, system } = process.cpuUsage(this.#usage);
    return (user + system) / 1_000 > this.#ownMs;
  }
}

interface Asked {
  /** Calls `begin`, then reads. Does not throw. */
  readonly run: (begin: () => void) => void;
  /** Whether it runs several statements. */
  readonly needsSnapshot: boolean;
}

/** The transactions of the connection. */
export interface Transactions {
  readonly isOpen: () => boolean;
  readonly begin: () => void;
  /** Does not throw. */
  readonly end: () => void;
}

/**
 * Batches the reads of one connection. Reads requested together run together: SQLite's caches stay warm, and the file is locked only once.
 */
export class SharedReads {
  readonly #transactions: Transactions;
  readonly #turn: SharedTurn;
  #turnEndMs = 0;
  #asked: Asked[] = [];

  /** @param maxTurnMs how long the reads of one turn of the event loop may take; the remaining ones run in the next turn */
  constructor(transactions: Transactions, maxTurnMs: number) {
    this.#transactions = transactions;
    this.#turn = new SharedTurn(() => {
      this.#turnEndMs = performance.now() + maxTurnMs;
    });
  }

  /** @param needsSnapshot whether the work runs several statements @throws whatever the work throws */
  run<T>(work: () => T, needsSnapshot: boolean): Promise<T> {
    return new Promise((resolve, reject) => {
      const run = (begin: () => void) => {
        try {
          begin();
          resolve(work());
        } catch (error) {
          reject(error);
        }
      };
      this.#asked.push({ run, needsSnapshot });
      if (this.#asked.length === 1) void this.#runAll();
    });
  }

  async #runAll(): Promise<void> {
    do {
      // Waits for at least a microtask, so that reads requested right after this one join it.
      await (performance.now() < this.#turnEndMs ? undefined : this.#turn.next());
      this.#runSome();
    } while (this.#asked.length > 0);
  }

  #runSome(): void {
    const { isOpen, begin, end } = this.#transactions;
    const asked = this.#asked;
    const isShared = asked.length > 1 || asked[0]?.needsSnapshot === true;
    let done = 0;
    for (const { run } of asked) {
      run(() => {
        // A failed read may have rolled the transaction back.
        if (isShared && !isOpen()) begin();
      });
      done += 1;
      if (performance.now() >= this.#turnEndMs) break;
    }
    if (isOpen()) end();
    this.#asked = asked.slice(done);
  }
}
