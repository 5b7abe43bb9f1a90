import { type CrossCheck, read } from '../model/check.ts';
import { RELEASES } from '../release/release.ts';
import { WEBSOCKET_ERRORS, type WebSocketErrorCode } from './websocket-errors.ts';

/** The rules for error messages that neither the schema nor a model has. */
export const ERROR_MESSAGE_CHECKS: readonly CrossCheck[] = [
  {
    name: 'subscription_id_given',
    releases: RELEASES,
    *find(message) {
      if (read(message, 'subscription_id') === '')
        yield { keys: ['subscription_id'], message: 'must not be empty' };
    },
  },
  {
    name: 'subscription_id_fits_code',
    releases: ['2026-08-13'],
    *find(message) {
      const code = read(message, 'code');
      if (read(message, 'type') !== 'error' || !isCode(code)) return;
      if (WEBSOCKET_ERRORS[code].subscription !== 'never' || read(message, 'subscription_id') === undefined)
        return;
      yield { keys: ['subscription_id'], message: `must be left out: ${code} concerns the connection` };
    },
  },
];

const isCode = (code: unknown): code is WebSocketErrorCode =>
  typeof code === 'string' && Object.hasOwn(WEBSOCKET_ERRORS, code);
