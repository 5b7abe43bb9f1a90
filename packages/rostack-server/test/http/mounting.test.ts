import { Hono } from 'hono';
import { OptionsError } from 'rostack-core';
import { createRostackApp, type RostackAppOptions } from 'rostack-server';
import { expect, test } from 'vitest';
import { CURSOR_KEYS } from '../support/cursor-keys.ts';
import { Observatory, station } from '../support/observatory.ts';
import { BASE_URL, defineObservatory } from '../support/observatory-implementation.ts';

test('mounted in another app it answers its own paths and leaves every other one alone', async () => {
  await using observatory = await Observatory.start();
  await observatory.putStations(station(1));
  const parent = new Hono()
    .get('/first', (c) => c.text('first'))
    .route('/', observatory.app)
    .get('/later', (c) => c.text('later'))
    .notFound((c) => c.text('nothing here', 404));
  const ask = async (path: string): Promise<[number, string | null]> => {
    const authorization = `Rostack-Token ${observatory.token}`;
    const response = await parent.request(new Request(BASE_URL + path, { headers: { authorization } }));
    return [response.status, response.headers.get('content-type')?.split(';')[0] ?? null];
  };
  expect(await ask('/first')).toEqual([200, 'text/plain']);
  expect(await ask('/later')).toEqual([200, 'text/plain']);
  expect(await ask('/elsewhere')).toEqual([404, 'text/plain']);
  expect(await ask('/api/stations')).toEqual([200, 'application/json']);
  expect(await ask('/api/stations/station-0001')).toEqual([200, 'application/json']);
  expect(await ask('/api/elsewhere')).toEqual([404, 'application/problem+json']);
});

test('behind a prefix that is taken off the path it still knows its advertised URLs', async () => {
  await using observatory = await Observatory.start({ app: { strippedPathPrefix: '/api' } });
  await observatory.putStations(station(1));
  const parent = new Hono().mount('/outside', observatory.app.fetch);
  const headers = { authorization: `Rostack-Token ${observatory.token}` };
  const response = await parent.request(
    new Request(`${BASE_URL}/outside/stations/station-0001`, { headers }),
  );
  expect([response.status, await response.json()]).toEqual([200, station(1)]);
});

test('the well-known path stands at the origin, whatever prefix is taken off', async () => {
  await using observatory = await Observatory.start({ app: { strippedPathPrefix: '/api' } });
  const response = await observatory.app.request(new Request(`${BASE_URL}/.well-known/rostack`));
  expect([response.status, await response.json()]).toMatchObject([200, { protocol: { name: 'rostack' } }]);
});

test('options that do not fit together are refused with every fault', async () => {
  await using observatory = await Observatory.start();
  const implementation = defineObservatory({ metadataUrl: 'https://as.example/metadata' });
  implementation.discovery.errors.http = implementation.discovery.errors.http.filter(
    ({ type }) => !type.endsWith('/invalid-sort'),
  );
  const options: RostackAppOptions = {
    implementation,
    sources: (name) => observatory.store.source(name),
    authenticators: [],
    cursorKeys: CURSOR_KEYS,
    renderers: {
      stations: { 'application/json': (record) => record },
      notes: { 'application/vnd.note+json': (record) => record },
      constructor: {},
    },
  };
  let thrown: unknown;
  try {
    createRostackApp(options);
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(OptionsError);
  expect((thrown as OptionsError).faults).toEqual([
    'Pass an authenticator for oauth2.',
    'Pass an authenticator for shared_token.',
    'Leave out the renderer for application/json of stations: it is not a representation of the resource.',
    'Leave out the renderer for application/vnd.note+json of notes: it is not a representation of the resource.',
    'errors.http must declare invalid-sort for list.',
    'Pass a renderer for application/vnd.observatory.summary+json of the resource stations.',
  ]);
});
