import { generateKeyPair, SignJWT } from 'jose';
import { signingIssuer } from 'test-support/signing-issuer';
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

/** The authenticator of an issuer that signs any claims. */
async function signing() {
  const issuer = await signingIssuer('https://as.example', AUDIENCE);
  const authenticator = (options = {}) =>
    createOAuthAuthenticator({
      metadataUrl: `${issuer.url}/.well-known/openid-configuration`,
      audience: AUDIENCE,
      principalId,
      fetch: async (url) => Response.json(issuer.documents[new URL(new Request(url).url).pathname]),
      ...options,
    });
  return { authenticator, ...issuer };
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
  expect(result.credential.expiresAtMs).toBeLessThan(nowMs + 670_000);
  expect(result.credential.credentialId).toEqual(expect.any(String));

  const expiredMs = (result.credential.expiresAtMs ?? 0) + 1;
  expect(await authenticator.recheck(result.credential, nowMs)).toMatchObject({ kind: 'authenticated' });
  expect(await authenticator.recheck(result.credential, expiredMs)).toMatchObject({
    kind: 'refused',
    reason: 'expired',
  });
  expect(await authenticator.authenticate(token, expiredMs)).toMatchObject({
    kind: 'refused',
    reason: 'expired',
  });
  expect(await authenticatorOf(server).authenticate(token, expiredMs)).toMatchObject({
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
  expect(await authenticator.authenticate(elsewhere, Date.now())).toMatchObject({
    kind: 'refused',
    reason: 'wrong_audience',
  });
  const foreign = await stranger.issueToken('stations:read');
  expect(await authenticator.authenticate(foreign, Date.now())).toMatchObject({
    kind: 'refused',
    reason: 'wrong_issuer',
  });

  const token = await server.issueToken('stations:read');
  const [header, payload, signature] = token.split('.');
  const forged = `${header}.${payload}.${signature?.split('').reverse().join('')}`;
  expect(await authenticator.authenticate(forged, Date.now())).toMatchObject({
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
  expect(await authenticatorOf(server).authenticate(token, Date.now())).toMatchObject({
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
  expect(await wantsOther.authenticate(accessToken, Date.now())).toMatchObject({
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
  expect(await answer(foreign)).toMatchObject({ kind: 'refused', reason: 'wrong_issuer' });
  expect(await answer(elsewhere)).toMatchObject({ kind: 'refused', reason: 'wrong_audience' });
  expect(await answer(unsigned)).toMatchObject({ kind: 'refused', reason: 'malformed' });
  expect(await answer(right.slice(0, right.length / 2))).toMatchObject({
    kind: 'refused',
    reason: 'malformed',
  });
  expect(await answer('an opaque one')).toMatchObject({ kind: 'refused', reason: 'malformed' });
  expect(await answer(right, nowMs + 3_600_000)).toMatchObject({ kind: 'refused', reason: 'expired' });
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

test.each([
  ['age', 10_000],
  ['were read before the clock was set back', -30_000],
])(
  'keys that %s are read again in the background, so that a withdrawn key stops counting',
  async (_what, passedMs) => {
    await using server = await startAuthorizationServer(AUDIENCE);
    const authenticator = authenticatorOf(server, { refreshAfterMs: 10_000 });
    const nowMs = Date.now();
    const token = await server.issueToken('stations:read');
    expect(await authenticator.authenticate(token, nowMs)).toMatchObject({ kind: 'authenticated' });
    await server.rotateKeys();
    expect(await authenticator.authenticate(token, nowMs + passedMs)).toMatchObject({
      kind: 'authenticated',
    });
    await expect
      .poll(() => authenticator.authenticate(token, nowMs + passedMs + 1_000))
      .toMatchObject({ kind: 'refused', reason: 'bad_signature' });
  },
);

test.each([
  ['scp', { scp: ['a', 'b'] }, ['a', 'b']],
  ['permissions', { permissions: 'a b' }, ['a', 'b']],
  ['/realm_access/roles', { realm_access: { roles: ['a', 7, 'b'] } }, ['a', 'b']],
  ['/https:~1~1api.example~1roles/0', { 'https://api.example/roles': ['a'] }, ['a']],
  [['scope', 'scp', '/realm_access/roles'], { scp: ['b'], realm_access: { roles: ['a'] } }, ['b', 'a']],
  [['scope', 'toString'], { scope: '' }, []],
])('scopes are those of %j', async (scopeClaim, claims, permissions) => {
  const { authenticator, sign } = await signing();
  let missing = 0;
  const options = { scopeClaim, onScopesMissing: () => (missing += 1) };
  const result = await authenticator(options).authenticate(await sign(claims), Date.now());
  expect(result).toMatchObject({ credential: { principal: { permissions: new Set(permissions) } } });
  expect(missing).toBe(0);
});

test('a token without any of the claims of scopes has no permissions, which is told', async () => {
  const { authenticator, sign } = await signing();
  let missing = 0;
  const options = { scopeClaim: ['scp', '/realm_access/roles'], onScopesMissing: () => (missing += 1) };
  const token = await sign({ scope: 'a', realm_access: 'none' });
  const result = await authenticator(options).authenticate(token, Date.now());
  expect(result).toMatchObject({ credential: { principal: { permissions: new Set() } } });
  expect(missing).toBe(1);
});

test.each([
  [{ sub: undefined }, 'claim sub is missing'],
  [{ aud: undefined }, 'claim aud is missing'],
  [{ aud: 'https://elsewhere.example' }, 'claim aud is not the one expected'],
  [{ iss: undefined }, 'claim iss is missing'],
  [{ exp: undefined }, 'claim exp is missing'],
  [{ exp: 'soon' }, 'claim exp is not the one expected'],
])('a refusal names the claim, without its value: %j (%#)', async (claims, detail) => {
  const { authenticator, sign } = await signing();
  const result = await authenticator().authenticate(await sign(claims).catch(() => ''), Date.now());
  expect(result).toMatchObject({ kind: 'refused', detail });
});

test('a token of the type JWT is refused by name, and accepted by setting', async () => {
  const { authenticator, sign } = await signing();
  const token = await sign({}, { typ: 'JWT' });
  const refusal = { kind: 'refused', detail: 'claim typ is not the one expected' };
  expect(await authenticator().authenticate(token, Date.now())).toMatchObject(refusal);
  const accepted = { kind: 'authenticated' };
  expect(await authenticator({ tokenType: 'JWT' }).authenticate(token, Date.now())).toMatchObject(accepted);
});

test('clocks may differ by a minute', async () => {
  const { authenticator, sign, expiresAtMs } = await signing();
  const token = await sign({ nbf: expiresAtMs / 1_000 - 600 });
  const kindAt = async (atMs: number) => (await authenticator().authenticate(token, atMs)).kind;
  expect(await kindAt(expiresAtMs - 659_000)).toBe('authenticated');
  expect(await kindAt(expiresAtMs - 662_000)).toBe('refused');
  expect(await kindAt(expiresAtMs + 59_000)).toBe('authenticated');
  expect(await kindAt(expiresAtMs + 60_000)).toBe('refused');
});

test.each([undefined, '', 7])('a rightly signed token whose subject is %j speaks for nobody', async (sub) => {
  const { authenticator, sign } = await signing();
  const answer = async (claims: object) => authenticator().authenticate(await sign(claims), Date.now());
  expect(await answer({ sub })).toMatchObject({ kind: 'refused', reason: 'malformed' });
  expect(await answer({ sub: 'someone' })).toMatchObject({ kind: 'authenticated' });
});

test.each([
  ['is repeated', '"tenant":"a","tenant":"b"'],
  ['has more digits than a number keeps', '"tenant":12345678901234567890'],
])('a token in which a claim %s is refused, since it could mean another', async (_, claims) => {
  const { authenticator, sign } = await signing();
  const answer = async (added: string) => authenticator().authenticate(await sign({}, { added }), Date.now());
  expect(await answer('"tenant":"a"')).toMatchObject({
    kind: 'authenticated',
    credential: { principal: { claims: { tenant: 'a' } } },
  });
  expect(await answer(claims)).toMatchObject({ kind: 'refused', reason: 'malformed' });
});
