import { parseDiscovery } from 'rostack-core';
import { expect, test } from 'vitest';
import { Observatory } from '../support/observatory.ts';
import { BASE_URL, defineObservatory } from '../support/observatory-implementation.ts';

test('discovery is served without credentials, with a validator and a lifetime', async () => {
  await using observatory = await Observatory.start();
  const response = await observatory.fetch('/.well-known/rostack', { token: null });
  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'application/json',
    'cache-control': 'public, max-age=60',
    'x-rostack-protocol-version': 'rostack_v1',
    'x-rostack-api-version': '3',
    'x-request-id': expect.any(String),
    etag: expect.stringMatching(/^"[\w-]+"$/),
  });
  expect(parseDiscovery(await response.json())).toEqual(defineObservatory().discovery);
});

test('a client that has the document gets 304 without a body; another validator gets it whole', async () => {
  await using observatory = await Observatory.start();
  const etag = (await observatory.fetch('/.well-known/rostack')).headers.get('etag') ?? '';
  for (const header of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const response = await observatory.fetch('/.well-known/rostack', {
      headers: { 'if-none-match': header },
    });
    expect([header, response.status, await response.text()]).toEqual([header, 304, '']);
    expect(response.headers.get('etag')).toBe(etag);
    expect(response.headers.get('cache-control')).toBe('public, max-age=60');
  }
  const other = await observatory.fetch('/.well-known/rostack', { headers: { 'if-none-match': '"other"' } });
  expect(other.status).toBe(200);
});

test('every owned schema is served at its own URL without credentials', async () => {
  const { schemas } = defineObservatory();
  await using observatory = await Observatory.start();
  expect(schemas.size).toBeGreaterThan(3);
  for (const [url, schema] of schemas) {
    const response = await observatory.fetch(url, { token: null });
    expect([url, response.status]).toEqual([url, 200]);
    expect(response.headers.get('content-type')).toBe('application/schema+json');
    expect(response.headers.get('etag')).not.toBeNull();
    expect(await response.json()).toEqual(schema);
  }
});

test('discovery that is not public needs a credential, and no permission', async () => {
  await using observatory = await Observatory.start({
    implementation: defineObservatory({ discoveryPublic: false }),
  });
  expect(await observatory.problem('/.well-known/rostack', { token: null })).toMatchObject({
    slug: 'authentication-required',
  });
  const response = await observatory.fetch('/.well-known/rostack', { token: observatory.issueToken([]) });
  expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'private, max-age=60']);
});

test('discovery takes no parameters, and no method that writes', async () => {
  await using observatory = await Observatory.start();
  expect(await observatory.problem('/.well-known/rostack?x=1')).toMatchObject({ slug: 'invalid-request' });
  expect(await observatory.problem('/.well-known/rostack', { method: 'POST' })).toMatchObject({
    slug: 'method-not-allowed',
  });
});

test('URLs below the API where nothing is are not found; other paths belong to the app around', async () => {
  await using observatory = await Observatory.start();
  for (const path of ['/api/nothing', '/api/stations/', '/deep/archive/by-id/x', '/', '/elsewhere']) {
    expect([path, (await observatory.problem(path)).slug]).toEqual([path, 'resource-not-found']);
  }
  expect(new URL(BASE_URL).pathname).toBe('/');
});

test('owned schemas need no credential where discovery does', async () => {
  const implementation = defineObservatory({ discoveryPublic: false });
  await using observatory = await Observatory.start({ implementation });
  for (const url of implementation.schemas.keys())
    expect([url, (await observatory.fetch(url, { token: null })).status]).toEqual([url, 200]);
});
