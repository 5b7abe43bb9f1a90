import type Sqlite from 'better-sqlite3';

/** Name of the SQL function that statements call now and then as they test rows. */
export const IN_TIME = 'rostack_in_time';

/** Thrown out of a statement that has run for longer than it may. */
export class OverTimeError extends Error {
  override readonly name = 'OverTimeError';

  constructor() {
    super('the statement took too long');
  }
}

/** How old the reading of the processor's time may be that a statement's own time is counted from: to read it costs as much as a row. */
const READING_AGE_MS = 5;

/** Bounds the time of statements on one connection: SQLite itself could only be interrupted from another thread. */
export class TimeBound {
  #endMs = Number.POSITIVE_INFINITY;
  #ownMs: number | undefined;
  #readAtMs = Number.NEGATIVE_INFINITY;
  #usage = process.cpuUsage();

  /** @param isOver looked at as often */
  constructor(handle: Sqlite.Database, isOver: () => boolean = () => false) {
    handle.function(IN_TIME, { deterministic: false }, () => {
      if (isOver() || (performance.now() > this.#endMs && this.#isOwnTimeOver())) throw new OverTimeError();
      return 1;
    });
  }

  /** What runs from now on may take so long, until it is set again. */
  set(durationMs: number): void {
    this.#endMs = performance.now() + durationMs;
    this.#ownMs = undefined;
  }

  /** As `set`, but time for which the processor was busy with other processes does not count. */
  setOwn(durationMs: number): void {
    const nowMs = performance.now();
    this.#endMs = nowMs + durationMs;
    this.#ownMs = durationMs;
    if (nowMs - this.#readAtMs < READING_AGE_MS) return;
    this.#readAtMs = nowMs;
    this.#usage = process.cpuUsage();
  }

  #isOwnTimeOver(): boolean {
    if (this.#ownMs === undefined) return true;
    const { user, system } = process.cpuUsage(this.#usage);
    return (user + system) / 1_000 > this.#ownMs + READING_AGE_MS;
  }
}
