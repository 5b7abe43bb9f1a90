import { CLOSE_CODES, type ErrorMessage, WEBSOCKET_ERRORS } from 'rostack-core';
import { describe, expect, test } from 'vitest';
import {
  credentialOf,
  INTERVAL_MS,
  instant,
  PONG_MS,
  sessionRules,
  TIMEOUT_MS,
} from '../../../test/support/session-fixture.ts';
import type { WebSocketLimits } from '../websocket-limits.ts';
import { sessionDueMs, stepSession } from './session.ts';
import type { SessionInput } from './session-input.ts';
import type { SessionStep } from './session-output.ts';
import { createSession, type SessionState } from './session-state.ts';

/** Drives one session and keeps what the last input gave. */
class Driver {
  readonly rules;
  state: SessionState;
  last: SessionStep;
  nowMs = 0;

  constructor(limits: Partial<WebSocketLimits> = {}) {
    this.rules = sessionRules(limits);
    this.state = createSession(this.rules, instant(0));
    this.last = { state: this.state, messages: [], effects: [] };
  }

  step(input: SessionInput): this {
    this.last = stepSession(this.rules, this.state, input);
    this.state = this.last.state;
    return this;
  }

  receive(message: object | string): this {
    const text = typeof message === 'string' ? message : JSON.stringify(message);
    return this.step({ kind: 'message', text, at: instant(this.nowMs) });
  }

  tick(nowMs: number, deliveredAtMs = 0, progressAtMs = 0): this {
    this.nowMs = nowMs;
    return this.step({ kind: 'tick', at: instant(nowMs), deliveredAtMs, progressAtMs });
  }

  authenticated(credential = credentialOf()): this {
    return this.receive({ type: 'authenticate', method: 'shared_token', token: 't' }).step({
      kind: 'verdict',
      attempt: this.state.attempts,
      verdict: { kind: 'accepted', credential },
      at: instant(this.nowMs),
    });
  }

  subscribed(subscriptionId: string, members: object = {}): this {
    this.receive({ type: 'subscribe', subscription_id: subscriptionId, resource: 'stations', ...members });
    return this.opened(subscriptionId);
  }

  opened(subscriptionId: string): this {
    const ticket = this.state.subscriptions.get(subscriptionId)?.ticket ?? -1;
    return this.step({
      kind: 'opened',
      subscriptionId,
      ticket,
      opening: { kind: 'placed' },
      at: instant(this.nowMs),
    });
  }

  /** Codes of the errors sent, then the code of the close. */
  get outcome(): readonly (string | number)[] {
    return [
      ...this.last.messages.map((message) => (message.type === 'error' ? message.code : message.type)),
      ...this.last.effects.flatMap((effect) => (effect.kind === 'close' ? [effect.code] : [])),
    ];
  }
}

const subscribe = (members: object): object => ({
  type: 'subscribe',
  subscription_id: 's',
  resource: 'stations',
  ...members,
});

describe('a session before authentication', () => {
  test.each<readonly [string, (driver: Driver) => Driver, readonly (string | number)[]]>([
    ['a text that is not JSON', (driver) => driver.receive('hello'), [4400]],
    ['a malformed message', (driver) => driver.receive({ type: 'authenticate' }), [4400]],
    ['another message', (driver) => driver.receive({ type: 'ping', id: 'x' }), [4401]],
    [
      'a method that is not offered',
      (driver) => driver.receive({ type: 'authenticate', method: 'oauth2', token: 't' }),
      ['authentication_failed', 4401],
    ],
    ['silence', (driver) => driver.tick(TIMEOUT_MS), [4408]],
    [
      'a verification that does not end',
      (driver) =>
        driver.receive({ type: 'authenticate', method: 'shared_token', token: 't' }).tick(TIMEOUT_MS),
      ['service_unavailable', 4500],
    ],
    ['a frame that is no text', (driver) => driver.step({ kind: 'unreadable', at: instant(0) }), [4400]],
    ['too many waiting messages', (driver) => driver.step({ kind: 'overrun', at: instant(0) }), [4429]],
    [
      'a credential that has expired already',
      (driver) => driver.authenticated(credentialOf('p', [], 999_000)),
      ['authentication_failed', 4401],
    ],
  ])('ends on %s', (_name, drive, outcome) => {
    const driver = drive(new Driver());
    expect(driver.outcome).toEqual(outcome);
    expect(driver.receive({ type: 'ping', id: 'x' }).last).toMatchObject({ messages: [], effects: [] });
    expect(sessionDueMs(driver.rules, driver.state)).toBe(Number.POSITIVE_INFINITY);
  });

  test('takes only the verdict of the latest attempt', () => {
    const driver = new Driver();
    driver.receive({ type: 'authenticate', method: 'shared_token', token: 'one' });
    driver.receive({ type: 'authenticate', method: 'shared_token', token: 'two' });
    const accepted = { kind: 'accepted', credential: credentialOf() } as const;
    driver.step({ kind: 'verdict', attempt: 1, verdict: accepted, at: instant(0) });
    expect(driver.last.messages).toEqual([]);
    driver.step({ kind: 'verdict', attempt: 2, verdict: accepted, at: instant(0) });
    expect(driver.last.messages).toEqual([
      {
        type: 'authenticated',
        method: 'shared_token',
        protocol_version: 'rostack_v1',
        api_version: '1',
        principal_id: 'p',
      },
    ]);
  });
});

