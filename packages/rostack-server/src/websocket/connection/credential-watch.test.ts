import { describe, expect, test } from 'vitest';
import { credentialOf } from '../../../test/support/session-fixture.ts';
import { AuthenticatorSet } from '../../auth/authenticator-set.ts';
import type { AuthenticationResult, Authenticator, Credential } from '../../auth/index.ts';
import { SYSTEM_CLOCK } from '../options/clock.ts';
import { type CredentialHolder, CredentialWatch } from './credential-watch.ts';

class Holder implements CredentialHolder {
  readonly results: AuthenticationResult['kind'][] = [];

  credentialRechecked({ kind }: AuthenticationResult): void {
    this.results.push(kind);
  }
}

function watchWith(answer: (credential: Credential) => AuthenticationResult) {
  const asked: (string | undefined)[] = [];
  const faults: unknown[] = [];
  const authenticator: Authenticator = {
    method: 'shared_token',
    authenticate: async () => ({ kind: 'refused', reason: 'unknown' }),
    recheck: async (credential) => {
      asked.push(credential.credentialId);
      return answer(credential);
    },
  };
  const watch = new CredentialWatch({
    authenticators: new AuthenticatorSet([authenticator]),
    clock: SYSTEM_CLOCK,
    onFault: (_method, error) => faults.push(error),
  });
  return { watch, asked, faults };
}

const accepted = (credential: Credential): AuthenticationResult => ({ kind: 'authenticated', credential });

describe('the watch over credentials', () => {
  test('asks once for all connections of one credential and tells each', async () => {
    const { watch, asked } = watchWith(accepted);
    const holders = [new Holder(), new Holder(), new Holder()];
    const [one, two, three] = holders;
    if (one && two && three) {
      watch.watch(one, credentialOf('p'));
      watch.watch(two, credentialOf('p'));
      watch.watch(three, credentialOf('q'));
    }
    await watch.check();
    expect(asked.sort((a, b) => String(a).localeCompare(String(b)))).toEqual(['token-of-p', 'token-of-q']);
    expect(holders.map(({ results }) => results)).toEqual([
      ['authenticated'],
      ['authenticated'],
      ['authenticated'],
    ]);
  });

  test('keeps credentials apart that have no id', async () => {
    const { watch, asked } = watchWith(accepted);
    const anonymous = { principal: credentialOf('p').principal };
    watch.watch(new Holder(), anonymous);
    watch.watch(new Holder(), anonymous);
    await watch.check();
    expect(asked).toHaveLength(2);
  });

  test('keeps credentials of two methods apart that have the same id', async () => {
    const answering = (method: Authenticator['method']): Authenticator => ({
      method,
      authenticate: async () => ({ kind: 'refused', reason: 'unknown' }),
      recheck: async (credential) =>
        method === 'oauth2' ? { kind: 'refused', reason: 'revoked' } : accepted(credential),
    });
    const watch = new CredentialWatch({
      authenticators: new AuthenticatorSet([answering('shared_token'), answering('oauth2')]),
      clock: SYSTEM_CLOCK,
      onFault: () => {},
    });
    const holders = { shared_token: new Holder(), oauth2: new Holder() };
    for (const method of ['oauth2', 'shared_token'] as const) {
      const { principal, credentialId } = credentialOf('p');
      watch.watch(holders[method], {
        principal: { ...principal, method },
        ...(credentialId && { credentialId }),
      });
    }
    await watch.check();
    expect([holders.shared_token.results, holders.oauth2.results]).toEqual([['authenticated'], ['refused']]);
  });

  test('forgets the credential that was replaced, and the connection that has gone', async () => {
    const { watch, asked } = watchWith(accepted);
    const stays = new Holder();
    const goes = new Holder();
    watch.watch(stays, credentialOf('old'));
    watch.watch(stays, credentialOf('new'));
    watch.watch(goes, credentialOf('gone'));
    watch.release(goes);
    await watch.check();
    expect(asked).toEqual(['token-of-new']);
    expect(goes.results).toEqual([]);
  });

  test('asks about what was authenticated last, of connections with the same credential', async () => {
    const expiries: (number | undefined)[] = [];
    const { watch } = watchWith((credential) => {
      expiries.push(credential.expiresAtMs);
      return accepted(credential);
    });
    const [one, two] = [new Holder(), new Holder()];
    watch.watch(one, credentialOf('p', [], 1_000));
    watch.watch(two, credentialOf('p', [], 1_000));
    watch.watch(one, credentialOf('p', [], 2_000));
    await watch.check();
    expect(expiries).toEqual([2_000]);
    expect([one.results, two.results]).toEqual([['authenticated'], ['authenticated']]);
  });

  test('takes a fault of the authenticator for an outage, and says so', async () => {
    const { watch, faults } = watchWith(() => {
      throw new Error('broken');
    });
    const holder = new Holder();
    watch.watch(holder, credentialOf());
    await watch.check();
    expect(holder.results).toEqual(['unavailable']);
    expect(faults).toEqual([new Error('broken')]);
  });
});
