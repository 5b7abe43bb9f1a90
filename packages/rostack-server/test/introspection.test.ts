import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createIntrospectionAuthenticator } from '../src/auth/oauth/introspection-authenticator.ts';
import { createPrincipalIdDeriver } from '../src/auth/principal-id.ts';
import { type AuthorizationServer, startAuthorizationServer } from './support/authorization-server.ts';

const AUDIENCE = 'https://api.example.com/';
const INTROSPECTION_PATH = '/token/introspection';
const principalId = createPrincipalIdDeriver(new Uint8Array(32).fill(7));

function authenticatorOf(server: Pick<AuthorizationServer, 'metadataUrl' | 'client'>, options = {}) {
  return createIntrospectionAuthenticator({
    metadataUrl: server.metadataUrl,
    audience: AUDIENCE,
    principalId,
    ...server.client,
    ...options,
  });
}

test('an opaque token is accepted with its scopes and expiry; the server is asked once within the time of an answer', async () => {
  await using server = await startAuthorizationServer(AUDIENCE);
  const authenticator = authenticatorOf(server);
  const nowMs = Date.now();
  const token = await server.issueOpaqueToken('stations:read observations:read');
  expect(token).not.toContain('.');
  const results = await Promise.all([0, 1, 2].map(async () => authenticator.authenticate(token, nowMs)));
  for (const result of results) {
    expect(result).toMatchObject({
      kind: 'authenticated',
      credential: {
        principal: {
          id: principalId('oauth2', server.issuer, 'observer'),
          method: 'oauth2',
          permissions: new Set(['stations:read', 'observations:read']),
          claims: expect.objectContaining({ active: true, client_id: 'observer' }),
        },
        expiresAtMs: expect.any(Number),
      },
    });
  }
  await authenticator.authenticate(token, nowMs + 9_999);
  expect(server.requests.get(INTROSPECTION_PATH)).toBe(1);
  await authenticator.authenticate(token, nowMs + 10_000);
  expect(server.requests.get(INTROSPECTION_PATH)).toBe(2);
  expect(await authenticator.authenticate(token, nowMs + 700_000)).toMatchObject({ kind: 'refused' });
});

test('a token counts from the time it names, less the tolerance for clocks', async () => {
  const issuer = 'https://as.example';
  const token = { active: true, sub: 'observer', aud: AUDIENCE, nbf: 1_000 };
  const authenticator = createIntrospectionAuthenticator({
    metadataUrl: `${issuer}/.well-known/oauth-authorization-server`,
    audience: AUDIENCE,
    principalId,
    clientId: 'observer',
    clientSecret: 'secret',
    clockToleranceMs: 60_000,
    fetch: async (url) =>
      Response.json(
        new Request(url).url.includes('/.well-known/')
          ? { issuer, introspection_endpoint: `${issuer}/introspect` }
          : token,
      ),
  });
  expect(await authenticator.authenticate('early', 939_999)).toMatchObject({ kind: 'refused' });
  expect(await authenticator.authenticate('in time', 940_000)).toMatchObject({ kind: 'authenticated' });
});

test('a token that is revoked ends what it began once the answer is old', async () => {
  await using server = await startAuthorizationServer(AUDIENCE);
  const authenticator = authenticatorOf(server);
  const nowMs = Date.now();
  const token = await server.issueOpaqueToken('stations:read');
  const result = await authenticator.authenticate(token, nowMs);
  if (result.kind !== 'authenticated') throw new Error(`refused: ${JSON.stringify(result)}`);
  await server.revoke(token);
  expect(await authenticator.recheck(result.credential, nowMs + 9_999)).toMatchObject({
    kind: 'authenticated',
  });
  expect(await authenticator.recheck(result.credential, nowMs + 10_000)).toMatchObject({
    kind: 'refused',
    reason: 'unknown',
  });
  expect(await authenticator.authenticate(token, nowMs + 10_000)).toMatchObject({ kind: 'refused' });
});

