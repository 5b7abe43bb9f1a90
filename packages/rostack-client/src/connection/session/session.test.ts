import { describe, expect, test } from 'vitest';
import { openSession, SessionDriver, WALL_MS } from '../../../test/support/session-driver.ts';
import { CredentialsError } from '../../http/error/errors.ts';

const VIOLATION = [4400, 'protocol_violation'];
const isoAt = (afterMs: number): string => new Date(WALL_MS + afterMs).toISOString();

describe('authentication', () => {
  test('the credential goes first, and once', () => {
    const session = new SessionDriver().opened();
    expect(session.outcome).toEqual(['ask']);
    expect(session.gives('t').messages).toEqual([
      { type: 'authenticate', method: 'shared_token', token: 't' },
    ]);
    expect(session.opened().gives('t').messages).toEqual([]);
    expect(session.authenticated().outcome).toEqual(['authenticated']);
  });

  test.for([
    ['another method', { method: 'oauth2' }, VIOLATION],
    ['another protocol', { protocol_version: 'rostack_v2' }, VIOLATION],
    ['another API version', { api_version: '2' }, [4500, 'discovery_outdated']],
    ['an unknown member', { role: 'admin' }, VIOLATION],
  ] as const)('"authenticated" with %s is refused', ([, members, outcome]) => {
    expect(new SessionDriver().opened().gives('t').authenticated(members).outcome).toEqual(outcome);
  });

  test.for<[string, object | string]>([
    ['subscribed', { type: 'subscribed', subscription_id: 's', event_encoding: 'json', replaying: false }],
    ['replay_complete', { type: 'replay_complete', subscription_id: 's' }],
    ['a compact event', '["e","s","e1","c1",0,"station.created","a","1"]'],
  ])('%s before authentication is refused', ([, message]) => {
    expect(new SessionDriver().opened().gives('t').receive(message).outcome).toEqual(VIOLATION);
  });

  test('a refused credential ends the connection, a passing failure too, with its delay', () => {
    const refused = { type: 'error', code: 'authentication_failed', message: 'no', retryable: true };
    expect(new SessionDriver().opened().gives('t').receive(refused).outcome).toEqual([
      4401,
      'authentication_failed',
    ]);
    const busy = {
      type: 'error',
      code: 'service_unavailable',
      message: 'later',
      retryable: true,
      retry_after_ms: 7_000,
    };
    const session = new SessionDriver().opened().gives('t').receive(busy);
    expect(session.effects).toMatchObject([{ kind: 'close', error: { retryAfterMs: 7_000 } }]);
  });

  test.for([
    ['the socket opens', () => new SessionDriver()],
    ['the credential is answered', () => new SessionDriver().opened().gives('t')],
  ] as const)('gives up when it takes too long until %s', ([, create]) => {
    const session = create();
    expect(session.dueMs).toBe(5_000);
    expect(session.tick(4_999).outcome).toEqual([]);
    expect(session.tick(5_000).outcome).toEqual([4408, 'gateway_timeout']);
  });

  test('without a credential, or without one in time, the connection ends, and nobody is refused', () => {
    const session = new SessionDriver().opened();
    expect(session.tick(4_999).outcome).toEqual([]);
    expect(session.tick(5_000).outcome).toEqual([4408, 'credentials_unavailable']);
    const failed = new SessionDriver().opened().lacks(new CredentialsError('no network'));
    expect(failed.outcome).toEqual([4500, 'credentials_unavailable']);
    const early = { type: 'error', code: 'authentication_failed', message: 'no', retryable: true };
    expect(new SessionDriver().opened().receive(early).outcome).toEqual([4500, 'connection_lost']);
  });

  test('"authenticated" that nobody asked for is refused', () => {
    expect(new SessionDriver().opened().authenticated().outcome).toEqual(VIOLATION);
    expect(openSession().authenticated().outcome).toEqual(VIOLATION);
  });
});

