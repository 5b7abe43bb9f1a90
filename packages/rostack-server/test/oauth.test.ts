import { CompactSign, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { createOAuthAuthenticator } from '../src/auth/oauth/oauth-authenticator.ts';
import { createPrincipalIdDeriver } from '../src/auth/principal-id.ts';
import { type AuthorizationServer, startAuthorizationServer } from './support/authorization-server.ts';

const AUDIENCE = 'https://api.example.com/';
const METADATA_PATH = '/.well-known/oauth-authorization-server';
const principalId = createPrincipalIdDeriver(new Uint8Array(32).fill(7));

function authenticatorOf(server: AuthorizationServer, options = {}) {
  return createOAuthAuthenticator({
    metadataUrl: server.metadataUrl,
    audience: AUDIENCE,
    principalId,
    ...options,
  });
}

test('an access token of the server is accepted with its scopes, expiry and an opaque principal id', async () => {
  await using server = await startAuthorizationServer(AUDIENCE);
  const authenticator = authenticatorOf(server);
  const nowMs = Date.now();
  const token = await server.issueToken('stations:read observations:read');
  const result = await authenticator.authenticate(token, nowMs);
  if (result.kind !== 'authenticated') throw new Error(`refused: ${JSON.stringify(result)}`);
  expect(result.credential.principal).toEqual({
    id: principalId('oauth2', server.issuer, 'observer'),
    method: 'oauth2',
    permissions: new Set(['stations:read', 'observations:read']),
    claims: expect.objectContaining({ iss: server.issuer, sub: 'observer' }),
  });
  expect(result.credential.expiresAtMs).toBeGreaterThan(nowMs + 590_000);
  expect(result.credential.expiresAtMs).toBeLessThan(nowMs + 610_000);
  expect(result.credential.credentialId).toEqual(expect.any(String));

  const expiredMs = (result.credential.expiresAtMs ?? 0) + 1;
  expect(await authenticator.recheck(result.credential, nowMs)).toMatchObject({ kind: 'authenticated' });
  expect(await authenticator.recheck(result.credential, expiredMs)).toEqual({
    kind: 'refused',
    reason: 'expired',
  });
  expect(await authenticator.authenticate(token, expiredMs)).toEqual({ kind: 'refused', reason: 'expired' });
  expect(await authenticatorOf(server).authenticate(token, expiredMs)).toEqual({
    kind: 'refused',
    reason: 'expired',
  });
});

test('the cohort that a claim names is the principal, and where none does the subject', async () => {
  await using server = await startAuthorizationServer(AUDIENCE);
  const token = await server.issueToken('stations:read');
  const idOf = async (cohortClaim: string) => {
    const result = await authenticatorOf(server, { cohortClaim }).authenticate(token, Date.now());
    return result.kind === 'authenticated' ? result.credential.principal.id : result.kind;
  };
  expect(await idOf('sub')).toBe(principalId('oauth2', server.issuer, 'cohort', 'observer'));
  expect(await idOf('team')).toBe(principalId('oauth2', server.issuer, 'observer'));
});

test('tokens for another audience, of another issuer or signed by another key are refused', async () => {
  await using server = await startAuthorizationServer(AUDIENCE);
  await using stranger = await startAuthorizationServer(AUDIENCE);
  const authenticator = authenticatorOf(server);
  const elsewhere = await server.issueToken('stations:read', { audience: 'https://other.example.com/' });
  expect(await authenticator.authenticate(elsewhere, Date.now())).toEqual({
    kind: 'refused',
    reason: 'wrong_audience',
  });
  const foreign = await stranger.issueToken('stations:read');
  expect(await authenticator.authenticate(foreign, Date.now())).toEqual({
    kind: 'refused',
    reason: 'wrong_issuer',
  });

  const token = await server.issueToken('stations:read');
  const [header, payload, signature] = token.split('.');
  const forged = `${header}.${payload}.${signature?.split('').reverse().join('')}`;
  expect(await authenticator.authenticate(forged, Date.now())).toEqual({
    kind: 'refused',
    reason: 'bad_signature',
  });
  const unsigned = `${Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url')}.${payload}.`;
  expect(await authenticator.authenticate(unsigned, Date.now())).toMatchObject({ kind: 'refused' });
});

test.each([
  ['half a token', (token: string) => token.slice(0, token.length / 2)],
  ['an empty token', () => ''],
  ['a token of 20 KiB', (token: string) => token + 'A'.repeat(20_480)],
  ['a shared token', () => 'rostack_00000000000_0'],
])('%s is refused as malformed', async (_name, spoil) => {
  await using server = await startAuthorizationServer(AUDIENCE);
  const token = spoil(await server.issueToken('stations:read'));
  expect(await authenticatorOf(server).authenticate(token, Date.now())).toEqual({
    kind: 'refused',
    reason: 'malformed',
  });
});

test('an ID token or a symmetric signature is refused, and symmetric algorithms cannot be configured', async () => {
  await using server = await startAuthorizationServer(AUDIENCE);
  const token = await new SignJWT({ scope: 'stations:read' })
    .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' })
    .setIssuer(server.issuer)
    .setAudience(AUDIENCE)
    .setSubject('observer')
    .setExpirationTime('1h')
    .sign(new Uint8Array(32));
  expect(await authenticatorOf(server).authenticate(token, Date.now())).toMatchObject({ kind: 'refused' });
  const accessToken = await server.issueToken('stations:read');
  const wantsOther = authenticatorOf(server, { tokenType: 'JWT' });
  expect(await wantsOther.authenticate(accessToken, Date.now())).toEqual({
    kind: 'refused',
    reason: 'malformed',
  });
  expect(() => authenticatorOf(server, { algorithms: ['HS256'] })).toThrow('algorithms must name');
  expect(() => authenticatorOf(server, { metadataUrl: 'http://as.example.com/' })).toThrow('an https URL');
});

test('a key that was added a moment ago is found at once; one that nobody has is looked for once in 5 s', async () => {
  await using server = await startAuthorizationServer(AUDIENCE);
  const authenticator = authenticatorOf(server);
  const nowMs = Date.now();
  expect(await authenticator.authenticate(await server.issueToken('stations:read'), nowMs)).toMatchObject({
    kind: 'authenticated',
  });
  expect(server.requests.get(METADATA_PATH)).toBe(1);

  await server.rotateKeys();
  const rotated = await server.issueToken('stations:read');
  const results = await Promise.all(
    Array.from({ length: 5 }, () => Promise.resolve(authenticator.authenticate(rotated, nowMs + 1_000))),
  );
  expect(results.map(({ kind }) => kind)).toEqual(Array(5).fill('authenticated'));
  expect(server.requests.get(METADATA_PATH)).toBe(2);

  const { privateKey } = await generateKeyPair('ES256');
  const unknown = (kid: string) =>
    new SignJWT({})
      .setProtectedHeader({ alg: 'ES256', kid, typ: 'at+jwt' })
      .setIssuer(server.issuer)
      .setAudience(AUDIENCE)
      .setExpirationTime('1h')
      .sign(privateKey);
  const refuse = async (kid: string, atMs: number) =>
    expect(await authenticator.authenticate(await unknown(kid), atMs)).toMatchObject({ kind: 'refused' });
  await refuse('nobody-knows', nowMs + 2_000);
  expect(server.requests.get(METADATA_PATH)).toBe(3);
  await refuse('nobody-knows', nowMs + 6_999);
  expect(server.requests.get(METADATA_PATH)).toBe(3);

  await server.rotateKeys();
  const again = await server.issueToken('stations:read');
  expect(await authenticator.authenticate(again, nowMs + 6_999)).toMatchObject({ kind: 'authenticated' });
  expect(server.requests.get(METADATA_PATH)).toBe(4);
  await refuse('nobody-knows', nowMs + 7_000);
  expect(server.requests.get(METADATA_PATH)).toBe(5);

  for (let count = 0; count < 30; count += 1) await refuse(`made up ${count}`, nowMs + 20_000);
  expect(server.requests.get(METADATA_PATH)).toBe(15);
});

test('during an outage known keys go on working, unknown ones are unavailable, and it recovers by itself', async () => {
  await using server = await startAuthorizationServer(AUDIENCE);
  const errors: unknown[] = [];
  const options = { onRefreshError: (error: unknown) => errors.push(error), retryAfterMs: 700 };
  const authenticator = authenticatorOf(server, options);
  const nowMs = Date.now();
  const first = await server.issueToken('stations:read');
  const second = await server.issueToken('observations:read');
  expect(await authenticator.authenticate(first, nowMs)).toMatchObject({ kind: 'authenticated' });
  await server.rotateKeys();
  const rotated = await server.issueToken('stations:read');

  server.setDown(true);
  const laterMs = nowMs + 100_000;
  expect(await authenticator.authenticate(first, laterMs)).toMatchObject({ kind: 'authenticated' });
  expect(await authenticator.authenticate(second, laterMs)).toMatchObject({ kind: 'authenticated' });
  expect(await authenticator.authenticate(rotated, laterMs)).toEqual({
    kind: 'unavailable',
    retryAfterMs: 700,
  });
  expect(await authenticatorOf(server, options).authenticate(first, laterMs)).toEqual({
    kind: 'unavailable',
    retryAfterMs: 700,
  });
  expect(errors).not.toEqual([]);
  expect(JSON.stringify(errors.map(String))).not.toContain(first);

  server.setDown(false);
  expect(await authenticator.authenticate(rotated, laterMs + 1_000)).toMatchObject({
    kind: 'authenticated',
  });
});

test('what a token shows by itself is refused also while no key can be read', async () => {
  await using server = await startAuthorizationServer(AUDIENCE);
  await using stranger = await startAuthorizationServer(AUDIENCE);
  const right = await server.issueToken('stations:read');
  const foreign = await stranger.issueToken('stations:read');
  const elsewhere = await server.issueToken('stations:read', { audience: 'https://other.example.com/' });
  const [, payload] = right.split('.');
  const unsigned = `${Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url')}.${payload}.`;
  server.setDown(true);
  const nowMs = Date.now();
  const answer = (token: string, atMs = nowMs) => authenticatorOf(server).authenticate(token, atMs);
  expect(await answer(foreign)).toEqual({ kind: 'refused', reason: 'wrong_issuer' });
  expect(await answer(elsewhere)).toEqual({ kind: 'refused', reason: 'wrong_audience' });
  expect(await answer(unsigned)).toEqual({ kind: 'refused', reason: 'malformed' });
  expect(await answer(right.slice(0, right.length / 2))).toEqual({ kind: 'refused', reason: 'malformed' });
  expect(await answer('an opaque one')).toEqual({ kind: 'refused', reason: 'malformed' });
  expect(await answer(right, nowMs + 3_600_000)).toEqual({ kind: 'refused', reason: 'expired' });
  expect(await answer(right)).toMatchObject({ kind: 'unavailable' });
});

test('a key of another issuer is not looked for', async () => {
  await using server = await startAuthorizationServer(AUDIENCE);
  await using stranger = await startAuthorizationServer(AUDIENCE);
  const authenticator = authenticatorOf(server);
  const nowMs = Date.now();
  expect(await authenticator.authenticate(await server.issueToken('stations:read'), nowMs)).toMatchObject({
    kind: 'authenticated',
  });
  await stranger.rotateKeys();
  const foreign = await stranger.issueToken('stations:read');
  expect(await authenticator.authenticate(foreign, nowMs + 60_000)).toMatchObject({ reason: 'wrong_issuer' });
  expect(server.requests.get(METADATA_PATH)).toBe(1);
});

test('keys that age are read again in the background, so that a withdrawn key stops counting', async () => {
  await using server = await startAuthorizationServer(AUDIENCE);
  const authenticator = authenticatorOf(server, { refreshAfterMs: 10_000 });
  const nowMs = Date.now();
  const token = await server.issueToken('stations:read');
  expect(await authenticator.authenticate(token, nowMs)).toMatchObject({ kind: 'authenticated' });
  await server.rotateKeys();
  expect(await authenticator.authenticate(token, nowMs + 10_000)).toMatchObject({ kind: 'authenticated' });
  await expect
    .poll(() => authenticator.authenticate(token, nowMs + 11_000))
    .toEqual({ kind: 'refused', reason: 'bad_signature' });
});

test.each([undefined, '', 7])('a rightly signed token whose subject is %j speaks for nobody', async (sub) => {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const key = { ...(await exportJWK(publicKey)), alg: 'ES256', kid: 'k' };
  const issuer = 'https://as.example';
  const documents: Record<string, unknown> = {
    [`${issuer}/.well-known/openid-configuration`]: { issuer, jwks_uri: `${issuer}/keys` },
    [`${issuer}/keys`]: { keys: [key] },
  };
  const authenticator = createOAuthAuthenticator({
    metadataUrl: `${issuer}/.well-known/openid-configuration`,
    audience: AUDIENCE,
    principalId,
    fetch: async (url) => Response.json(documents[new Request(url).url]),
  });
  const sign = (claims: Record<string, unknown>): Promise<string> =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'ES256', kid: 'k', typ: 'at+jwt' })
      .setIssuer(issuer)
      .setAudience(AUDIENCE)
      .setExpirationTime('1h')
      .sign(privateKey);
  const token = await sign(sub === undefined ? {} : { sub });
  expect(await authenticator.authenticate(token, Date.now())).toEqual({
    kind: 'refused',
    reason: 'malformed',
  });
  const right = await sign({ sub: 'someone' });
  expect(await authenticator.authenticate(right, Date.now())).toMatchObject({ kind: 'authenticated' });
});

