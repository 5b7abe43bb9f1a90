import { expect, test } from 'vitest';
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