describe('renewal', () => {
  const renewing = (members: object = { reauthenticate_at: isoAt(100_000) }) => openSession({}, members);

  test('asks for another credential before the present one expires, sends it, and asks again later', () => {
    const session = renewing();
    expect(session.tick(79_999).outcome).not.toContain('ask');
    expect(session.receive({ type: 'pong', id: 'client-1' }).tick(80_000).outcome).toContain('ask');
    session.gives('t2');
    expect(session.messages).toEqual([{ type: 'authenticate', method: 'shared_token', token: 't2' }]);
    expect(session.authenticated({ reauthenticate_at: isoAt(200_000) }).outcome).toEqual([]);
    expect(session.state.renewal).toEqual({ kind: 'due', atMs: 80_000 + 120_000 - 24_000 });
  });

  test('the lead is a minute at most; a time that has passed makes no loop', () => {
    expect(renewing({ reauthenticate_at: isoAt(3_600_000) }).state.renewal).toEqual({
      kind: 'due',
      atMs: 3_540_000,
    });
    expect(renewing({ reauthenticate_at: isoAt(-5) }).state.renewal).toEqual({ kind: 'due', atMs: 500 });
  });

  test('without another credential nothing is asked for', () => {
    const session = openSession({ canRenew: false }, { reauthenticate_at: isoAt(1_000) });
    expect(session.state.renewal).toEqual({ kind: 'none' });
  });

  test('a rejected replacement keeps the connection and is tried again', () => {
    const session = renewing().tick(80_000);
    session.gives('t2');
    session.receive({ type: 'error', code: 'authentication_failed', message: 'no', retryable: true });
    expect(session.outcome).toEqual(['complaint']);
    expect(session.state.renewal).toEqual({ kind: 'due', atMs: 90_000 });
  });

  test('a callback that fails is asked again before the end', () => {
    const session = renewing().tick(80_000);
    session.lacks(new CredentialsError('no network'));
    expect(session.messages).toEqual([]);
    expect(session.outcome).toEqual(['complaint']);
    expect(session.state.renewal).toEqual({ kind: 'due', atMs: 90_000 });
  });

  test('another principal: the server refuses it, so nothing more is tried; it must not accept it', () => {
    const mismatch = {
      type: 'error',
      code: 'reauthentication_identity_mismatch',
      message: 'another',
      retryable: false,
    };
    const session = renewing().tick(80_000);
    session.gives('t2');
    expect(session.receive(mismatch).state.renewal).toEqual({ kind: 'none' });
    const other = renewing().tick(80_000);
    other.gives('t2');
    expect(other.authenticated({ principal_id: 'q' }).outcome).toEqual(VIOLATION);
  });
});

describe('the heartbeat', () => {
  test('pings a silent server; only the matching pong satisfies it', () => {
    const session = openSession().tick(30_000);
    expect(session.messages).toEqual([{ type: 'ping', id: 'client-1' }]);
    const late = openSession().tick(30_000).receive({ type: 'pong', id: 'client-9' }).tick(40_000);
    expect(late.outcome).toEqual([4408, 'gateway_timeout']);
    const answered = openSession().tick(30_000).receive({ type: 'pong', id: 'client-1' }).tick(40_000);
    expect(answered.outcome).toEqual([]);
    expect(answered.tick(60_000).messages).toEqual([{ type: 'ping', id: 'client-2' }]);
  });

  test('pings when one side is silent, though the other is not', () => {
    const hearing = openSession().subscribe('s').subscribed('s', false);
    hearing.nowMs = 20_000;
    expect(hearing.event('s', 1).tick(29_999).messages).toEqual([]);
    expect(hearing.tick(30_000).messages).toEqual([{ type: 'ping', id: 'client-1' }]);

    const asking = openSession().subscribe('s').subscribed('s', false);
    asking.nowMs = 20_000;
    expect(asking.unsubscribe('s').messages).toHaveLength(1);
    expect(asking.tick(29_999).messages).toEqual([]);
    expect(asking.tick(30_000).messages).toEqual([{ type: 'ping', id: 'client-1' }]);

    const both = openSession();
    both.nowMs = 20_000;
    both.receive({ type: 'ping', id: 'x' });
    expect(both.tick(49_999).messages).toEqual([]);
    expect(both.tick(50_000).messages).toEqual([{ type: 'ping', id: 'client-1' }]);
  });

  test('waits for the pong as long as is allowed, and no longer', () => {
    const session = openSession().tick(30_000);
    expect(session.tick(39_999).outcome).toEqual([]);
    expect(session.tick(40_000).outcome).toEqual([4408, 'gateway_timeout']);
  });

  test('answers a ping at once', () => {
    expect(openSession().receive({ type: 'ping', id: 'x' }).messages).toEqual([{ type: 'pong', id: 'x' }]);
  });

  test('is healthy after one interval, once', () => {
    const session = openSession();
    expect(session.tick(29_999).outcome).toEqual([]);
    expect(session.tick(30_000).outcome).toEqual(['healthy']);
    expect(session.tick(30_001).outcome).toEqual([]);
  });
});

