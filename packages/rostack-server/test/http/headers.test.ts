import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { Observatory, station } from '../support/observatory.ts';
import { BASE_URL, defineObservatory } from '../support/observatory-implementation.ts';

const ORIGIN = 'https://app.example';

test('a sane request id is taken over, any other replaced, and a problem carries the same one', async () => {
  await using observatory = await Observatory.start();
  const idOf = async (sent?: string): Promise<string> => {
    const headers: Record<string, string> = sent === undefined ? {} : { 'x-request-id': sent };
    const response = await observatory.fetch('/api/stations', { headers });
    return response.headers.get('x-request-id') ?? '';
  };
  expect(await idOf('trace-1.2:3/4=')).toBe('trace-1.2:3/4=');
  for (const bad of ['', 'a b', 'x'.repeat(129), '"quoted"', '<script>']) {
    expect(await idOf(bad)).toMatch(/^[0-9a-f-]{36}$/);
  }
  expect(await idOf()).not.toBe(await idOf());
  const problem = await observatory.problem('/api/nothing', { headers: { 'x-request-id': 'mine' } });
  expect(problem.request_id).toBe('mine');
});

test.each(['/.well-known/rostack', '/api/stations', '/api/stations/station-0001'])(
  '%s answers HEAD like GET without the body, OPTIONS with Allow, and nothing else',
  async (path) => {
    await using observatory = await Observatory.start();
    await observatory.putStations(station(1));
    const get = await observatory.fetch(path);
    const head = await observatory.fetch(path, { method: 'HEAD' });
    const { 'x-request-id': _got, ...gotHeaders } = Object.fromEntries(get.headers);
    const { 'x-request-id': _had, ...hadHeaders } = Object.fromEntries(head.headers);
    expect([head.status, await head.text(), hadHeaders]).toEqual([200, '', gotHeaders]);

    const options = await observatory.fetch(path, { method: 'OPTIONS', token: null });
    expect([options.status, await options.text(), options.headers.get('allow')]).toEqual([
      204,
      '',
      'GET, HEAD, OPTIONS',
    ]);

    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'QUERY', 'FROB']) {
      const response = await observatory.fetch(path, { method });
      expect([method, response.status, response.headers.get('allow')]).toEqual([
        method,
        405,
        'GET, HEAD, OPTIONS',
      ]);
    }
  },
);

test.each([
  ['*/*', 'application/json'],
  ['application/*;q=0.2', 'application/json'],
  ['text/html, application/json;q=0.1', 'application/json'],
  ['application/vnd.observatory.summary+json', 'application/vnd.observatory.summary+json'],
  [
    'application/json;q=0.4, application/vnd.observatory.summary+json;q=0.5',
    'application/vnd.observatory.summary+json',
  ],
  ['application/json;q=0, */*', 'application/vnd.observatory.summary+json'],
])('Accept %s is answered as %s', async (accept, expected) => {
  await using observatory = await Observatory.start();
  await observatory.putStations(station(1));
  for (const path of ['/api/stations', '/api/stations/station-0001']) {
    const response = await observatory.fetch(path, { headers: { accept } });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, expected]);
  }
});

test.each(['text/html', 'application/json;q=0', 'application/vnd.observatory.summary+json;q=0, text/*'])(
  'Accept %s is not acceptable',
  async (accept) => {
    await using observatory = await Observatory.start();
    for (const path of ['/api/stations', '/api/stations/station-0001']) {
      expect(await observatory.problem(path, { headers: { accept } })).toMatchObject({
        slug: 'representation-not-acceptable',
      });
    }
  },
);

