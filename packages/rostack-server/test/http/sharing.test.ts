import { OptionsError } from 'rostack-core';
import { createRateLimiter } from 'rostack-server';
import { expect, test } from 'vitest';
import { Observatory, type RequestOptions, station } from '../support/observatory.ts';

interface Collection {
  page: { next_cursor: string };
}

const sharing = { resources: ['stations'], audiencePath: '/audience' };

async function startWithStations(app: object) {
  const observatory = await Observatory.start({ app });
  await observatory.putStations(...Array.from({ length: 6 }, (_, number) => station(number)));
  return observatory;
}

test.each([
  { name: 'private', app: {}, first: 'private, no-cache', later: 'private, max-age=600, immutable' },
  {
    name: 'shared',
    app: { sharing },
    first: 'max-age=0, must-revalidate, s-maxage=5',
    later: 'max-age=600, s-maxage=600, immutable',
  },
])('$name lists say how long pages may be kept', async ({ app, first, later }) => {
  await using observatory = await startWithStations(app);
  const path = '/api/stations?limit=4';
  const caching = async (url: string, options: RequestOptions = {}) => {
    const { status, headers } = await observatory.fetch(url, options);
    expect(headers.get('vary')).toBe('Accept, Authorization');
    return [status, headers.get('cache-control')];
  };
  // Read, marked, and out of memory.
  for (const _ of [1, 2, 3]) expect(await caching(path)).toEqual([200, first]);
  const { page } = await observatory.get<Collection>(path);
  const next = `${path}&cursor=${page.next_cursor}`;
  expect(await caching(next)).toEqual([200, later]);
  const etag = (await observatory.fetch(next)).headers.get('etag') ?? '';
  expect(await caching(next, { headers: { 'If-None-Match': etag } })).toEqual([304, later]);
  expect((await observatory.fetch('/notes')).headers.get('cache-control')).toBe('private, no-cache');
  const { headers } = await observatory.fetch('/api/stations?limit=0');
  expect(headers.get('cache-control')).toBe('no-store');
});

test('an audience is equal for those who are given the same lists, and for nobody else', async () => {
  await using observatory = await startWithStations({ sharing });
  const audienceOf = async (token: string) => {
    const { status, headers } = await observatory.fetch('/audience', { token });
    expect([status, headers.get('cache-control')]).toEqual([204, 'no-store']);
    return headers.get('x-rostack-audience');
  };
  const of = (subject: string, grants = ['stations:read', 'notes:read']) =>
    audienceOf(observatory.issueToken(grants, { subject }));
  const audience = await of('north');
  expect(audience).toMatch(/^[\w-]{43}$/);
  expect(await of('north', ['notes:read', 'stations:read'])).toBe(audience);
  const others = [await of('south'), await of('north', ['stations:read']), await of('north', [])];
  expect(new Set([audience, ...others]).size).toBe(4);
});

test('the audience of right credentials is not counted, that of wrong ones is', async () => {
  const budget = { points: 2, windowMs: 60_000 };
  const rateLimiter = createRateLimiter({
    perAddress: budget,
    perPrincipal: budget,
    failuresPerAddress: budget,
  });
  await using observatory = await startWithStations({
    sharing,
    rateLimiter,
    clientAddress: () => '192.0.2.1',
  });
  const statusOf = async (token?: string | null) =>
    (await observatory.fetch('/audience', token === undefined ? {} : { token })).status;
  for (const _ of [1, 2, 3, 4]) expect(await statusOf()).toBe(204);
  expect([await statusOf(null), await statusOf('rostack_x'), await statusOf(null)]).toEqual([401, 401, 429]);
  expect(await statusOf()).toBe(204);
});

test('what is shared has to be there', async () => {
  const app = { sharing: { resources: ['planets'], audiencePath: '/api/stations' } };
  const refused = await Observatory.start({ app }).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(OptionsError);
  expect(refused).toMatchObject({
    faults: [expect.stringContaining('planets'), expect.stringContaining('two URLs')],
  });
});