describe('subscribing', () => {
  test.each<readonly [string, object, ErrorMessage['code']]>([
    ['an unknown resource', { resource: 'nothing' }, 'resource_not_found'],
    ['an event type that is not advertised', { event_types: ['station.exploded'] }, 'unsupported_event_type'],
    ['a resource without events', { resource: 'archives' }, 'unsupported_event_type'],
    ['a filter where events are not filtered', { resource: 'alerts', filter: {} }, 'unsupported_filter'],
    ['a field that is not filterable', { filter: { '/note': { eq: 'x' } } }, 'unsupported_filter'],
    ['an operator that is not advertised', { filter: { '/height': { exists: true } } }, 'unsupported_filter'],
    ['a malformed filter', { filter: { '/city': { like: 'x' } } }, 'invalid_message'],
    ['a cursor of another scope', { cursor: 'stations/q@4' }, 'cursor_scope_mismatch'],
    ['a cursor that cannot be read', { cursor: 'nonsense' }, 'cursor_unavailable'],
  ])('to %s is answered with %s', (_name, members, code) => {
    const driver = new Driver().authenticated().receive(subscribe(members));
    expect(driver.last.messages).toMatchObject([{ type: 'error', code }]);
    expect(driver.state.subscriptions.size).toBe(0);
    const isNamed = WEBSOCKET_ERRORS[code].subscription === 'required';
    expect(driver.last.messages[0]).toMatchObject(isNamed ? { subscription_id: 's' } : { type: 'error' });
  });

  test('asks for an encoding that is advertised', () => {
    const driver = new Driver();
    const rules = { ...driver.rules, eventEncodings: new Set(['json'] as const) };
    driver.authenticated();
    const step = stepSession(rules, driver.state, {
      kind: 'message',
      text: JSON.stringify(subscribe({ event_encoding: 'compact-json' })),
      at: instant(0),
    });
    expect(step.messages).toMatchObject([{ code: 'unsupported_encoding', subscription_id: 's' }]);
  });

  test('without the permission says nothing about the rest of the request', () => {
    const driver = new Driver().authenticated(credentialOf('p', ['stations:read']));
    driver.receive(subscribe({ event_types: ['station.exploded'], cursor: 'nonsense' }));
    expect(driver.outcome).toEqual(['permission_denied']);
  });

  const DEFINITION = {
    event_types: ['station.created', 'station.deleted'],
    filter: { '/city': { eq: 'Seoul', ne: 'Busan' }, '/height': { gt: 1 } },
    cursor: 'stations/p@4',
  };

  test.each<readonly [string, object, object]>([
    ['the same text', DEFINITION, DEFINITION],
    [
      'event types in another order',
      DEFINITION,
      { ...DEFINITION, event_types: ['station.deleted', 'station.created'] },
    ],
    [
      'filter members in another order',
      DEFINITION,
      { ...DEFINITION, filter: { '/height': { gt: 1 }, '/city': { ne: 'Busan', eq: 'Seoul' } } },
    ],
    ['the default encoding', DEFINITION, { ...DEFINITION, event_encoding: 'json' }],
    [
      'all event types by name',
      {},
      { event_types: ['station.updated', 'station.deleted', 'station.created'] },
    ],
  ])('again with %s is answered with the present state and opens nothing', (_name, first, second) => {
    const driver = new Driver().authenticated().subscribed('s', first);
    const replaying = 'cursor' in first;
    driver.receive(subscribe(second));
    expect(driver.last.messages).toEqual([
      { type: 'subscribed', subscription_id: 's', event_encoding: 'json', replaying },
    ]);
    expect(driver.last.effects).toEqual([]);
    const ticket = driver.state.subscriptions.get('s')?.ticket ?? -1;
    driver.step({ kind: 'caught-up', subscriptionId: 's', ticket, at: instant(0) });
    driver.receive(subscribe(second));
    expect(driver.last.messages).toMatchObject([{ type: 'subscribed', replaying: false }]);
  });

  test.each<readonly [string, object]>([
    ['fewer event types', { ...DEFINITION, event_types: ['station.created'] }],
    ['another filter', { ...DEFINITION, filter: { '/city': { eq: 'Seoul' } } }],
    ['another cursor', { ...DEFINITION, cursor: 'stations/p@5' }],
    ['no cursor', { event_types: DEFINITION.event_types, filter: DEFINITION.filter }],
    ['another encoding', { ...DEFINITION, event_encoding: 'compact-json' }],
    ['another resource', { resource: 'alerts' }],
  ])('again with %s is a conflict, and the first goes on', (_name, second) => {
    const driver = new Driver().authenticated().subscribed('s', DEFINITION);
    driver.receive(subscribe(second));
    expect(driver.outcome).toEqual(['subscription_id_conflict']);
    expect(driver.state.subscriptions.get('s')?.phase).toBe('replaying');
  });

  test('twice before it is open is answered twice when it is', () => {
    const driver = new Driver().authenticated().receive(subscribe({})).receive(subscribe({}));
    expect(driver.last).toMatchObject({ messages: [], effects: [] });
    expect(driver.opened('s').outcome).toEqual(['subscribed', 'subscribed']);
  });

  test('is forgotten by unsubscribe, even before it is open', () => {
    const driver = new Driver().authenticated().receive(subscribe({}));
    const ticket = driver.state.subscriptions.get('s')?.ticket ?? -1;
    driver.receive({ type: 'unsubscribe', subscription_id: 's' });
    expect(driver.last.effects).toEqual([{ kind: 'stop', subscriptionId: 's', ticket }]);
    driver.receive(subscribe({ resource: 'alerts' }));
    driver.step({ kind: 'opened', subscriptionId: 's', ticket, opening: { kind: 'placed' }, at: instant(0) });
    expect(driver.last.messages).toEqual([]);
    expect(driver.opened('s').outcome).toEqual(['subscribed']);
  });

  test('that cannot be placed is refused and forgotten', () => {
    for (const [opening, code] of [
      [{ kind: 'cursor_unavailable' }, 'cursor_unavailable'],
      [{ kind: 'unavailable', retryAfterMs: 5 }, 'service_unavailable'],
    ] as const) {
      const driver = new Driver().authenticated().receive(subscribe({}));
      const ticket = driver.state.subscriptions.get('s')?.ticket ?? -1;
      driver.step({ kind: 'opened', subscriptionId: 's', ticket, opening, at: instant(0) });
      expect(driver.outcome).toEqual([code]);
      expect(driver.state.subscriptions.size).toBe(0);
    }
  });

  test('ends by the server with its reason, and the others go on', () => {
    const driver = new Driver().authenticated().subscribed('s').subscribed('t');
    const ticket = driver.state.subscriptions.get('s')?.ticket ?? -1;
    driver.step({ kind: 'ended', subscriptionId: 's', ticket, reason: 'internal_error', at: instant(0) });
    expect(driver.last.messages).toMatchObject([{ code: 'internal_error', subscription_id: 's' }]);
    expect([...driver.state.subscriptions.keys()]).toEqual(['t']);
  });
});