test('an answer is not trusted once the clock was set back, which may have been by hours', async () => {
  await using server = await startAuthorizationServer(AUDIENCE);
  const authenticator = authenticatorOf(server);
  const nowMs = Date.now();
  const token = await server.issueOpaqueToken('stations:read');
  expect(await authenticator.authenticate(token, nowMs)).toMatchObject({ kind: 'authenticated' });
  await server.revoke(token);
  expect(await authenticator.authenticate(token, nowMs - 3_600_000)).toMatchObject({ kind: 'refused' });
});

test('the cohort that a claim names is the principal, and where none does the subject', async () => {
  await using server = await startAuthorizationServer(AUDIENCE);
  const token = await server.issueOpaqueToken('stations:read');
  const idOf = async (cohortClaim: string) => {
    const result = await authenticatorOf(server, { cohortClaim }).authenticate(token, Date.now());
    return result.kind === 'authenticated' ? result.credential.principal.id : result.kind;
  };
  expect(await idOf('client_id')).toBe(principalId('oauth2', server.issuer, 'cohort', 'observer'));
  expect(await idOf('team')).toBe(principalId('oauth2', server.issuer, 'observer'));
});

test('tokens that nobody issued, and of another server, are refused; guesses are remembered too', async () => {
  await using server = await startAuthorizationServer(AUDIENCE);
  await using stranger = await startAuthorizationServer(AUDIENCE);
  const authenticator = authenticatorOf(server);
  const nowMs = Date.now();
  const foreign = await stranger.issueOpaqueToken('stations:read');
  for (const token of [foreign, 'nobody-issued-this', foreign])
    expect(await authenticator.authenticate(token, nowMs)).toMatchObject({
      kind: 'refused',
      reason: 'unknown',
    });
  expect(server.requests.get(INTROSPECTION_PATH)).toBe(2);
  expect(await authenticator.authenticate('x'.repeat(16_385), nowMs)).toMatchObject({
    kind: 'refused',
    reason: 'malformed',
  });
});

test('guesses do not push out what was accepted: its revocation is still noticed', async () => {
  await using server = await startAuthorizationServer(AUDIENCE);
  const authenticator = authenticatorOf(server, { maxCachedTokens: 1 });
  const nowMs = Date.now();
  const token = await server.issueOpaqueToken('stations:read');
  const result = await authenticator.authenticate(token, nowMs);
  if (result.kind !== 'authenticated') throw new Error(`refused: ${JSON.stringify(result)}`);
  await server.revoke(token);
  for (const guess of ['one', 'two', 'three']) await authenticator.authenticate(guess, nowMs);
  expect(await authenticator.recheck(result.credential, nowMs + 10_000)).toMatchObject({ kind: 'refused' });
});

test('an outage is unavailable, told without secrets, and over with the next question', async () => {
  await using server = await startAuthorizationServer(AUDIENCE);
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  const authenticator = authenticatorOf(server, { onError, retryAfterMs: 700 });
  const nowMs = Date.now();
  const token = await server.issueOpaqueToken('stations:read');
  server.setDown(true);
  expect(await authenticator.authenticate(token, nowMs)).toEqual({ kind: 'unavailable', retryAfterMs: 700 });
  expect(errors).toHaveLength(1);
  const told = JSON.stringify(errors.map(String));
  expect(told).not.toContain(token);
  expect(told).not.toContain(server.client.clientSecret);
  server.setDown(false);
  expect(await authenticator.authenticate(token, nowMs)).toMatchObject({ kind: 'authenticated' });
  const wrong = authenticatorOf({ ...server, client: { clientId: 'observer', clientSecret: 'wrong' } });
  expect(await wrong.authenticate(token, nowMs)).toMatchObject({ kind: 'unavailable' });
});

