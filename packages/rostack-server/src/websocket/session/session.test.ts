import { CLOSE_CODES, type ErrorMessage, WEBSOCKET_ERRORS } from 'rostack-core';
import { describe, expect, test } from 'vitest';
import { Driver } from '../../../test/support/session-driver.ts';
import { credentialOf, instant, TIMEOUT_MS } from '../../../test/support/session-fixture.ts';
import { stepSession } from './session.ts';

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
      'a credential that is refused',
      (driver) => driver.authenticating({ kind: 'refused', reason: 'unknown' }),
      ['authentication_failed', 4401],
    ],
    [
      'a credential that is refused after too many others',
      (driver) => driver.authenticating({ kind: 'rate_limited', retryAfterMs: 5 }),
      ['rate_limited', 4429],
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
    [
      'a credential that expires at this moment',
      (driver) => driver.authenticated(credentialOf('p', [], 1_000_000)),
      ['authentication_failed', 4401],
    ],
  ])('ends on %s', (_name, drive, outcome) => {
    const driver = drive(new Driver());
    expect(driver.outcome).toEqual(outcome);
    expect(driver.receive({ type: 'ping', id: 'x' }).last).toMatchObject({ messages: [], effects: [] });
    expect(driver.dueMs).toBe(Number.POSITIVE_INFINITY);
  });

  test('takes only the result of the latest attempt', () => {
    const driver = new Driver();
    driver.receive({ type: 'authenticate', method: 'shared_token', token: 'one' });
    driver.receive({ type: 'authenticate', method: 'shared_token', token: 'two' });
    const accepted = { kind: 'authenticated', credential: credentialOf() } as const;
    driver.step({ kind: 'verified', attempt: 1, result: accepted, at: instant(0) });
    expect(driver.last.messages).toEqual([]);
    driver.step({ kind: 'verified', attempt: 2, result: accepted, at: instant(0) });
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
    [
      'a filter where events are not filtered',
      { resource: 'alerts', filter: { '/city': { eq: 'x' } } },
      'unsupported_filter',
    ],
    ['a field that is not filterable', { filter: { '/note': { eq: 'x' } } }, 'unsupported_filter'],
    ['an operator that is not advertised', { filter: { '/height': { exists: true } } }, 'unsupported_filter'],
    ['an empty filter', { filter: {} }, 'invalid_message'],
    ['an empty filter in a filter', { filter: { $not: {} } }, 'invalid_message'],
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

  test.each([
    ['"filter":{"/height":{"gt":9007199254740993}}', '/filter/~1height/gt', 'has more digits'],
    ['"filter":{"/height":{"gt":1e400}}', '/filter/~1height/gt', 'is beyond the range'],
    ['"filter":{"/height":{"gt":1,"gt":2}}', '/filter/~1height/gt', 'is repeated'],
    ['"resource":"alerts"', '/resource', 'is repeated'],
    ['"__proto__":{},"__proto__":{}', '/__proto__', 'is repeated'],
  ])('with %s is an invalid message that names %s', (member, path, fault) => {
    const text = JSON.stringify(subscribe({})).replace(/}$/, `,${member}}`);
    const driver = new Driver().authenticated();
    const { messages } = stepSession(driver.rules, driver.state, { kind: 'message', text, at: instant(0) });
    expect(messages).toMatchObject([
      { type: 'error', code: 'invalid_message', message: expect.stringContaining(`${path}: ${fault}`) },
    ]);
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