describe('limits of a session', () => {
  test('malformed messages are answered, and too many of them close it with 4400', () => {
    const driver = new Driver({ maxInvalidMessages: 2 }).authenticated();
    expect(driver.receive({ type: 'nothing' }).outcome).toEqual(['invalid_message']);
    expect(driver.receive('[]').outcome).toEqual(['invalid_message']);
    expect(driver.receive({ type: 'subscribe' }).outcome).toEqual(['invalid_message', 4400]);
  });

  test('a text that is not JSON closes it at once', () => {
    expect(new Driver().authenticated().receive('{').outcome).toEqual([4400]);
  });

  test('messages over their rate are dropped with the time to wait, and too many close it with 4429', () => {
    const driver = new Driver({
      messageRate: { burst: 2, perSecond: 10 },
      maxRateViolations: 2,
    }).authenticated();
    expect(driver.receive({ type: 'ping', id: '1' }).outcome).toEqual(['pong']);
    expect(driver.receive({ type: 'ping', id: '2' }).outcome).toEqual(['rate_limited']);
    expect(driver.last.messages).toMatchObject([{ retry_after_ms: 100, retryable: true }]);
    driver.nowMs = 100;
    expect(driver.receive({ type: 'ping', id: '3' }).outcome).toEqual(['pong']);
    expect(driver.receive({ type: 'ping', id: '4' }).outcome).toEqual(['rate_limited']);
    expect(driver.receive({ type: 'ping', id: '5' }).outcome).toEqual([
      'rate_limited',
      CLOSE_CODES.rateLimit,
    ]);
  });

  test('subscriptions over their rate or their number are refused one by one', () => {
    const driver = new Driver({ subscribeRate: { burst: 2, perSecond: 1 } }).authenticated();
    driver.subscribed('a').subscribed('b');
    driver.receive(subscribe({ subscription_id: 'c' }));
    expect(driver.last.messages).toMatchObject([
      { code: 'rate_limited', subscription_id: 'c', retry_after_ms: 1_000 },
    ]);
    const crowded = new Driver({ maxSubscriptions: 1 }).authenticated().subscribed('a');
    crowded.receive(subscribe({ subscription_id: 'b' }));
    expect(crowded.last.messages).toMatchObject([{ code: 'rate_limited', subscription_id: 'b' }]);
    crowded.receive(subscribe({ subscription_id: 'a' }));
    expect(crowded.outcome).toEqual(['subscribed']);
  });

  test('too many subscriptions without permission close it with 4403', () => {
    const driver = new Driver({ maxPermissionRefusals: 1 }).authenticated(credentialOf('p', []));
    expect(driver.receive(subscribe({})).outcome).toEqual(['permission_denied']);
    expect(driver.receive(subscribe({})).outcome).toEqual(['permission_denied', 4403]);
  });
});