test.each([
  [{ active: true, sub: 'me', aud: 'https://other.example' }, 'wrong_audience'],
  [{ active: true, sub: 'me' }, 'wrong_audience'],
  [{ active: true, sub: 'me', aud: [AUDIENCE], iss: 'https://other.example' }, 'wrong_issuer'],
  [{ active: true, aud: [AUDIENCE] }, 'malformed'],
  [{ active: true, sub: 'me', aud: AUDIENCE, nbf: 4_000_000_000 }, 'unknown'],
  [{ active: true, sub: 'me', aud: AUDIENCE, exp: 1_000_000_000 }, 'expired'],
  [{ active: false, sub: 'me', aud: AUDIENCE }, 'unknown'],
  [`{"active":true,"sub":"me","aud":"${AUDIENCE}","tenant":12345678901234567890}`, 'malformed'],
  [`{"active":true,"sub":"me","aud":"${AUDIENCE}","tenant":"a","tenant":"b"}`, 'malformed'],
])('the answer %o is refused as %s (%#)', async (answer, reason) => {
  const server = createServer((request, response) => {
    const issuer = `http://${request.headers.host}`;
    const metadata = { issuer, introspection_endpoint: `${issuer}/introspect` };
    response.setHeader('content-type', 'application/json');
    const said = request.method === 'POST' ? answer : metadata;
    response.end(typeof said === 'string' ? said : JSON.stringify(said));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const metadataUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/.well-known/oauth-authorization-server`;
  const client = { clientId: 'a', clientSecret: 'b' };
  const result = await authenticatorOf({ metadataUrl, client }).authenticate('token', Date.now());
  server.closeAllConnections();
  server.close();
  expect(result).toMatchObject({ kind: 'refused', reason });
});

test('the secret is sent as RFC 6749 has it, whatever characters it is made of', async () => {
  const sent: (string | null)[] = [];
  const issuer = 'https://as.example';
  const authenticator = createIntrospectionAuthenticator({
    metadataUrl: `${issuer}/.well-known/oauth-authorization-server`,
    audience: AUDIENCE,
    principalId,
    clientId: 'an:api',
    clientSecret: 'one two%&é',
    fetch: async (url, init) => {
      const request = new Request(url, init);
      if (request.method === 'GET')
        return Response.json({ issuer, introspection_endpoint: `${issuer}${INTROSPECTION_PATH}` });
      sent.push(request.headers.get('authorization'));
      return Response.json({ active: false });
    },
  });
  await authenticator.authenticate('opaque', Date.now());
  expect(sent).toEqual([`Basic ${btoa('an%3Aapi:one+two%25%26%C3%A9')}`]);
});

test('while the server is known to hang, tokens are answered at once, and it is asked again later', async () => {
  let isHanging = true;
  let questions = 0;
  const server = createServer((request, response) => {
    const issuer = `http://${request.headers.host}`;
    response.setHeader('content-type', 'application/json');
    if (request.method !== 'POST') {
      response.end(JSON.stringify({ issuer, introspection_endpoint: `${issuer}/introspect` }));
      return;
    }
    questions += 1;
    if (!isHanging) response.end(JSON.stringify({ active: true, sub: 'me', aud: AUDIENCE }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const metadataUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/.well-known/oauth-authorization-server`;
  const client = { clientId: 'a', clientSecret: 'b' };
  const authenticator = authenticatorOf({ metadataUrl, client }, { timeoutMs: 300, retryAfterMs: 5_000 });
  const nowMs = Date.now();
  expect(await authenticator.authenticate('first', nowMs)).toMatchObject({ kind: 'unavailable' });
  expect(questions).toBe(1);
  for (const token of ['second', 'third']) {
    expect(await authenticator.authenticate(token, nowMs + 1_000)).toEqual({
      kind: 'unavailable',
      retryAfterMs: 4_300,
    });
  }
  expect(questions).toBe(1);
  isHanging = false;
  expect(await authenticator.authenticate('second', nowMs + 5_300)).toMatchObject({ kind: 'authenticated' });
  expect(questions).toBe(2);
  server.closeAllConnections();
  server.close();
});