test('browsers of listed origins may read every answer; others, and an app without CORS, get no such header', async () => {
  await using observatory = await Observatory.start({
    app: { cors: { origins: [ORIGIN], maxAgeSeconds: 60 } },
  });
  for (const path of ['/.well-known/rostack', '/api/stations', '/api/nothing']) {
    const response = await observatory.fetch(path, { headers: { origin: ORIGIN } });
    expect(response.headers.get('access-control-allow-origin')).toBe(ORIGIN);
    expect(response.headers.get('access-control-allow-credentials')).toBeNull();
    expect(response.headers.get('access-control-expose-headers')?.split(', ')).toEqual([
      'ETag',
      'Retry-After',
      'WWW-Authenticate',
      'X-Request-Id',
      'X-Rostack-API-Version',
      'X-Rostack-Protocol-Version',
    ]);
    expect(response.headers.get('vary')).toContain('Origin');
    const stranger = await observatory.fetch(path, { headers: { origin: 'https://evil.example' } });
    expect(stranger.headers.get('access-control-allow-origin')).toBeNull();
    expect(stranger.headers.get('vary')).toContain('Origin');
  }
  const preflight = await observatory.fetch('/api/stations', {
    method: 'OPTIONS',
    token: null,
    headers: {
      origin: ORIGIN,
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'authorization',
    },
  });
  expect(Object.fromEntries(preflight.headers)).toMatchObject({
    'access-control-allow-origin': ORIGIN,
    'access-control-allow-methods': 'GET, HEAD, OPTIONS',
    'access-control-allow-headers': 'Authorization, Accept, If-None-Match, X-Request-Id',
    'access-control-max-age': '60',
  });

  await using open = await Observatory.start({ app: { cors: { origins: '*' } } });
  const any = await open.fetch('/api/stations', { headers: { origin: 'https://any.example' } });
  expect(any.headers.get('access-control-allow-origin')).toBe('*');
  await using closed = await Observatory.start();
  const none = await closed.fetch('/api/stations', { headers: { origin: ORIGIN } });
  expect(none.headers.get('access-control-allow-origin')).toBeNull();
});

test.each([
  { origins: [ORIGIN], varies: true },
  { origins: '*' as const, varies: false },
])(
  'answers say that they differ by origin where they do, also to those that name none: $origins',
  async ({ origins, varies }) => {
    await using observatory = await Observatory.start({ app: { cors: { origins } } });
    await observatory.putStations(station(1));
    for (const path of [
      '/.well-known/rostack',
      '/api/stations',
      '/api/stations/station-0001',
      '/api/nothing',
    ]) {
      for (const headers of [{}, { origin: ORIGIN }, { origin: 'https://evil.example' }]) {
        const response = await observatory.fetch(path, { headers });
        const fields = response.headers.get('vary')?.split(', ') ?? [];
        expect([path, fields.includes('Origin')]).toEqual([path, varies]);
      }
    }
  },
);

test('over a real server each authentication method has a header field line of its own', async () => {
  await using observatory = await Observatory.start({
    implementation: defineObservatory({
      metadataUrl: 'https://as.example/.well-known/oauth-authorization-server',
    }),
    app: {
      authenticators: [
        { method: 'oauth2', authenticate: refuse, recheck: refuse },
        { method: 'shared_token', authenticate: refuse, recheck: refuse },
      ],
    },
  });
  await using server = await observatory.listen();
  const socket = connect(server.port, '127.0.0.1');
  socket.end(`GET /api/stations HTTP/1.1\r\nHost: ${new URL(BASE_URL).host}\r\nConnection: close\r\n\r\n`);
  const response = await text(socket);
  expect(response.match(/^www-authenticate: .*$/gim)).toEqual([
    'WWW-Authenticate: Bearer realm="observatory"',
    'WWW-Authenticate: Rostack-Token realm="observatory"',
  ]);
});

async function refuse(): Promise<{ kind: 'refused'; reason: 'unknown' }> {
  return { kind: 'refused', reason: 'unknown' };
}

test('every answer of the API says both versions, also when nothing has changed', async () => {
  await using observatory = await Observatory.start();
  await observatory.putStations(station(1));
  const versions = (response: Response) =>
    ['protocol', 'api'].map((name) => response.headers.get(`x-rostack-${name}-version`));
  for (const path of ['/.well-known/rostack', '/api/stations', '/api/stations/station-0001']) {
    const whole = await observatory.fetch(path);
    expect([path, whole.status, ...versions(whole)]).toEqual([path, 200, 'rostack_v1', '3']);
    const headers = { 'if-none-match': whole.headers.get('etag') ?? '' };
    const unchanged = await observatory.fetch(path, { headers });
    expect([path, unchanged.status, ...versions(unchanged)]).toEqual([path, 304, 'rostack_v1', '3']);
  }
});
