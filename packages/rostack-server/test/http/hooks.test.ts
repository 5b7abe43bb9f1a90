import { SourceUnavailableError } from 'rostack-core';
import type { ErrorContext, RequestReport } from 'rostack-server';
import { expect, test } from 'vitest';
import { bindSource } from '../support/bind-source.ts';
import { Observatory, PRINCIPAL_IDS, station } from '../support/observatory.ts';

test('each request is reported once, with what became of it and who asked', async () => {
  const reports: RequestReport[] = [];
  await using observatory = await Observatory.start({
    app: { hooks: { onRequest: (report) => reports.push(report) }, clientAddress: () => '192.0.2.7' },
  });
  await observatory.putStations(station(1));
  await observatory.fetch('/.well-known/rostack', { headers: { 'x-request-id': 'one' } });
  await observatory.fetch('/api/stations?limit=5');
  await observatory.fetch('/api/stations/station-0001');
  await observatory.fetch('/api/stations/station-0002');
  await observatory.fetch('/api/nothing', { method: 'DELETE' });
  await observatory.fetch('/api/stations', { token: `${observatory.token}x` });
  expect(
    reports.map(({ operation, resource, status, problem }) => [operation, resource, status, problem]),
  ).toEqual([
    ['discovery', undefined, 200, undefined],
    ['list', 'stations', 200, undefined],
    ['get', 'stations', 200, undefined],
    ['get', 'stations', 404, 'resource-not-found'],
    [undefined, undefined, 405, 'method-not-allowed'],
    ['list', 'stations', 401, 'authentication-required'],
  ]);
  expect(reports.map(({ recordId }) => recordId).filter((id) => id !== undefined)).toEqual([
    'station-0001',
    'station-0002',
  ]);
  expect(reports[0]).toMatchObject({ requestId: 'one', method: 'GET', path: '/.well-known/rostack' });
  expect(reports[1]).toMatchObject({
    principalId: expect.any(String),
    pageCache: 'miss',
    path: '/api/stations',
  });
  expect(reports[1]?.credentialId).toBe(observatory.token.split('_')[1]);
  expect(reports[5]).toMatchObject({ refusal: 'malformed', clientAddress: '192.0.2.7' });
  for (const { durationMs } of reports) expect(durationMs).toBeGreaterThanOrEqual(0);
});

test('an unexpected error is reported and told as nothing but an internal error; a hook that throws breaks nothing', async () => {
  const errors: [unknown, ErrorContext][] = [];
  const boom = new Error('password=hunter2 at 10.0.0.1');
  await using observatory = await Observatory.start({
    wrapSource: (source) => ({ ...bindSource(source), get: () => Promise.reject(boom) }),
    app: {
      hooks: {
        onError: (error, context) => errors.push([error, context]),
        onRequest: () => {
          throw new Error('a broken hook');
        },
      },
    },
  });
  const problem = await observatory.problem('/api/stations/x', { headers: { 'x-request-id': 'r' } });
  expect(problem).toMatchObject({ slug: 'internal-error', status: 500, request_id: 'r' });
  expect(JSON.stringify(problem)).not.toMatch(/hunter2|10\.0\.0\.1/);
  expect(errors).toEqual([[boom, { requestId: 'r', operation: 'get', resource: 'stations' }]]);
});

test('a rate limiter that fails limits nobody and is reported', async () => {
  const errors: unknown[] = [];
  const down = new Error('down');
  await using observatory = await Observatory.start({
    app: {
      rateLimiter: { consume: () => Promise.reject(down) },
      clientAddress: () => '192.0.2.7',
      hooks: {
        onError: (error) => {
          errors.push(error);
          throw new Error('a broken hook');
        },
      },
    },
  });
  expect((await observatory.fetch('/api/stations')).status).toBe(200);
  expect(errors).toEqual([down, down]);
});

test('a source that is unavailable or never answers is told as such, with when to come back', async () => {
  const never = new Promise<never>(() => {});
  await using observatory = await Observatory.start({
    app: { sourceTimeoutMs: 20, retryAfterMs: 2_500 },
    wrapSource: (source) => ({
      ...bindSource(source),
      get: () => Promise.reject(new SourceUnavailableError('10.0.0.1 refused')),
      page: () => never,
    }),
  });
  for (const url of ['/api/stations', '/api/stations/x']) {
    const response = await observatory.fetch(url);
    expect(response.headers.get('retry-after')).toBe('3');
    const body = await response.text();
    expect(JSON.parse(body)).toMatchObject({ status: 503, retry_after_ms: 2_500 });
    expect(body).not.toContain('10.0.0.1');
  }
});

test('no report, error, answer or header field ever holds a credential', async () => {
  const seen: unknown[] = [];
  await using observatory = await Observatory.start({
    wrapSource: (source) => ({ ...bindSource(source), page: () => Promise.reject(new Error('boom')) }),
    app: {
      hooks: {
        onRequest: (report) => seen.push(report),
        onError: (error, context) => seen.push([String(error), error, context]),
      },
    },
  });
  const tokens = [observatory.token, `${observatory.token}x`, observatory.token.slice(0, 30), 'Zm9vOmJhcg=='];
  const paths = ['/api/stations', '/api/stations/x', '/api/nothing', '/.well-known/rostack', '/note?id=1'];
  for (const token of tokens) {
    for (const path of paths) {
      for (const scheme of ['Rostack-Token', 'Bearer', 'Basic']) {
        const headers = { authorization: `${scheme} ${token}` };
        const response = await observatory.fetch(path, { token: null, headers });
        seen.push([...response.headers], await response.text());
      }
      seen.push(
        await (await observatory.fetch(`${path}${path.includes('?') ? '&' : '?'}token=${token}`)).text(),
      );
    }
  }
  const secret = observatory.token.split('_')[2] ?? '';
  expect(secret).toHaveLength(43);
  const everything = JSON.stringify(seen);
  expect(everything).toContain('authentication-required');
  for (const token of [...tokens, secret, secret.slice(0, 12)]) expect(everything).not.toContain(token);
});

test('no problem names another principal', async () => {
  await using observatory = await Observatory.start();
  await observatory.putStations(station(1), station(2), station(3));
  const [owner, other] = ['the-owner', 'another'].map((subject) =>
    observatory.issueToken(undefined, { subject }),
  );
  const list = await observatory.fetch('/api/stations?limit=1', { token: owner ?? '' });
  const etag = list.headers.get('etag') ?? '';
  const { page } = (await list.json()) as { page: { next_cursor: string; event_cursor: string } };
  for (const query of [
    `limit=1&cursor=${page.next_cursor}`,
    `cursor=${page.event_cursor}`,
    'owner=the-owner',
  ]) {
    const headers = { 'if-none-match': etag };
    const response = await observatory.fetch(`/api/stations?${query}`, { token: other ?? '', headers });
    const answer = JSON.stringify([...response.headers, await response.json()]);
    expect([query, response.status]).toEqual([query, 400]);
    expect(answer).not.toContain(PRINCIPAL_IDS('shared_token', 'the-owner'));
    expect(answer).not.toContain('the-owner');
  }
});
