/**
 * - `ok`: read, with menus
 * - `empty`: the operator answered that there are no menus
 * - `failed`: could not be read and nothing earlier is kept; `error` says why
 * - `stale`: could not be read now, or is still being read; the menus are those of `fetchedAt`
 * - `loading`: never read so far, and on its way: ask again in a moment
 */
export type PeriodStatus = 'ok' | 'empty' | 'failed' | 'stale' | 'loading';

/** Why something could not be read. */
export interface PeriodError {
  /** A `MenuErrorCode`. */
  readonly code: string;
  /** Whether asking again may help. */
  readonly retryable: boolean;
}