describe('the heartbeat', () => {
  const pinged = (): Driver => new Driver().authenticated().tick(INTERVAL_MS);

  test('pings when nothing was received for the interval, however much was sent', () => {
    const driver = new Driver().authenticated();
    expect(driver.tick(INTERVAL_MS - 1, INTERVAL_MS - 1).outcome).toEqual([]);
    expect(driver.tick(INTERVAL_MS, INTERVAL_MS).outcome).toEqual(['ping']);
  });

  test('pings when nothing was sent for the interval, however much was received', () => {
    const driver = new Driver().authenticated();
    driver.nowMs = INTERVAL_MS - 1;
    driver.receive({ type: 'unsubscribe', subscription_id: 'none' });
    expect(driver.tick(INTERVAL_MS).outcome).toEqual(['ping']);
  });

  test('says when it is next due', () => {
    const driver = new Driver().authenticated();
    expect(sessionDueMs(driver.rules, driver.state)).toBe(INTERVAL_MS);
    driver.tick(INTERVAL_MS);
    expect(sessionDueMs(driver.rules, driver.state)).toBe(INTERVAL_MS + PONG_MS);
  });

  test('uses an id once, and only its own pong satisfies it', () => {
    const driver = pinged();
    const [first] = driver.last.messages;
    driver.nowMs += 1;
    driver.receive({ type: 'pong', id: 'another' }).receive({ type: 'ping', id: 'x' });
    expect(driver.tick(INTERVAL_MS + PONG_MS).outcome).toEqual([4408]);

    const answered = pinged();
    answered.receive({ type: 'pong', id: first?.type === 'ping' ? first.id : '' });
    expect(answered.tick(INTERVAL_MS + PONG_MS).outcome).toEqual([]);
    expect(answered.tick(2 * INTERVAL_MS).outcome).toEqual(['ping']);
    expect(answered.last.messages).not.toEqual([first]);
  });

  test('waits on while what was sent before still leaves', () => {
    const driver = pinged();
    const lateMs = INTERVAL_MS + PONG_MS;
    expect(driver.tick(lateMs, 0, lateMs - 1).outcome).toEqual([]);
    expect(driver.tick(lateMs + PONG_MS, 0, lateMs - 1).outcome).toEqual([4408]);
  });
});

