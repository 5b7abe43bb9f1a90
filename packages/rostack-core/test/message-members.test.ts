import { thrownBy } from 'test-support/thrown-by';
import { describe, expect, test } from 'vitest';
import {
  parseClientMessage,
  parseServerMessage,
  RELEASES,
  type Release,
  releaseSchemas,
} from '../src/index.ts';

interface MessageType {
  readonly from: 'client' | 'server' | 'both';
  /** A message with each required member. */
  readonly message: Readonly<Record<string, unknown>>;
  readonly optional?: Readonly<Record<string, unknown>>;
  /** By member, what is refused in its place. */
  readonly refused?: Readonly<Record<string, readonly unknown[]>>;
}

const id = { subscription_id: 's' };

const TYPES: Readonly<Record<string, MessageType>> = {
  authenticate: {
    from: 'client',
    message: { method: 'oauth2', token: 't' },
    refused: { method: ['basic', '', null], token: ['', 1, null] },
  },
  authenticated: {
    from: 'server',
    message: {
      method: 'shared_token',
      protocol_version: 'rostack_v1',
      api_version: '7',
      principal_id: 'p',
    },
    optional: { reauthenticate_at: '2026-08-13T10:00:00+09:00' },
    refused: {
      method: ['basic', ''],
      protocol_version: ['rostack_v2', '1'],
      api_version: ['', 7],
      principal_id: ['', null],
      reauthenticate_at: ['', '2026-08-13', 1_786_582_923_004, '2026-08-13T10:00:00'],
    },
  },
  subscribe: {
    from: 'client',
    message: { ...id, resource: 'stations' },
    optional: {
      event_types: ['station.created'],
      filter: { '/a': { eq: 1 } },
      cursor: 'c',
      event_encoding: 'compact-json',
    },
    refused: {
      resource: ['', 1],
      event_types: [[], ['a', 'a'], 'a', [1]],
      filter: [{}, [], '{"/a":{"eq":1}}', { a: { eq: 1 } }],
      cursor: ['', 1, null],
      event_encoding: [1, null],
    },
  },
  subscribed: {
    from: 'server',
    message: { ...id, event_encoding: 'json', replaying: true },
    refused: { event_encoding: ['cbor', ''], replaying: ['true', null] },
  },
  replay_complete: { from: 'server', message: id },
  unsubscribe: { from: 'client', message: id },
  event: {
    from: 'server',
    message: {
      ...id,
      event_id: 'e',
      cursor: 'c',
      occurred_at: '2026-01-01T00:00:00Z',
      event_type: 't',
      resource_id: 'r',
      resource_version: 'v',
    },
    optional: { detail_url: 'https://a.example/r', data: null },
    refused: {
      event_id: ['', 1],
      cursor: ['', 1],
      occurred_at: ['', '2026-01-01', 0],
      event_type: [''],
      resource_id: ['', 1],
      resource_version: ['', 1],
      detail_url: ['', 'http://a.example/r', '/r', null],
    },
  },
  error: {
    from: 'server',
    message: { code: 'permission_denied', message: 'm', retryable: false },
    optional: id,
    refused: { code: ['', 1], message: ['', 1], retryable: ['false', null] },
  },
  go_away: {
    from: 'server',
    message: { reason: 'r', reconnect_after_ms: 5, drain_timeout_ms: 5 },
    optional: { gateway_url: 'wss://a.example/g' },
    refused: {
      reason: ['', 1],
      reconnect_after_ms: [-1, 0.5, '0', 6],
      drain_timeout_ms: [-1, 5.5, 4],
      gateway_url: ['', 'ws://a.example/g', 'https://a.example/g'],
    },
  },
  ping: { from: 'both', message: { id: '1' }, refused: { id: ['', 1, null] } },
  pong: { from: 'both', message: { id: '1' }, refused: { id: ['', 1, null] } },
};

/** Whether the message is taken, by each side that may be sent it and by no other. */
function isTaken({ from }: MessageType, message: object, release: Release): boolean {
  const text = JSON.stringify(message);
  const byServer = thrownBy(() => parseClientMessage(text, { release })) === undefined;
  const byClient =
    thrownBy(() => parseServerMessage(text, { release: release as '2026-08-12' })) === undefined;
  const isTakenByAny = byServer || byClient;
  // Each side takes what the other may send, and nothing else.
  expect({ byServer, byClient }).toEqual({
    byServer: isTakenByAny && from !== 'server',
    byClient: isTakenByAny && from !== 'client',
  });
  return isTakenByAny;
}

describe.each(RELEASES)('messages of release %s', (release) => {
  test('are of the eleven types', () => {
    const schema = JSON.stringify(releaseSchemas(release).get('websocket-message.schema.json'));
    const types = [...schema.matchAll(/"type":\{[^{}]*"const":"(\w+)"/g)].map(([, type]) => type ?? '');
    expect(new Set(types)).toEqual(new Set(Object.keys(TYPES)));
    expect(Object.keys(TYPES)).toHaveLength(11);
  });

  test.each(Object.entries(TYPES))('%s', (type, known) => {
    const { message, optional = {}, refused = {} } = known;
    const least = { type, ...message };
    expect(isTaken(known, least, release)).toBe(true);
    const whole = { ...least, ...optional };
    expect(isTaken(known, whole, release)).toBe(true);
    expect(isTaken(known, { ...whole, unknown: 1 }, release)).toBe(false);
    expect(isTaken(known, { ...whole, type: type.toUpperCase() }, release)).toBe(false);
    for (const name of ['type', ...Object.keys(message)]) {
      const isForgiven = release === '2026-08-12' && name === 'retryable';
      const without = Object.fromEntries(Object.entries(least).filter(([member]) => member !== name));
      expect([name, isTaken(known, without, release)]).toEqual([name, isForgiven]);
    }
    const values = { ...('subscription_id' in whole && { subscription_id: ['', 1, null] }), ...refused };
    const isTried = (name: string) => name in values || name === 'type' || name === 'data';
    expect(Object.keys(whole).filter((name) => !isTried(name))).toEqual([]);
    for (const [name, wrong] of Object.entries(values))
      for (const value of wrong)
        expect([name, value, isTaken(known, { ...whole, [name]: value }, release)]).toEqual([
          name,
          value,
          false,
        ]);
  });

  test('compact events have 8 to 10 positions, each of its kind', () => {
    const event = TYPES.event ?? { from: 'server', message: {} };
    const head: unknown[] = ['e', 's', 'e1', 'c', 0, 't', 'r', 'v'];
    for (const tail of [[], [null], ['https://a.example/r'], [null, { a: 1 }], ['https://a.example/r', null]])
      expect([tail, isTaken(event, [...head, ...tail], release)]).toEqual([tail, true]);
    for (const tail of [[1], [{ a: 1 }], ['http://a.example/r'], [null, 1, 2]])
      expect([tail, isTaken(event, [...head, ...tail], release)]).toEqual([tail, false]);
    for (let position = 0; position < 8; position += 1) {
      expect([position, isTaken(event, head.toSpliced(position, 1), release)]).toEqual([position, false]);
      for (const value of position === 4 ? [-1, 0.5, '0'] : ['', 1, null])
        expect([position, isTaken(event, head.toSpliced(position, 1, value), release)]).toEqual([
          position,
          false,
        ]);
    }
  });
});