test.each([
  ['is given twice', '"tenant":"a","tenant":"b"'],
  ['has more digits than a number keeps', '"tenant":12345678901234567890'],
])('a token in which a claim %s is refused, since it could mean another', async (_, claims) => {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const issuer = 'https://as.example';
  const documents: Record<string, unknown> = {
    [`${issuer}/.well-known/openid-configuration`]: { issuer, jwks_uri: `${issuer}/keys` },
    [`${issuer}/keys`]: { keys: [{ ...(await exportJWK(publicKey)), alg: 'ES256', kid: 'k' }] },
  };
  const authenticator = createOAuthAuthenticator({
    metadataUrl: `${issuer}/.well-known/openid-configuration`,
    audience: AUDIENCE,
    principalId,
    fetch: async (url) => Response.json(documents[new Request(url).url]),
  });
  const sign = (payload: string): Promise<string> =>
    new CompactSign(new TextEncoder().encode(payload))
      .setProtectedHeader({ alg: 'ES256', kid: 'k', typ: 'at+jwt' })
      .sign(privateKey);
  const nowMs = Date.now();
  const known = `"iss":"${issuer}","aud":"${AUDIENCE}","sub":"me","exp":${Math.floor(nowMs / 1_000) + 60}`;
  expect(await authenticator.authenticate(await sign(`{${known},"tenant":"a"}`), nowMs)).toMatchObject({
    kind: 'authenticated',
    credential: { principal: { claims: { tenant: 'a' } } },
  });
  expect(await authenticator.authenticate(await sign(`{${known},${claims}}`), nowMs)).toEqual({
    kind: 'refused',
    reason: 'malformed',
  });
});
