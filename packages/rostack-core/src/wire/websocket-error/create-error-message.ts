import { validateBeyond } from '../model/check.ts';
import { defineFaultsError } from '../model/fault.ts';
import { ERROR_MESSAGE_CHECKS } from './error-message-checks.ts';
import { errorMessageModel20260813 } from './error-message-model.ts';
import {
  type ErrorMembers,
  type ErrorMessage,
  type ErrorMessageOf,
  WEBSOCKET_ERRORS,
  type WebSocketErrorCode,
} from './websocket-errors.ts';

/** A value is not an error message. */
export class ErrorMessageError extends defineFaultsError(
  'ErrorMessageError',
  'invalid_error_message',
  'not an error message',
) {}

/**
 * Builds an error message of the gateway without the members that are undefined. `WEBSOCKET_ERRORS`, and the types,
 * say which members a code needs, allows or forbids.
 * @throws ErrorMessageError code `invalid_error_message` when a member breaks its rule
 * @see protocol section 7, error codes
 */
export function createErrorMessage<C extends WebSocketErrorCode>(
  code: C,
  members: ErrorMembers<C>,
): ErrorMessageOf<C> {
  const given = Object.entries(members).filter(([, value]) => value !== undefined);
  const fixed = { type: 'error', code, retryable: WEBSOCKET_ERRORS[code].retryable };
  const message = parseErrorMessage({ ...fixed, ...Object.fromEntries(given), ...fixed });
  return message as unknown as ErrorMessageOf<C>;
}

/**
 * Validates an error message of release 2026-08-13.
 * @throws ErrorMessageError code `invalid_error_message`, with every fault
 * @see protocol section 7, error codes
 */
export function parseErrorMessage(value: unknown): ErrorMessage {
  const result = validateBeyond(errorMessageModel20260813, ERROR_MESSAGE_CHECKS, value, '2026-08-13');
  if (!result.ok) throw new ErrorMessageError(result.faults);
  return result.value as unknown as ErrorMessage;
}
