import { expect, test } from 'vitest';
import { createPrincipalIdDeriver } from './principal-id.ts';
import { createSharedToken, createSharedTokenAuthenticator } from './shared-token.ts';
import {
  MemorySharedTokenStore,
  type SharedTokenRecord,
  type SharedTokenStore,
} from './shared-token-store.ts';

const principalId = createPrincipalIdDeriver(new Uint8Array(32).fill(7));
const NOW_MS = 1_800_000_000_000;

function setUp(members: Partial<SharedTokenRecord> = {}) {
  const { token, tokenId, verifier } = createSharedToken();
  const record: SharedTokenRecord = {
    tokenId,
    verifier,
    subject: 'weather-bot',
    grants: ['stations:read'],
    ...members,
  };
  const store = new MemorySharedTokenStore([record]);
  return {
    token,
    tokenId,
    record,
    store,
    authenticator: createSharedTokenAuthenticator({ store, principalId }),
  };
}

test('a right token gives a principal with the grants and an opaque id', async () => {
  const { token, tokenId, authenticator } = setUp({ expiresAtMs: NOW_MS + 1 });
  const result = await authenticator.authenticate(token, NOW_MS);
  expect(result).toEqual({
    kind: 'authenticated',
    credential: {
      principal: {
        id: principalId('shared_token', 'weather-bot'),
        method: 'shared_token',
        permissions: new Set(['stations:read']),
      },
      credentialId: tokenId,
      expiresAtMs: NOW_MS + 1,
    },
  });
  expect(JSON.stringify(result)).not.toContain('weather-bot');
});

test('two tokens of one subject speak for the same principal', async () => {
  const old = setUp();
  const next = createSharedToken();
  old.store.put({ ...old.record, tokenId: next.tokenId, verifier: next.verifier });
  const ids = await Promise.all(
    [old.token, next.token].map(async (token) => {
      const result = await old.authenticator.authenticate(token, NOW_MS);
      return result.kind === 'authenticated' ? result.credential.principal.id : result.kind;
    }),
  );
  expect(ids[0]).toBe(ids[1]);
});

test('tokens of one cohort speak for one principal, and none for a subject of the same name', async () => {
  const { token, record, store } = setUp({ subject: 'a', claims: { team: 'north' } });
  const authenticator = createSharedTokenAuthenticator({ store, principalId, cohortClaim: 'team' });
  const idOf = async (members: Partial<SharedTokenRecord>) => {
    const next = createSharedToken();
    store.put({ ...record, claims: undefined, ...members, tokenId: next.tokenId, verifier: next.verifier });
    const result = await authenticator.authenticate(next.token, NOW_MS);
    return result.kind === 'authenticated' ? result.credential.principal.id : result.kind;
  };
  const north = await authenticator.authenticate(token, NOW_MS);
  const id = principalId('shared_token', 'cohort', 'north');
  expect(north).toMatchObject({ credential: { principal: { id, claims: { team: 'north' } } } });
  expect(await idOf({ subject: 'b', claims: { team: 'north' } })).toBe(id);
  expect(await idOf({ subject: 'b', claims: { team: 'south' } })).not.toBe(id);
  const subject = principalId('shared_token', 'north');
  for (const claims of [undefined, {}, { team: '' }, { team: ['north'] }])
    expect(await idOf({ subject: 'north', claims })).toBe(subject);
});

test('a token is refused from its expiry on', async () => {
  const { token, tokenId, authenticator } = setUp({ expiresAtMs: NOW_MS });
  expect(await authenticator.authenticate(token, NOW_MS - 1)).toMatchObject({ kind: 'authenticated' });
  const expired = { kind: 'refused', reason: 'expired', credentialId: tokenId };
  expect(await authenticator.authenticate(token, NOW_MS)).toEqual(expired);
});

