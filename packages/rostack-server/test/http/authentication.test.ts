import {
  type Authenticator,
  createOAuthAuthenticator,
  createRateLimiter,
  createSharedToken,
  createSharedTokenAuthenticator,
  MemorySharedTokenStore,
  type RequestReport,
} from 'rostack-server';
import { expect, test } from 'vitest';
import { startAuthorizationServer } from '../support/authorization-server.ts';
import {
  Observatory,
  PRINCIPAL_IDS,
  type RequestOptions,
  readProblem,
  station,
} from '../support/observatory.ts';
import { BASE_URL, defineObservatory } from '../support/observatory-implementation.ts';

const SHARED_TOKEN_CHALLENGE = 'Rostack-Token realm="observatory"';

test.each([
  ['none', undefined],
  ['of another scheme', 'Basic dXNlcjpwYXNz'],
  ['of a method that is not offered', 'Bearer abc'],
  ['without a token', 'Rostack-Token'],
  ['that is not well-formed', 'Rostack-Token a b c'],
  ['that is no token', 'Rostack-Token abc'],
])('credentials %s are answered with a challenge', async (_name, authorization) => {
  await using observatory = await Observatory.start();
  const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
  for (const path of ['/api/stations', '/api/stations/station-0001']) {
    const response = await observatory.fetch(path, { token: null, headers });
    expect(response.headers.get('www-authenticate')).toBe(SHARED_TOKEN_CHALLENGE);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await readProblem(response)).toMatchObject({ slug: 'authentication-required', status: 401 });
  }
});

test('half a token, one with a character changed, an unknown, an expired and a revoked one are all answered alike', async () => {
  await using observatory = await Observatory.start();
  const { token } = observatory;
  const changed = token.slice(0, -1) + (token.endsWith('A') ? 'B' : 'A');
  const expired = observatory.issueToken(undefined, { expiresAtMs: observatory.clock.nowMs });
  const stranger = await Observatory.start();
  const unknown = stranger.token;
  await stranger[Symbol.asyncDispose]();
  const revoked = observatory.issueToken();
  expect((await observatory.fetch('/api/stations', { token: revoked })).status).toBe(200);
  observatory.tokens.revoke(revoked.split('_')[1] ?? '', observatory.clock.nowMs);
  observatory.clock.nowMs += 5_000;
  const problems = await Promise.all(
    [token.slice(0, 40), changed, unknown, expired, revoked].map((bad) =>
      observatory.problem('/api/stations', { token: bad, headers: { 'x-request-id': 'same' } }),
    ),
  );
  expect(new Set(problems.map((problem) => JSON.stringify(problem))).size).toBe(1);
  expect(problems[0]?.slug).toBe('authentication-required');
});

test('the scheme name is matched without case', async () => {
  await using observatory = await Observatory.start();
  const headers = { authorization: `rOSTACK-tOKEN ${observatory.token}` };
  expect((await observatory.fetch('/api/stations', { token: null, headers })).status).toBe(200);
});

test('all permissions of a resource are needed together, and other ones do not help', async () => {
  await using observatory = await Observatory.start();
  const status = async (grants: string[]): Promise<number> =>
    (await observatory.fetch('/notes', { token: observatory.issueToken(grants) })).status;
  expect(await status(['notes:read'])).toBe(403);
  expect(await status(['stations:read', 'archive:read'])).toBe(403);
  expect(await status(['stations:read', 'notes:read'])).toBe(200);
  const token = observatory.issueToken([]);
  expect(await observatory.problem('/notes?filter=broken', { token })).toMatchObject({
    slug: 'permission-denied',
  });
});

test('while the token store does not answer, requests are told to come back', async () => {
  const store = { find: () => Promise.reject(new Error('down')) };
  const authenticators = [
    createSharedTokenAuthenticator({ store, principalId: PRINCIPAL_IDS, retryAfterMs: 1_500 }),
  ];
  await using observatory = await Observatory.start({ app: { authenticators } });
  const response = await observatory.fetch('/api/stations');
  expect(response.headers.get('retry-after')).toBe('2');
  expect(await readProblem(response)).toMatchObject({ slug: 'service-unavailable', retry_after_ms: 1_500 });
});