describe('subscriptions', () => {
  test('are asked for with definition, encoding and cursor', () => {
    const session = openSession().subscribe('s', 'c0', {
      filter: { '/a': { eq: 1 } },
      encoding: 'compact-json',
    });
    expect(session.messages).toEqual([
      {
        type: 'subscribe',
        subscription_id: 's',
        resource: 'stations',
        filter: { '/a': { eq: 1 } },
        cursor: 'c0',
        event_encoding: 'compact-json',
      },
    ]);
    const named = openSession().subscribe('s', undefined, { namesEventTypes: true });
    expect(named.messages).toMatchObject([{ event_types: ['station.created', 'station.deleted'] }]);
  });

  test('are asked for once', () => {
    expect(openSession().subscribe('s').subscribe('s', 'c').messages).toEqual([]);
  });

  test('replay, then live', () => {
    const session = openSession().subscribe('s', 'c0');
    expect(session.subscribed('s', true).outcome).toEqual(['subscribed']);
    expect(session.event('s', 1).outcome).toEqual(['event']);
    expect(session.receive({ type: 'replay_complete', subscription_id: 's' }).outcome).toEqual(['caught_up']);
    expect(session.event('s', 2).effects).toMatchObject([{ kind: 'event', event: { event_id: 'e2' } }]);
  });

  test.for<[string, (session: SessionDriver) => SessionDriver]>([
    ['subscribed without a request', (session) => session.subscribed('x', false)],
    ['subscribed twice', (session) => session.subscribe('s').subscribed('s', false).subscribed('s', false)],
    ['a replay without a cursor', (session) => session.subscribe('s').subscribed('s', true)],
    ['no replay from a cursor', (session) => session.subscribe('s', 'c').subscribed('s', false)],
    [
      'another encoding',
      (session) => session.subscribe('s').subscribed('s', false, { event_encoding: 'compact-json' }),
    ],
    ['an event of no subscription', (session) => session.event('x', 1)],
    [
      'a compact event of a plain subscription',
      (session) =>
        session
          .subscribe('s')
          .subscribed('s', false)
          .receive('["e","s","e1","c1",0,"station.created","a","1"]'),
    ],
    [
      'an event type that was not named',
      (session) =>
        session
          .subscribe('s', undefined, { namesEventTypes: true })
          .subscribed('s', false)
          .event('s', 1, { event_type: 'station.moved' }),
    ],
    [
      'replay_complete when live',
      (session) =>
        session
          .subscribe('s')
          .subscribed('s', false)
          .receive({ type: 'replay_complete', subscription_id: 's' }),
    ],
    [
      'an error of no subscription',
      (session) =>
        session.receive({
          type: 'error',
          code: 'cursor_unavailable',
          message: 'x',
          retryable: false,
          subscription_id: 'x',
        }),
    ],
    [
      'a second go_away',
      (session) => {
        const goAway = { type: 'go_away', reason: 'r', reconnect_after_ms: 0, drain_timeout_ms: 0 };
        return session.receive(goAway).receive(goAway);
      },
    ],
    ['an unknown member', (session) => session.receive({ type: 'ping', id: 'a', extra: 1 })],
    ['an unknown type', (session) => session.receive({ type: 'shutdown' })],
    ['a message of a client', (session) => session.receive({ type: 'unsubscribe', subscription_id: 's' })],
    ['no JSON', (session) => session.receive('{')],
    ['a message that is too long', (session) => session.receive({ type: 'ping', id: 'x'.repeat(10_000) })],
  ])('%s is refused', ([, run]) => {
    const session = run(openSession());
    expect(session.outcome).toEqual(VIOLATION);
    expect(session.event('s', 9).effects).toEqual([]);
    expect(session.dueMs).toBe(Number.POSITIVE_INFINITY);
  });

  test('an event type that discovery did not name is a reason to read discovery again', () => {
    const session = openSession().subscribe('s').subscribed('s', false);
    expect(session.event('s', 1, { event_type: 'station.moved' }).outcome).toEqual([
      4500,
      'discovery_outdated',
    ]);
  });

  test('what is still under way for a subscription that was left counts no more', () => {
    const session = openSession().subscribe('s').subscribed('s', false).unsubscribe('s');
    expect(session.messages).toEqual([{ type: 'unsubscribe', subscription_id: 's' }]);
    expect(session.event('s', 1).outcome).toEqual([]);
    expect(session.unsubscribe('s').messages).toEqual([]);
    session.subscribe('s', 'c1');
    expect(session.event('s', 2).outcome).toEqual([]);
    expect(session.subscribed('s', true).event('s', 3).outcome).toEqual(['event']);
  });

  test('left before it was answered, and asked for again: the owed answer breaks nothing', () => {
    const session = openSession().subscribe('s', 'c1').unsubscribe('s').subscribe('s', 'c2');
    expect(session.subscribed('s', true).outcome).toEqual(['subscribed']);
    expect(session.subscribed('s', true).outcome).toEqual([]);
    expect(session.subscribed('s', true).outcome).toEqual(VIOLATION);
  });

  test('those that were left are forgotten when there are very many', () => {
    const session = openSession();
    for (let number = 0; number < 1_500; number += 1)
      session.subscribe(`s${number}`).unsubscribe(`s${number}`);
    expect(session.state.subscriptions.size).toBe(1_000);
    expect(session.state.subscriptions.has('s1499')).toBe(true);
  });

  test('an error ends one subscription; under a repeated id the other one at the server is ended too', () => {
    const error = {
      type: 'error',
      code: 'cursor_unavailable',
      message: 'gone',
      retryable: false,
      subscription_id: 's',
    };
    const first = openSession().subscribe('s', 'c').receive(error);
    expect(first.effects).toMatchObject([{ kind: 'ended', error: { code: 'cursor_unavailable' } }]);
    expect(first.messages).toEqual([]);
    expect(first.subscribe('s', 'd').receive(error).messages).toEqual([
      { type: 'unsubscribe', subscription_id: 's' },
    ]);
  });

  test('a request without an answer ends the connection', () => {
    const session = openSession().subscribe('s');
    expect(session.dueMs).toBe(5_000);
    expect(session.tick(5_000).outcome).toEqual([4408, 'gateway_timeout']);
  });

  test('a message that the server left out, it does not say which, ends the connection', () => {
    const error = {
      type: 'error',
      code: 'rate_limited',
      message: 'wait',
      retryable: true,
      retry_after_ms: 7,
    };
    const session = openSession().subscribe('s', 'c').receive(error);
    expect(session.effects).toMatchObject([
      { kind: 'close', error: { code: 'connection_lost', retryAfterMs: 7 } },
    ]);
    expect(
      openSession()
        .subscribe('s')
        .receive({ ...error, subscription_id: 's' }).effects,
    ).toMatchObject([{ kind: 'ended', error: { code: 'rate_limited' } }]);
  });

  test('errors of release 2026-08-12 may have any code', () => {
    const session = openSession({ release: '2026-08-12' }).subscribe('s');
    session.receive({ type: 'error', code: 'teapot', message: 'x', subscription_id: 's' });
    expect(session.effects).toMatchObject([
      { kind: 'ended', error: { code: 'unknown_error', retryable: false } },
    ]);
  });
});
