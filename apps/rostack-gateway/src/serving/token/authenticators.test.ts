import {
  createPrincipalIdDeriver,
  createSharedToken,
  createSharedTokenAuthenticator,
  MemorySharedTokenStore,
} from 'rostack-server';
import { expect, test } from 'vitest';
import { notingUses } from './authenticators.ts';

const { token, tokenId, verifier } = createSharedToken();

function create(noteUse: (tokenId: string) => Promise<void>, lines: string[] = []) {
  const store = new MemorySharedTokenStore([{ tokenId, verifier, subject: 'team', grants: [] }]);
  const inner = createSharedTokenAuthenticator({
    store,
    principalId: createPrincipalIdDeriver(new Uint8Array(32)),
    cacheMs: 0,
  });
  return { store, authenticator: notingUses(inner, { noteUse }, (line) => lines.push(line)) };
}

test('a use is noted at once, and again a minute later at the earliest, by requests and living sessions alike', async () => {
  const noted: string[] = [];
  const { authenticator } = create(async (id) => void noted.push(id));
  const first = await authenticator.authenticate(token, 1_000_000);
  await authenticator.authenticate(token, 1_059_999);
  expect(noted).toEqual([tokenId]);
  if (first.kind !== 'authenticated') throw new Error(first.kind);
  await authenticator.recheck(first.credential, 1_060_000);
  expect(noted).toEqual([tokenId, tokenId]);
});

test('a token that is refused is not used', async () => {
  const noted: string[] = [];
  const { authenticator, store } = create(async (id) => void noted.push(id));
  const forged = token.replace(/_(.)/, (_, letter: string) => `_${letter === 'a' ? 'b' : 'a'}`);
  expect(await authenticator.authenticate(forged, 1_000_000)).toMatchObject({ kind: 'refused' });
  store.revoke(tokenId, 1);
  expect(await authenticator.authenticate(token, 1_000_000)).toEqual({
    kind: 'refused',
    reason: 'revoked',
    credentialId: tokenId,
  });
  expect(noted).toEqual([]);
});

test('a store that cannot be written refuses nobody; the log says so, without the token', async () => {
  const lines: string[] = [];
  const { authenticator } = create(() => Promise.reject(new Error('read-only')), lines);
  expect(await authenticator.authenticate(token, 1_000_000)).toMatchObject({ kind: 'authenticated' });
  await expect.poll(() => lines).toEqual([`the last use of token ${tokenId} is not kept: read-only`]);
});