test('another secret under a known id, an unknown id and a broken token are refused', async () => {
  const { tokenId, record, store, authenticator } = setUp();
  const stranger = createSharedToken();
  expect(await authenticator.authenticate(stranger.token, NOW_MS)).toEqual({
    kind: 'refused',
    reason: 'unknown',
  });
  store.put({ ...record, tokenId: stranger.tokenId });
  expect(await authenticator.authenticate(stranger.token, NOW_MS)).toEqual({
    kind: 'refused',
    reason: 'unknown',
  });
  expect(await authenticator.authenticate(`rostack_${tokenId}`, NOW_MS)).toEqual({
    kind: 'refused',
    reason: 'malformed',
  });
});

test('a revocation is noticed within 5 s by requests and by sessions that ask again', async () => {
  const { token, tokenId, store, authenticator } = setUp();
  const accepted = await authenticator.authenticate(token, NOW_MS);
  if (accepted.kind !== 'authenticated') throw new Error('the token should have been accepted');
  store.revoke(tokenId, NOW_MS);
  const laterMs = NOW_MS + 5_000;
  const revoked = { kind: 'refused', reason: 'revoked', credentialId: tokenId };
  expect(await authenticator.authenticate(token, laterMs)).toEqual(revoked);
  expect(await authenticator.recheck(accepted.credential, laterMs)).toEqual(revoked);
});

test('who does not have the secret of a token is not told that it was revoked or has expired', async () => {
  const { record, store, authenticator } = setUp();
  for (const ended of [{ revokedAtMs: NOW_MS }, { expiresAtMs: NOW_MS }]) {
    const { token, tokenId } = createSharedToken();
    store.put({ ...record, ...ended, tokenId });
    expect(await authenticator.authenticate(token, NOW_MS)).toEqual({ kind: 'refused', reason: 'unknown' });
  }
});

test('a recheck tells the grants as they are now', async () => {
  const { token, record, store, authenticator } = setUp();
  const accepted = await authenticator.authenticate(token, NOW_MS);
  if (accepted.kind !== 'authenticated') throw new Error('the token should have been accepted');
  store.put({ ...record, grants: [] });
  const later = await authenticator.recheck(accepted.credential, NOW_MS + 5_000);
  expect(later).toMatchObject({
    kind: 'authenticated',
    credential: { principal: { permissions: new Set() } },
  });
});

test('while the store does not answer, known tokens go on for the cache time and all others are unavailable', async () => {
  const { token, record } = setUp();
  let isDown = false;
  const store: SharedTokenStore = {
    async find() {
      if (isDown) throw new Error('connection refused');
      return record;
    },
  };
  const authenticator = createSharedTokenAuthenticator({
    store,
    principalId,
    cacheMs: 1_000,
    retryAfterMs: 250,
  });
  expect(await authenticator.authenticate(token, NOW_MS)).toMatchObject({ kind: 'authenticated' });
  isDown = true;
  expect(await authenticator.authenticate(token, NOW_MS + 999)).toMatchObject({ kind: 'authenticated' });
  expect(await authenticator.authenticate(token, NOW_MS + 1_000)).toEqual({
    kind: 'unavailable',
    retryAfterMs: 250,
  });
  isDown = false;
  expect(await authenticator.authenticate(token, NOW_MS + 1_001)).toMatchObject({ kind: 'authenticated' });
});

/** A store that answers when the test decides. */
function heldStore(record: SharedTokenRecord) {
  const asked: PromiseWithResolvers<SharedTokenRecord>[] = [];
  const store: SharedTokenStore = {
    find() {
      const answer = Promise.withResolvers<SharedTokenRecord>();
      asked.push(answer);
      return answer.promise;
    },
  };
  return { asked, store, answer: (index: number, found = record) => asked[index]?.resolve(found) };
}

test('requests that come while a token is looked up share the answer, unless nothing may be kept', async () => {
  const { token, record } = setUp();
  for (const [cacheMs, lookUps] of [
    [1_000, 1],
    [0, 3],
  ] as const) {
    const { asked, store, answer } = heldStore(record);
    const authenticator = createSharedTokenAuthenticator({ store, principalId, cacheMs });
    const results = [0, 1, 2].map(() => authenticator.authenticate(token, NOW_MS));
    expect(asked).toHaveLength(lookUps);
    for (const index of asked.keys()) answer(index);
    for (const result of results) expect(await result).toMatchObject({ kind: 'authenticated' });
  }
});

