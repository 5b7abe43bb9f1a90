import { type MenuError, OperatorError } from '../domain/menu-error.ts';
import { statusError } from '../http/answer-error.ts';
import type { Hold, Unavailable } from './session-state.ts';

/** Only a person heals it. */
export function refusedError(retryAfterMs: number): OperatorError {
  const what = 'The operator refuses the account';
  const toDo = "check the user name and the password, and log in with them in the operator's own app";
  return new OperatorError('welstory', 'login_refused', `${what}: ${toDo}.`, { retryAfterMs });
}

/** A login was answered with 429 or 5xx; of one that may be tried again at once, the error itself. */
export function unavailableError(
  { status, nextLoginAtMs }: Unavailable,
  nowMs: number,
  error = statusError('welstory', { status, headers: new Headers() }, nowMs),
): MenuError {
  // A kept status is always one that fails.
  if (error === undefined) throw new RangeError(`${status} is no failure`);
  return nowMs < nextLoginAtMs ? noLoginError(error, nextLoginAtMs - nowMs) : error;
}

/** Even new sessions are turned away. */
export function heldError({ code, untilMs }: Hold, nowMs: number): OperatorError {
  const message =
    code === 'operator_maintenance'
      ? 'The operator shows a page for people instead of answers, even to a new session.'
      : 'The operator turned away even a new session.';
  return new OperatorError('welstory', code, message, { retryAfterMs: Math.max(1, untilMs - nowMs) });
}

/** Why no login is tried for a while: what the last one failed with. */
export function noLoginError(error: MenuError, retryAfterMs: number): OperatorError {
  const message = `The login could not be made: ${error.message}`;
  return new OperatorError('welstory', error.code, message, { cause: error, retryAfterMs });
}
