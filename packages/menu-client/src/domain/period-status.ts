/**
 * - `ok`: read, with menus
 * - `empty`: the operator answered that there are no menus
 * - `failed`: could not be read and nothing earlier is kept; `error` says why
 * - `stale`: could not be read now; the menus are those of `fetchedAt`
 */
export type PeriodStatus = 'ok' | 'empty' | 'failed' | 'stale';

/** Why something could not be read. */
export interface PeriodError {
  /** A `MenuErrorCode`. */
  readonly code: string;
  /** Whether asking again may help. */
  readonly retryable: boolean;
}