test('who comes when an answer under way would be too old has the token looked up again', async () => {
  const { token, record } = setUp();
  const { asked, store, answer } = heldStore(record);
  const authenticator = createSharedTokenAuthenticator({ store, principalId, cacheMs: 1_000 });
  const first = authenticator.authenticate(token, NOW_MS);
  const second = authenticator.authenticate(token, NOW_MS + 1_000);
  expect(asked).toHaveLength(2);
  answer(1, { ...record, revokedAtMs: NOW_MS });
  expect(await second).toMatchObject({ kind: 'refused', reason: 'revoked' });
  answer(0);
  expect(await first).toMatchObject({ kind: 'authenticated' });
});

test('what was read is not trusted once the clock was set back, by however little', async () => {
  const { token, tokenId, store, authenticator } = setUp();
  const accepted = await authenticator.authenticate(token, NOW_MS);
  if (accepted.kind !== 'authenticated') throw new Error('the token should have been accepted');
  expect(await authenticator.authenticate(token, NOW_MS)).toMatchObject({ kind: 'authenticated' });
  store.revoke(tokenId, NOW_MS);
  expect(await authenticator.recheck(accepted.credential, NOW_MS - 1)).toMatchObject({ reason: 'revoked' });
  expect(await authenticator.authenticate(token, NOW_MS - 3_600_000)).toMatchObject({ reason: 'revoked' });
});

test('a token in use is looked up again before its time is over, and nobody waits for it', async () => {
  const { token, record } = setUp();
  const { asked, store, answer } = heldStore(record);
  const authenticator = createSharedTokenAuthenticator({ store, principalId, cacheMs: 1_000 });
  const first = authenticator.authenticate(token, NOW_MS);
  answer(0);
  await first;
  await authenticator.authenticate(token, NOW_MS + 499);
  expect(asked).toHaveLength(1);
  expect(await authenticator.authenticate(token, NOW_MS + 500)).toMatchObject({ kind: 'authenticated' });
  expect(await authenticator.authenticate(token, NOW_MS + 999)).toMatchObject({ kind: 'authenticated' });
  expect(asked).toHaveLength(2);
  answer(1, { ...record, revokedAtMs: NOW_MS });
  await asked[1]?.promise;
  await Promise.resolve();
  expect(await authenticator.authenticate(token, NOW_MS + 999)).toMatchObject({
    kind: 'refused',
    reason: 'revoked',
  });
});

test('a token that is no longer there is refused once a look at it while it was in use says so', async () => {
  const { token, record } = setUp();
  let found: SharedTokenRecord | undefined = record;
  const looks: Promise<SharedTokenRecord | undefined>[] = [];
  const store: SharedTokenStore = {
    find: (id) => {
      const look = Promise.resolve(id === record.tokenId ? found : undefined);
      looks.push(look);
      return look;
    },
  };
  const authenticator = createSharedTokenAuthenticator({ store, principalId, cacheMs: 5_000 });
  const kindAt = async (nowMs: number) => (await authenticator.authenticate(token, nowMs)).kind;
  expect(await kindAt(NOW_MS)).toBe('authenticated');
  found = undefined;
  expect(await kindAt(NOW_MS + 2_000)).toBe('authenticated');
  // This answer comes from the cache, and the record is read again.
  expect(await kindAt(NOW_MS + 3_000)).toBe('authenticated');
  expect(await Promise.all(looks)).toEqual([record, undefined]);
  expect(await kindAt(NOW_MS + 3_001)).toBe('refused');
});

test('a cache time above 5 s and a short principal id key are refused', () => {
  const { store } = setUp();
  expect(() => createSharedTokenAuthenticator({ store, principalId, cacheMs: 5_001 })).toThrow(
    'from 0 to 5000',
  );
  expect(() => createPrincipalIdDeriver(new Uint8Array(31))).toThrow('at least 32 bytes');
});