test('with OAuth, scopes of a real access token decide, each method has its challenge, and an outage is told', async () => {
  await using server = await startAuthorizationServer(BASE_URL);
  const tokens = new MemorySharedTokenStore();
  await using observatory = await Observatory.start({
    implementation: defineObservatory({
      metadataUrl: 'https://as.example/.well-known/oauth-authorization-server',
    }),
    app: {
      clock: Date.now,
      authenticators: [
        createOAuthAuthenticator({
          metadataUrl: server.metadataUrl,
          audience: BASE_URL,
          principalId: PRINCIPAL_IDS,
        }),
        createSharedTokenAuthenticator({ store: tokens, principalId: PRINCIPAL_IDS }),
      ],
    },
  });
  await observatory.putStations(station(1));
  const bearer = async (scope: string): Promise<Record<string, string>> => ({
    authorization: `Bearer ${await server.issueToken(scope)}`,
  });
  const allowed = await observatory.fetch('/api/stations', {
    token: null,
    headers: await bearer('stations:read'),
  });
  expect(allowed.status).toBe(200);

  const denied = await observatory.fetch('/notes', { token: null, headers: await bearer('stations:read') });
  expect(denied.headers.get('www-authenticate')).toBe(
    'Bearer realm="observatory", error="insufficient_scope", scope="notes:read stations:read"',
  );
  expect(await readProblem(denied)).toMatchObject({ slug: 'permission-denied' });

  const broken = await observatory.fetch('/notes', {
    token: null,
    headers: { authorization: 'Bearer a.b.c' },
  });
  const challenge = broken.headers.get('www-authenticate');
  expect(challenge).toContain('Bearer realm="observatory", error="invalid_token"');
  expect(challenge).toContain(SHARED_TOKEN_CHALLENGE);

  const headers = await bearer('stations:read');
  await server.rotateKeys();
  const rotated = await bearer('stations:read');
  server.setDown(true);
  expect((await observatory.fetch('/api/stations', { token: null, headers })).status).toBe(200);
  expect(await observatory.problem('/api/stations', { token: null, headers: rotated })).toMatchObject({
    slug: 'service-unavailable',
  });
});

test('each address and each principal has a budget of what is served', async () => {
  const rateLimiter = createRateLimiter({
    perAddress: { points: 8, windowMs: 60_000 },
    perPrincipal: { points: 3, windowMs: 60_000 },
  });
  let address = 'a';
  await using observatory = await Observatory.start({ app: { rateLimiter, clientAddress: () => address } });
  for (let i = 0; i < 3; i++) expect((await observatory.fetch('/api/stations')).status).toBe(200);
  const limited = await observatory.fetch('/api/stations');
  const problem = await readProblem(limited);
  expect(problem).toMatchObject({ slug: 'rate-limited', status: 429, retry_after_ms: expect.any(Number) });
  expect(Number(limited.headers.get('retry-after'))).toBe(Math.ceil((problem.retry_after_ms ?? 0) / 1_000));
  const other = observatory.issueToken(undefined, { subject: 'another' });
  for (let i = 0; i < 3; i++)
    expect((await observatory.fetch('/api/stations', { token: other })).status).toBe(200);
  expect((await observatory.fetch('/.well-known/rostack')).status).toBe(200);
  expect((await observatory.problem('/.well-known/rostack')).slug).toBe('rate-limited');
  address = 'b';
  expect((await observatory.fetch('/.well-known/rostack')).status).toBe(200);
});

test('failed authentications are counted apart: a right credential is served however many were wrong at its address', async () => {
  const rateLimiter = createRateLimiter({
    perAddress: { points: 4, windowMs: 60_000 },
    failuresPerAddress: { points: 3, windowMs: 60_000 },
  });
  let address = 'a';
  const reports: RequestReport[] = [];
  await using observatory = await Observatory.start({
    app: {
      rateLimiter,
      clientAddress: () => address,
      hooks: { onRequest: (report) => reports.push(report) },
    },
  });
  const stranger = createSharedToken().token;
  const wrong: RequestOptions[] = [
    { token: stranger },
    { token: null, headers: { authorization: 'Basic dXNlcjpwYXNz' } },
    { token: null },
    { token: stranger },
    { token: null },
    { token: 'broken' },
  ];
  const slugs: unknown[] = [];
  for (const options of wrong) slugs.push((await observatory.problem('/api/stations', options)).slug);
  expect(slugs).toEqual([
    ...Array.from({ length: 3 }, () => 'authentication-required'),
    ...Array.from({ length: 3 }, () => 'rate-limited'),
  ]);
  expect(reports.map(({ refusal, status }) => [refusal, status])).toEqual([
    ['unknown', 401],
    ['malformed', 401],
    ['missing', 401],
    ['unknown', 429],
    ['missing', 429],
    ['malformed', 429],
  ]);
  const limited = await observatory.fetch('/api/stations', { token: stranger });
  const { retry_after_ms: waitMs = 0 } = await readProblem(limited);
  expect(Number(limited.headers.get('retry-after'))).toBe(Math.ceil(waitMs / 1_000));
  // The whole budget of the address is still there for what is right.
  for (let i = 0; i < 4; i++) expect((await observatory.fetch('/api/stations')).status).toBe(200);
  expect((await observatory.fetch('/api/stations')).status).toBe(429);
  address = 'b';
  expect((await observatory.problem('/api/stations', { token: stranger })).slug).toBe(
    'authentication-required',
  );
});

