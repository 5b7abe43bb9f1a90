/** What is checked about a gateway. */
export type CheckName = 'migrations' | 'store' | 'writes' | 'tail' | 'replay' | 'serving';
export type CheckResult = 'ok' | 'failed';

/** Whether a gateway should be sent requests, and why not. */
export interface Readiness {
  readonly isReady: boolean;
  readonly checks: Readonly<Record<CheckName, CheckResult>>;
  /** Reasons for the checks that failed; of an error, only its code is shown. */
  readonly reasons: Readonly<Partial<Record<CheckName, string>>>;
  /** Rows in quarantine by resource; absent if there are none. They do not make a gateway unready. */
  readonly quarantinedRows?: Readonly<Record<string, number>>;
}
