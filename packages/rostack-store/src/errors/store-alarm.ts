/** Something an operator should know of; the store goes on. */
export interface StoreAlarm {
  /**
   * `log_hole`: a log lacks a position; `prune_failed`, `watch_failed`, `move_failed`: will be tried again; `reader_failed`: a thread
   * of SQLite ended, and a query with it, another takes its place; `attachment_stopped`: an attached table is not followed until an
   * operator acts; `rows_quarantined`: rows of it that the resource refuses; `database_moved`: the database was copied, restored or promoted since it was opened last; `wal_damaged`: SQLite's log was cut off,
   * damaged or deleted: changes may be lost.
   */
  readonly code:
    | 'log_hole'
    | 'prune_failed'
    | 'watch_failed'
    | 'reader_failed'
    | 'attachment_stopped'
    | 'rows_quarantined'
    | 'move_failed'
    | 'database_moved'
    | 'wal_damaged';
  /** A sentence for the operator: what happened, and what to do about it. */
  readonly message: string;
  /** Name of the resource it concerns, if any. */
  readonly resource: string | undefined;
  /** The error behind it; undefined if there is none. */
  readonly cause: unknown;
}
