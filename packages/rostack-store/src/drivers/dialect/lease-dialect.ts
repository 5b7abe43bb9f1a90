/** SQL for leaders' leases, by the clock of the server or of the machine. */
export interface LeaseDialect {
  /**
   * Whether an attachment's lease is still running, or null. A lease with more time left than any lease has counts as expired: the clock
   * was set back.
   */
  readonly isLed: string;
  /** Sets the lease. @param ms SQL: how long it lasts */
  readonly extend: (ms: string) => string;
  /** A select of names and terms. @param pairs SQL: a JSON array of pairs */
  readonly terms: (pairs: string) => string;
  /** Ends a select of rows to change, so that it skips rows that another transaction is changing. */
  readonly skipLocked: string;
}
