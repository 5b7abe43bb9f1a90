/** SQL for the leases of leaders, by the clock of the server or of the machine. */
export interface LeaseDialect {
  /** Whether a leader has time left, in its row of the attachments; or null. More time than any lease means that the clock was set back. */
  readonly isLed: string;
  /** Sets the lease. @param ms SQL: how long it lasts */
  readonly extend: (ms: string) => string;
  /** A select of names and terms. @param pairs SQL: a JSON array of pairs */
  readonly terms: (pairs: string) => string;
  /** Ends a select of rows to change, so that it leaves out those that another transaction is changing. */
  readonly skipLocked: string;
}
