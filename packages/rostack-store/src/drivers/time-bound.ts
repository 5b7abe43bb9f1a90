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

/** Bounds the time of statements on one connection: SQLite itself could only be interrupted from another thread. */
export class TimeBound {
  #endMs = Number.POSITIVE_INFINITY;
  /** How long the statement may have the processor once it has run for as long by the clock. */
  #ownMs: number | undefined;
  /** From when on its own time is counted. */
  #usage: NodeJS.CpuUsage | undefined;

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

  /**
   * As `set`, but in the second half time for which the processor was busy with other processes does not count. To read the processor's
   * time costs as much as a hundred rows, and most statements are over before.
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
