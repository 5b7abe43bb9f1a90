/**
 * What a mover does for a resource. `standby`: another process leads, or none yet; `loading`: it copies the table and moves changes;
 * `following`: it moves changes; `failing`: its attempts fail, and it tries again; `stopped`: an operator has to act.
 */
export type MoverState = 'standby' | 'loading' | 'following' | 'failing' | 'stopped';

/** What a mover does for one resource, as its process sees it. */
export interface MoverStatus {
  /** Name of the resource. */
  readonly resource: string;
  /**
   * `standby`: another process leads, or none yet; `loading`: it copies the table; `following`: it moves changes;
   * `failing`: its attempts fail until the fault is over, see `reason`; `stopped`: an operator has to act, see `reason`.
   */
  readonly state: MoverState;
  /** Why it is failing or stopped. */
  readonly reason: string | undefined;
  /** While it is failing. */
  readonly fault: MoverFault | undefined;
  /** Rows that this process has copied since it last started copying. */
  readonly loadedRows: number;
  /** While it copies the table: about how many rows the table had when copying started; undefined if that is not known. */
  readonly estimatedRows: number | undefined;
  /**
   * Age of the oldest change that is not in the log, in ms; 0 if there is none. If the database cannot be asked: time since there was none.
   */
  readonly oldestUnmovedMs: number;
  /** Row changes that this process has moved out of the inbox. */
  readonly movedRows: number;
  /** How often the resource has refused a row. */
  readonly refusedRows: number;
}

/** What keeps a mover from moving rows. */
export interface MoverFault {
  /** SQLSTATE, or code of SQLite or of the operating system; undefined if there is none. */
  readonly code: string | undefined;
  /** What is wrong and what to do, without the server's message; undefined if the code is unknown. */
  readonly advice: string | undefined;
  /** How long it has lasted, in ms. */
  readonly forMs: number;
  /** Attempts that failed. */
  readonly failures: number;
}

/** Moves the changes of one table. */
export interface TableRunner {
  readonly status: MoverStatus;
  /** Runs until the signal is aborted. */
  run(closing: AbortSignal): Promise<void>;
}
