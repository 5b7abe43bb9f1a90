/** Something an operator should know about; the store keeps working. */
export interface StoreAlarm {
  /**
   * `log_hole`: a log lacks a position; `prune_failed`, `watch_failed`, `move_failed`: will be retried; `reader_failed`: a thread of SQLite
   * ended, and a query with it, and another takes its place; `move_resumed`: the fault of `move_failed` is over; `attachment_stopped`: an attached table is not followed until an operator
   * acts; `rows_quarantined`: the resource refuses some of its rows; `database_moved`: the database was copied, restored or promoted since
   * it was last opened; `wal_damaged`: SQLite's log was cut off, damaged or deleted, and changes may be lost.
   */
  readonly code:
    | 'log_hole'
    | 'prune_failed'
    | 'watch_failed'
    | 'reader_failed'
    | 'attachment_stopped'
    | 'rows_quarantined'
    | 'move_failed'
    | 'move_resumed'
    | 'database_moved'
    | 'wal_damaged';
  /** A sentence for the operator: what happened, and what to do about it. */
  readonly message: string;
  /** Name of the resource it concerns, if any. */
  readonly resource: string | undefined;
  /** The error behind it; undefined if there is none. */
  readonly cause: unknown;
}
