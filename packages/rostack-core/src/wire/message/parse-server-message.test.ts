import * as fc from 'fast-check';
import { thrownBy } from 'test-support/thrown-by';
import { expect, test } from 'vitest';
import { SAMPLE_MESSAGES } from '../../../test/support/sample-messages.ts';
import { MODELS, parseServerMessage, SERVER_MESSAGE_CHECKS, ServerMessageError } from '../../index.ts';

const CLIENT_ONLY = ['authenticate', 'subscribe', 'unsubscribe'];
const isOfClient = (message: unknown): boolean =>
  typeof message === 'object' &&
  message !== null &&
  'type' in message &&
  CLIENT_ONLY.includes(String(message.type));

test.each(SAMPLE_MESSAGES.map((message) => [JSON.stringify(message), message] as const))(
  '%s',
  (text, message) => {
    const taken = thrownBy(() => parseServerMessage(text)) === undefined;
    expect(taken).toBe(!isOfClient(message));
    expect(taken ? parseServerMessage(text) : undefined).toEqual(taken ? message : undefined);
    expect(thrownBy(() => parseServerMessage(text, { release: '2026-08-12' })) === undefined).toBe(taken);
  },
);

const goAway = { type: 'go_away', reason: 'deploy', reconnect_after_ms: 1, drain_timeout_ms: 1 };
const error = { type: 'error', code: 'permission_denied', message: 'm', retryable: false };
const event = {
  type: 'event',
  subscription_id: 's',
  event_id: 'e',
  cursor: 'c',
  occurred_at: '2026-01-01T00:00:00Z',
  event_type: 't',
  resource_id: 'r',
  resource_version: 'v',
};
const compact = ['e', 's', 'e', 'c', 1, 't', 'r', 'v'];
const authenticated = {
  type: 'authenticated',
  method: 'oauth2',
  protocol_version: 'rostack_v1',
  api_version: '1',
  principal_id: 'p',
};

/** Messages that the published schema takes and a rule beyond it refuses. */
const RULED_OUT: [check: string, path: string, message: unknown][] = [
  ['whole_number_exact', '/drain_timeout_ms', { ...goAway, drain_timeout_ms: 2 ** 53 }],
  [
    'whole_number_exact',
    '/retry_after_ms',
    { ...error, code: 'rate_limited', retryable: true, retry_after_ms: 1e300 },
  ],
  ['drain_covers_reconnect', '/drain_timeout_ms', { ...goAway, drain_timeout_ms: 0 }],
  ['url_usable', '/gateway_url', { ...goAway, gateway_url: 'wss://u:p@a.example/' }],
  ['url_usable', '/detail_url', { ...event, detail_url: 'https://' }],
  ['url_usable', '/8', [...compact, 'https://u@a.example/']],
  ['date_time_valid', '/occurred_at', { ...event, occurred_at: '2026-12-31T23:59:60Z' }],
  ['date_time_valid', '/reauthenticate_at', { ...authenticated, reauthenticate_at: '2026-01-01 00:00:00Z' }],
  ['subscription_id_given', '/subscription_id', { ...error, subscription_id: '' }],
  [
    'subscription_id_fits_code',
    '/subscription_id',
    { ...error, code: 'invalid_message', subscription_id: 's' },
  ],
];

test('going away takes at least as long as coming back', () => {
  expect(parseServerMessage(JSON.stringify(goAway))).toEqual(goAway);
});

test.each(RULED_OUT)('%s %s: a rule beyond the schema', (check, path, message) => {
  expect(MODELS['2026-08-13'].serverMessage.safeParse(message).error).toBeUndefined();
  expect(thrownBy(() => parseServerMessage(JSON.stringify(message)))).toMatchObject({
    faults: [{ check, path }],
  });
});

test('every rule beyond the schema is shown to refuse', () => {
  const names = SERVER_MESSAGE_CHECKS.map(({ name }) => name);
  expect(new Set(RULED_OUT.map(([check]) => check))).toEqual(new Set(names));
});

test('an error of an unknown code is one of the older release only', () => {
  const text = '{"type":"error","code":"teapot","message":"m"}';
  expect(thrownBy(() => parseServerMessage(text))).toBeInstanceOf(ServerMessageError);
  expect(parseServerMessage(text, { release: '2026-08-12' })).toEqual({
    type: 'error',
    code: 'teapot',
    message: 'm',
  });
});

test('data without a URL needs null at position eight', () => {
  expect(thrownBy(() => parseServerMessage(JSON.stringify([...compact, { a: 1 }])))).toBeInstanceOf(
    ServerMessageError,
  );
  expect(parseServerMessage(JSON.stringify([...compact, null, { a: 1 }]))).toHaveLength(10);
  expect(thrownBy(() => parseServerMessage(JSON.stringify([...compact, null, 1, 2])))).toBeInstanceOf(
    ServerMessageError,
  );
});

test('nothing but a ServerMessageError comes out', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      expect(thrownBy(() => parseServerMessage(text))).toBeInstanceOf(ServerMessageError);
    }),
    { numRuns: 500 },
  );
});
