/** What is checked about a gateway. */
export type CheckName = 'migrations' | 'store' | 'writes' | 'tail' | 'replay' | 'serving';
export type CheckResult = 'ok' | 'failed';

/** What a process does for the table that a resource comes from. */
export interface TableCondition {
  readonly state: 'standby' | 'loading' | 'following' | 'failing' | 'stopped';
  /** Why it is stopped, or why it is failing, with the code and the duration. */
  readonly reason?: string;
  /** While the table is copied: rows copied so far. */
  readonly loadedRows?: number;
  /** While the table is copied: about how many rows it has; absent if that is not known. */
  readonly estimatedRows?: number;
  /** Age of the oldest change that is not in the log, in whole seconds; absent if there is none. */
  readonly oldestUnmovedSeconds?: number;
}

/** Whether a gateway should be sent requests, and why not. */
export interface Readiness {
  readonly isReady: boolean;
  readonly checks: Readonly<Record<CheckName, CheckResult>>;
  /** Reasons for the checks that failed; of an error, only its code is shown. */
  readonly reasons: Readonly<Partial<Record<CheckName, string>>>;
  /** Rows in quarantine by resource; absent if there are none. They do not make a gateway unready. */
  readonly quarantinedRows?: Readonly<Record<string, number>>;
  /** By resource, how its table is followed; absent if none comes from a table. It does not make a gateway unready. */
  readonly tables?: Readonly<Record<string, TableCondition>>;
}
