import { expect, test, vi } from 'vitest';
import { credentialOf } from '../../test/support/session-fixture.ts';
import type { AuthenticationResult, Authenticator } from './authenticator.ts';
import { AuthenticatorSet } from './authenticator-set.ts';

const accepted: AuthenticationResult = { kind: 'authenticated', credential: credentialOf() };
const refused: AuthenticationResult = { kind: 'refused', reason: 'bad_signature' };
const unavailable: AuthenticationResult = { kind: 'unavailable', retryAfterMs: 5 };

const answering = (
  result: AuthenticationResult,
  method: Authenticator['method'] = 'shared_token',
): Authenticator => ({
  method,
  authenticate: async () => result,
  recheck: async () => result,
});

test.each<readonly [readonly Authenticator[], AuthenticationResult['kind']]>([
  [[answering(refused), answering(accepted)], 'authenticated'],
  [[answering(unavailable), answering(accepted)], 'authenticated'],
  [[answering(refused), answering(unavailable), answering(refused)], 'unavailable'],
  [[answering(refused), answering(refused)], 'refused'],
  [[answering(accepted, 'oauth2'), answering(refused)], 'refused'],
  [[], 'refused'],
])(
  'of several authenticators one has to accept, and one that cannot tell keeps it open (%#)',
  async (all, kind) => {
    const set = new AuthenticatorSet(all);
    expect((await set.authenticate({ method: 'shared_token', token: 't', address: 'a' }, 0)).kind).toBe(kind);
    expect((await set.recheck(credentialOf(), 0)).kind).toBe(kind);
  },
);

test('with an authenticator that hangs each credential of an address is answered within one deadline, and those whose sender has gone are not asked', async () => {
  vi.useFakeTimers();
  try {
    const asked: string[] = [];
    const hanging: Authenticator = {
      method: 'shared_token',
      authenticate: (token) => {
        asked.push(token);
        return new Promise(() => {});
      },
      recheck: async () => accepted,
    };
    const set = new AuthenticatorSet([hanging]);
    const present = async (token: string, isGone = false) =>
      set.authenticate({ method: 'shared_token', token, address: 'a', isGone: () => isGone }, 0);
    const answers = Promise.all(Array.from({ length: 60 }, (_, index) => present(`t${index}`, index >= 50)));
    await vi.advanceTimersByTimeAsync(8_000);
    const kinds = (await answers).map(({ kind }) => kind);
    expect(new Set(kinds)).toEqual(new Set(['unavailable']));
    expect(asked).toHaveLength(8);
    // Their turns are released; none of the waiting requests is verified.
    await vi.advanceTimersByTimeAsync(10_000);
    expect(asked).toHaveLength(8);
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test('a credential whose sender has gone while it waited is not asked about when its turn comes', async () => {
  const asked: string[] = [];
  const busy = Promise.withResolvers<AuthenticationResult>();
  const set = new AuthenticatorSet([
    {
      method: 'shared_token',
      authenticate: (token) => {
        asked.push(token);
        return busy.promise;
      },
      recheck: async () => accepted,
    },
  ]);
  let isGone = false;
  const present = async (token: string, gone = () => false) =>
    (await set.authenticate({ method: 'shared_token', token, address: 'a', isGone: gone }, 0)).kind;
  const holders = Array.from({ length: 8 }, () => present('held'));
  const waiting = [present('left', () => isGone), present('stayed')];
  asked.length = 0;
  isGone = true;
  busy.resolve(refused);
  expect(await Promise.all(waiting)).toEqual(['unavailable', 'refused']);
  expect(asked).toEqual(['stayed']);
  await Promise.all(holders);
});

test('while the turns of an address are taken, a credential that was accepted before is asked about at once, and one that was refused waits', async () => {
  const asked: string[] = [];
  const busy = Promise.withResolvers<AuthenticationResult>();
  const set = new AuthenticatorSet([
    {
      method: 'shared_token',
      authenticate: (token) => {
        asked.push(token);
        return token === 'right'
          ? Promise.resolve(accepted)
          : token === 'wrong'
            ? Promise.resolve(refused)
            : busy.promise;
      },
      recheck: async () => accepted,
    },
  ]);
  const present = async (token: string) =>
    (await set.authenticate({ method: 'shared_token', token, address: 'a' }, 0)).kind;
  expect(await present('right')).toBe('authenticated');
  expect(await present('wrong')).toBe('refused');
  const holders = Array.from({ length: 8 }, () => present('slow'));
  asked.length = 0;
  const wrong = present('wrong');
  expect(await present('right')).toBe('authenticated');
  expect(asked).toEqual(['right']);
  busy.resolve(refused);
  expect(await wrong).toBe('refused');
  expect(asked).toEqual(['right', 'wrong']);
  await Promise.all(holders);
});
