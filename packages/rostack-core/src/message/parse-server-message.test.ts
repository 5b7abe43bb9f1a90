import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { SAMPLE_MESSAGES } from '../../test/support/sample-messages.ts';
import { thrownBy } from '../../test/support/thrown-by.ts';
import { parseServerMessage, ServerMessageError } from '../index.ts';

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

test('going away takes at least as long as coming back', () => {
  const goAway = { type: 'go_away', reason: 'deploy', reconnect_after_ms: 10, drain_timeout_ms: 10 };
  expect(parseServerMessage(JSON.stringify(goAway))).toEqual(goAway);
  expect(
    thrownBy(() => parseServerMessage(JSON.stringify({ ...goAway, drain_timeout_ms: 9 }))),
  ).toMatchObject({
    code: 'invalid_server_message',
    faults: [{ check: 'drain_covers_reconnect', path: '/drain_timeout_ms' }],
  });
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
  const event = ['e', 's', 'e', 'c', 1, 't', 'r', 'v'];
  expect(thrownBy(() => parseServerMessage(JSON.stringify([...event, { a: 1 }])))).toBeInstanceOf(
    ServerMessageError,
  );
  expect(parseServerMessage(JSON.stringify([...event, null, { a: 1 }]))).toHaveLength(10);
  expect(thrownBy(() => parseServerMessage(JSON.stringify([...event, null, 1, 2])))).toBeInstanceOf(
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