describe('draining', () => {
  const draining = {
    reason: 'maintenance',
    reconnectAfterMs: 100,
    drainTimeoutMs: 1_000,
    gatewayUrl: 'wss://other.example/gateway',
  };

  test('tells the client to go, serves on, and closes with 4410 at the timeout', () => {
    const driver = new Driver().authenticated();
    driver.step({ kind: 'drain', draining, at: instant(0) });
    expect(driver.last.messages).toEqual([
      {
        type: 'go_away',
        reason: 'maintenance',
        reconnect_after_ms: 100,
        drain_timeout_ms: 1_000,
        gateway_url: 'wss://other.example/gateway',
      },
    ]);
    expect(driver.subscribed('s').outcome).toEqual(['subscribed']);
    expect(driver.step({ kind: 'drain', draining, at: instant(10) }).outcome).toEqual([]);
    expect(driver.tick(999).outcome).toEqual([]);
    expect(driver.tick(1_000).outcome).toEqual([4410]);
  });
});

describe('a second look at the credential', () => {
  const recheck = (driver: Driver, verdict: Extract<SessionInput, { kind: 'recheck' }>['verdict']): Driver =>
    driver.step({ kind: 'recheck', verdict, at: instant(driver.nowMs) });

  test('ends the session when it was revoked, has expired, or speaks for another', () => {
    for (const verdict of [
      { kind: 'rejected' },
      { kind: 'accepted', credential: credentialOf('p', [], 999_999) },
      { kind: 'accepted', credential: credentialOf('q') },
    ] as const) {
      expect(recheck(new Driver().authenticated(), verdict).outcome).toEqual([4401]);
    }
  });

  test('changes nothing when nobody can tell', () => {
    const driver = new Driver().authenticated().subscribed('s');
    expect(recheck(driver, { kind: 'unavailable', retryAfterMs: 1 }).last).toMatchObject({
      messages: [],
      effects: [],
    });
  });

  test('ends what is no longer permitted', () => {
    const driver = new Driver().authenticated().subscribed('s').subscribed('a', { resource: 'alerts' });
    recheck(driver, { kind: 'accepted', credential: credentialOf('p', ['stations:read']) });
    expect(driver.last.messages).toMatchObject([{ code: 'permission_revoked', subscription_id: 's' }]);
    expect([...driver.state.subscriptions.keys()]).toEqual(['a']);
  });
});

describe('expiry', () => {
  test('ends the session even while a replacement is being verified', () => {
    const driver = new Driver().authenticated(credentialOf('p', [], 1_002_000));
    driver.nowMs = 1_999;
    driver.receive({ type: 'authenticate', method: 'shared_token', token: 'next' });
    expect(driver.tick(1_999).outcome).toEqual([]);
    expect(driver.tick(2_000).outcome).toEqual([4401]);
  });

  test('of a verification that takes too long leaves the old credential', () => {
    const driver = new Driver().authenticated();
    driver.receive({ type: 'authenticate', method: 'shared_token', token: 'next' });
    expect(sessionDueMs(driver.rules, driver.state)).toBe(TIMEOUT_MS);
    expect(driver.tick(TIMEOUT_MS).outcome).toEqual(['service_unavailable']);
    expect(driver.state.identity?.principal.id).toBe('p');
  });
});