test('a request that needs no credentials counts against its address, also where there is nothing', async () => {
  await using observatory = await Observatory.start({
    app: {
      rateLimiter: createRateLimiter({ perAddress: { points: 2, windowMs: 60_000 } }),
      clientAddress: () => 'a',
    },
  });
  expect((await observatory.fetch('/.well-known/rostack')).status).toBe(200);
  expect((await observatory.problem('/api/nothing')).slug).toBe('resource-not-found');
  expect((await observatory.problem('/api/nothing')).slug).toBe('rate-limited');
});

test('the report of a refusal names the token once its secret was right, and no other one', async () => {
  const reports: RequestReport[] = [];
  await using observatory = await Observatory.start({
    app: { hooks: { onRequest: (report) => reports.push(report) } },
  });
  const revoked = observatory.issueToken();
  const id = revoked.split('_')[1] ?? '';
  observatory.tokens.revoke(id, observatory.clock.nowMs);
  await observatory.fetch('/api/stations', { token: revoked });
  await observatory.fetch('/api/stations', { token: `${revoked}x` });
  expect(reports.map(({ refusal, credentialId }) => [refusal, credentialId])).toEqual([
    ['revoked', id],
    ['malformed', undefined],
  ]);
});

test('the report of a refusal names what the token lacks, and the answer does not', async () => {
  const detail = 'claim sub is missing';
  const refused = { kind: 'refused', reason: 'malformed', detail } as const;
  const reports: RequestReport[] = [];
  await using observatory = await Observatory.start({
    app: {
      authenticators: [{ method: 'shared_token', authenticate: () => refused, recheck: () => refused }],
      hooks: { onRequest: (report) => reports.push(report) },
    },
  });
  const problem = await observatory.problem('/api/stations');
  expect(problem.slug).toBe('authentication-required');
  expect(JSON.stringify(problem)).not.toContain(detail);
  expect(reports).toMatchObject([{ refusal: 'malformed', refusalDetail: detail }]);
});

test('guesses whose verification is slow hold up neither a credential that is known, nor a new one, nor another address', async () => {
  const verifying = new Set<string>();
  let most = 0;
  const pending: (() => void)[] = [];
  const inner = new MemorySharedTokenStore();
  const shared = createSharedTokenAuthenticator({ store: inner, principalId: PRINCIPAL_IDS, cacheMs: 0 });
  const slow: Authenticator = {
    ...shared,
    async authenticate(token, nowMs) {
      verifying.add(token);
      most = Math.max(most, verifying.size);
      if (!isRight.has(token)) await new Promise<void>((resolve) => pending.push(resolve));
      verifying.delete(token);
      return shared.authenticate(token, nowMs);
    },
  };
  const isRight = new Set<string>();
  const issue = (): string => {
    const { token, tokenId, verifier } = createSharedToken();
    inner.put({ tokenId, verifier, subject: tokenId, grants: ['stations:read'] });
    isRight.add(token);
    return token;
  };
  let address = 'a';
  await using observatory = await Observatory.start({
    app: {
      authenticators: [slow],
      rateLimiter: createRateLimiter({ failuresPerAddress: { points: 5, windowMs: 60_000 } }),
      clientAddress: () => address,
    },
  });
  const statusOf = async (token: string): Promise<number> =>
    (await observatory.fetch('/api/stations', { token })).status;
  const known = issue();
  expect(await statusOf(known)).toBe(200);
  const guesses = Array.from({ length: 100 }, () => statusOf(createSharedToken().token));
  await expect.poll(() => verifying.size).toBe(8);
  expect(await statusOf(known)).toBe(200);
  const late = statusOf(issue());
  address = 'b';
  expect(await statusOf(issue())).toBe(200);
  const release = setInterval(() => {
    for (const resolve of pending.splice(0)) resolve();
  });
  expect(new Set(await Promise.all(guesses))).toEqual(new Set([401, 429]));
  clearInterval(release);
  expect(await late).toBe(200);
  // Eight guesses, and whoever was let through beside them.
  expect(most).toBeLessThanOrEqual(9);
});

test('a token in a cookie, in the URL or in a field of its own authenticates nobody', async () => {
  await using observatory = await Observatory.start();
  const { token } = observatory;
  for (const headers of [
    { cookie: `token=${token}; authorization=Rostack-Token ${token}` },
    { 'proxy-authorization': `Rostack-Token ${token}` },
    { 'x-api-key': token },
  ]) {
    const problem = await observatory.problem('/api/stations', { token: null, headers });
    expect(problem.slug).toBe('authentication-required');
  }
  for (const name of ['access_token', 'token', 'authorization']) {
    const problem = await observatory.problem(`/api/stations?${name}=${token}`, { token: null });
    expect(problem.slug).not.toBeUndefined();
    expect(JSON.stringify(problem)).not.toContain(token);
  }
});
