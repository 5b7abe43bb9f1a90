import { describe, expect, test } from 'vitest';
import { Driver } from '../../../test/support/session-driver.ts';
import {
  credentialOf,
  INTERVAL_MS,
  instant,
  PONG_MS,
  TIMEOUT_MS,
} from '../../../test/support/session-fixture.ts';
import type { AuthenticationResult } from '../../auth/authenticator.ts';

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
    expect(driver.dueMs).toBe(INTERVAL_MS);
    driver.tick(INTERVAL_MS);
    expect(driver.dueMs).toBe(INTERVAL_MS + PONG_MS);
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
  const recheck = (driver: Driver, result: AuthenticationResult): Driver =>
    driver.step({ kind: 'rechecked', result, at: instant(driver.nowMs) });

  test('ends the session when it was revoked, has expired, or speaks for another', () => {
    for (const result of [
      { kind: 'refused', reason: 'revoked' },
      { kind: 'authenticated', credential: credentialOf('p', [], 999_999) },
      { kind: 'authenticated', credential: credentialOf('q') },
    ] as const) {
      expect(recheck(new Driver().authenticated(), result).outcome).toEqual([4401]);
    }
  });

  test('changes nothing when nobody can tell', () => {
    const driver = new Driver().authenticated().subscribed('s');
    expect(recheck(driver, { kind: 'unavailable', retryAfterMs: 1 }).last).toMatchObject({
      messages: [],
      effects: [],
    });
  });

  test.each([1_500, 3_000])(
    'moves the end of the session to when the credential expires now: after %i ms instead of 2000',
    (endMs) => {
      const driver = new Driver().authenticated(credentialOf('p', undefined, 1_002_000));
      const credential = credentialOf('p', undefined, 1_000_000 + endMs);
      expect(recheck(driver, { kind: 'authenticated', credential }).outcome).toEqual([]);
      expect(driver.tick(endMs - 1).outcome).toEqual([]);
      expect(driver.tick(endMs).outcome).toEqual([4401]);
    },
  );

  test('ends what is no longer permitted', () => {
    const driver = new Driver().authenticated().subscribed('s').subscribed('a', { resource: 'alerts' });
    recheck(driver, { kind: 'authenticated', credential: credentialOf('p', ['stations:read']) });
    expect(driver.last.messages).toMatchObject([{ code: 'permission_revoked', subscription_id: 's' }]);
    expect([...driver.state.subscriptions.keys()]).toEqual(['a']);
  });

  test('ends what would show other rows, whether the same token says so or the next one', () => {
    const of = (region: string) => credentialOf('p', undefined, undefined, { region });
    const begun = () => new Driver().authenticated(of('north')).subscribed('s');
    const same = recheck(begun(), { kind: 'authenticated', credential: of('north') });
    expect([same.outcome, same.state.subscriptions.size]).toEqual([[], 1]);
    for (const ended of [
      recheck(begun(), { kind: 'authenticated', credential: of('south') }),
      begun().authenticated(of('south')),
    ]) {
      expect(ended.outcome).toContain('cursor_unavailable');
      expect(ended.last.effects).toContainEqual({ kind: 'stop', subscriptionId: 's', ticket: 1 });
      expect(ended.state.subscriptions.size).toBe(0);
    }
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
    expect(driver.dueMs).toBe(TIMEOUT_MS);
    expect(driver.tick(TIMEOUT_MS).outcome).toEqual(['service_unavailable']);
    expect(driver.state.identity?.principal.id).toBe('p');
  });
});
