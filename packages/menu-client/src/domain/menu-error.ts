import type { Vendor } from './restaurant.ts';

/**
 * Every code that this package throws or puts into a period's `error`, with whether asking again later can help.
 * The list is complete: a new failure gets a row here first.
 */
export const MENU_ERRORS = {
  invalid_date: { retryable: false },
  invalid_argument: { retryable: false },
  /** A real date that no operator can have menus of. */
  date_out_of_range: { retryable: false },
  /** The caller caused too many readings; the cache still answers. No reading is allowed before `retryAfterMs`. */
  too_many_readings: { retryable: true },
  restaurant_not_found: { retryable: false },
  menu_not_found: { retryable: false },
  /** The operator's restaurants have never been read, so nothing can be said about one of them. */
  catalogue_unavailable: { retryable: true },
  deadline_exceeded: { retryable: true },
  /** The answer has not come yet: it is being read, or, for the items of a bundle, nobody has asked for them. */
  not_read_yet: { retryable: true },
  operator_unreachable: { retryable: true },
  operator_timeout: { retryable: true },
  operator_rate_limited: { retryable: true },
  /** The operator answered 5xx. */
  operator_unavailable: { retryable: true },
  /** The operator answered another 4xx: the request itself is refused. */
  operator_refused: { retryable: false },
  operator_answer_empty: { retryable: true },
  operator_answer_invalid: { retryable: true },
  operator_answer_too_large: { retryable: false },
  /** The session ended, or even new ones are refused: then no login is tried before `retryAfterMs`. */
  session_rejected: { retryable: true },
  /** The account is refused, which only a person can mend; no login is tried before `retryAfterMs`. */
  login_refused: { retryable: false },
  /**
   * The operator says that it is under maintenance, or shows a page for people even to a session that has just begun; it is
   * left alone until `retryAfterMs`.
   */
  operator_maintenance: { retryable: true },
  /** Too many reads failed in a row; none is tried before `retryAfterMs`. */
  circuit_open: { retryable: true },
  aborted: { retryable: true },
  /** The driver for this kind of database is not installed; the message has the command to install it. */
  driver_missing: { retryable: false },
  store_unavailable: { retryable: true },
  closed: { retryable: false },
} as const satisfies Record<string, { readonly retryable: boolean }>;

/** A key of `MENU_ERRORS`, which says what each code means and whether asking again may help. */
export type MenuErrorCode = keyof typeof MENU_ERRORS;

/** What an error has besides its code and message. */
export interface MenuErrorOptions {
  /** What was thrown; it must not hold a credential. */
  readonly cause?: unknown;
  /** Milliseconds before which asking again is useless; absent when unknown. */
  readonly retryAfterMs?: number;
}

/** Base of every error that this package throws. */
export class MenuError extends Error {
  override readonly name: string = 'MenuError';
  readonly code: MenuErrorCode;
  readonly retryable: boolean;
  /** Milliseconds before which asking again is useless; absent when unknown. */
  declare readonly retryAfterMs?: number;

  constructor(code: MenuErrorCode, message: string, options: MenuErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.retryable = MENU_ERRORS[code].retryable;
    if (options.retryAfterMs !== undefined) this.retryAfterMs = options.retryAfterMs;
  }
}

/** Whether an error is one of this package, by its code: `instanceof` fails if an application has two copies of the package. */
export function isMenuError(error: unknown): error is MenuError {
  return error instanceof Error && 'code' in error && Object.hasOwn(MENU_ERRORS, error.code as PropertyKey);
}

/**
 * What an error was first caused by, for telling people why: that a list of restaurants is unknown says less than that its
 * operator is under maintenance. The error itself, if it has no such cause.
 */
export function firstCause(error: MenuError): MenuError {
  let first = error;
  while (isMenuError(first.cause)) first = first.cause;
  return first;
}

/** A read from one operator failed. Its message and cause never hold a credential. */
export class OperatorError extends MenuError {
  override readonly name = 'OperatorError';
  /** The operator that could not be read. */
  readonly vendor: Vendor;

  constructor(vendor: Vendor, code: MenuErrorCode, message: string, options: MenuErrorOptions = {}) {
    super(code, message, options);
    this.vendor = vendor;
  }
}

/** The store could not be read or written. */
export class MenuStoreError extends MenuError {
  override readonly name = 'MenuStoreError';

  constructor(message: string, options: MenuErrorOptions = {}) {
    super('store_unavailable', message, options);
  }
}
