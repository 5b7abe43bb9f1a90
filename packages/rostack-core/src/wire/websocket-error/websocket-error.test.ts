import * as fc from 'fast-check';
import { thrownBy } from 'test-support/thrown-by';
import { expect, expectTypeOf, test } from 'vitest';
import {
  CLOSE_CODES,
  createErrorMessage,
  ErrorMessageError,
  parseErrorMessage,
  WEBSOCKET_ERROR_CODES,
  WEBSOCKET_ERRORS,
} from '../../index.ts';

test('the registry holds the fifteen codes of the protocol', () => {
  expect(
    WEBSOCKET_ERROR_CODES.map((code) => {
      const { retryable, subscription, retryAfter } = WEBSOCKET_ERRORS[code];
      return `${code} ${retryable ? 'retryable' : 'final'} ${subscription}${retryAfter ? ' +retry_after_ms' : ''}`;
    }),
  ).toEqual([
    'invalid_message final never',
    'authentication_failed retryable never',
    'reauthentication_identity_mismatch final never',
    'permission_denied final optional',
    'permission_revoked final required',
    'resource_not_found final required',
    'unsupported_event_type final required',
    'unsupported_filter final required',
    'unsupported_encoding final required',
    'subscription_id_conflict final required',
    'cursor_scope_mismatch final required',
    'cursor_unavailable final required',
    'rate_limited retryable optional +retry_after_ms',
    'service_unavailable retryable optional +retry_after_ms',
    'internal_error retryable optional',
  ]);
});

test.each(WEBSOCKET_ERROR_CODES)('%s: exactly its members are taken', (code) => {
  const { retryable, subscription, retryAfter } = WEBSOCKET_ERRORS[code];
  const taken = (extra: object): boolean =>
    !(
      thrownBy(() => parseErrorMessage({ type: 'error', code, message: 'm', retryable, ...extra })) instanceof
      ErrorMessageError
    );
  const id = { subscription_id: 's1' };
  const retry = { retry_after_ms: 0 };
  expect(taken({})).toBe(subscription !== 'required' && !retryAfter);
  expect(taken(id)).toBe(subscription !== 'never' && !retryAfter);
  expect(taken(retry)).toBe(subscription !== 'required' && retryAfter);
  expect(taken({ ...id, ...retry })).toBe(subscription !== 'never' && retryAfter);
  expect(taken({ ...id, ...retry, retryable: !retryable })).toBe(false);
});

test('messages are built whole, and wrong ones cannot be', () => {
  expect(createErrorMessage('cursor_unavailable', { subscription_id: 's1', message: 'expired' })).toEqual({
    type: 'error',
    code: 'cursor_unavailable',
    retryable: false,
    subscription_id: 's1',
    message: 'expired',
  });
  const limited = createErrorMessage('rate_limited', { message: 'slow down', retry_after_ms: 200 });
  expectTypeOf(limited.retry_after_ms).toEqualTypeOf<number>();
  expectTypeOf(limited.retryable).toEqualTypeOf<true>();
  // @ts-expect-error an error of a subscription names it
  expect(() => createErrorMessage('cursor_unavailable', { message: 'm' })).toThrow(ErrorMessageError);
  // @ts-expect-error a malformed message names none
  expect(() => createErrorMessage('invalid_message', { message: 'm', subscription_id: 's' })).toThrow(
    ErrorMessageError,
  );
  // @ts-expect-error a rate limit says when to come back
  expect(() => createErrorMessage('rate_limited', { message: 'm' })).toThrow(ErrorMessageError);
});

test('close codes', () => {
  expect(Object.values(CLOSE_CODES)).toEqual([4400, 4401, 4403, 4408, 4410, 4429, 4500]);
});

test('nothing but an ErrorMessageError comes out of parsing', () => {
  const members = fc.constantFrom('type', 'code', 'message', 'retryable', '__proto__', 'length');
  fc.assert(
    fc.property(fc.oneof(fc.anything(), fc.dictionary(members, fc.jsonValue())), (value) => {
      expect(thrownBy(() => parseErrorMessage(value))).toBeInstanceOf(ErrorMessageError);
    }),
    { numRuns: 500 },
  );
});
