import * as fc from 'fast-check';
import { createRostackApp, createSharedTokenAuthenticator } from 'rostack-server';
import { expect, test } from 'vitest';
import { CURSOR_KEYS } from '../support/cursor-keys.ts';
import { Observatory, PRINCIPAL_IDS, station } from '../support/observatory.ts';
import { BASE_URL, defineObservatory, SUMMARY_MEDIA_TYPE } from '../support/observatory-implementation.ts';

test('an item is the stored record, with its version as validator', async () => {
  await using observatory = await Observatory.start();
  const record = station(1, { location: { latitude: 37.5, longitude: 127 } });
  const [result] = await observatory.store.apply([{ op: 'put', resource: 'stations', record }]);
  const response = await observatory.fetch('/api/stations/station-0001');
  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'application/json',
    'cache-control': 'private, no-cache',
    etag: `"${result?.version}"`,
    vary: 'Accept, Authorization',
    'x-rostack-api-version': '3',
  });
  expect(await response.json()).toEqual(record);

  const headers = { 'if-none-match': `"${result?.version}"` };
  const unchanged = await observatory.fetch('/api/stations/station-0001', { headers });
  expect([unchanged.status, await unchanged.text()]).toEqual([304, '']);
  await observatory.putStations(station(1, { note: 'new' }));
  expect((await observatory.fetch('/api/stations/station-0001', { headers })).status).toBe(200);
});

test('fields keeps what it names, under a validator of its own', async () => {
  await using observatory = await Observatory.start();
  await observatory.putStations(station(1, { location: { latitude: 37.5, longitude: 127 } }));
  const whole = await observatory.fetch('/api/stations/station-0001');
  const part = await observatory.fetch('/api/stations/station-0001?fields=/name,/location/latitude');
  expect(await part.json()).toEqual({ name: '관측소 1', location: { latitude: 37.5 } });
  expect(part.headers.get('etag')).not.toBe(whole.headers.get('etag'));
  const headers = { 'if-none-match': part.headers.get('etag') ?? '' };
  const asked = async (fields: string) =>
    (await observatory.fetch(`/api/stations/station-0001?fields=${fields}`, { headers })).status;
  expect([await asked('/name,/location/latitude'), await asked('/name')]).toEqual([304, 200]);
});

test('a representation has validators of its own, and others after a start with another renderer', async () => {
  await using observatory = await Observatory.start();
  await observatory.putStations(station(1));
  const labelled = (label: string) =>
    createRostackApp({
      implementation: defineObservatory(),
      sources: (name) => observatory.store.source(name),
      authenticators: [
        createSharedTokenAuthenticator({ store: observatory.tokens, principalId: PRINCIPAL_IDS }),
      ],
      cursorKeys: CURSOR_KEYS,
      renderers: { stations: { [SUMMARY_MEDIA_TYPE]: ({ id }) => ({ id, label }) } },
    });
  const [before, after] = [labelled('before'), labelled('after')];
  for (const path of ['/api/stations', '/api/stations/station-0001']) {
    const ask = (app: typeof before, headers: Record<string, string>) =>
      app.request(`${BASE_URL}${path}`, {
        headers: { authorization: `Rostack-Token ${observatory.token}`, ...headers },
      });
    const json = await ask(before, {});
    const summary = await ask(before, { accept: SUMMARY_MEDIA_TYPE });
    const etag = summary.headers.get('etag') ?? '';
    expect(etag).not.toBe(json.headers.get('etag'));
    const again = { accept: SUMMARY_MEDIA_TYPE, 'if-none-match': etag };
    expect((await ask(before, again)).status).toBe(304);
    const changed = await ask(after, again);
    expect([changed.status, await changed.text()]).toEqual([200, expect.stringContaining('"after"')]);
  }
});

test('a deleted record is gone, one that never was is not found', async () => {
  await using observatory = await Observatory.start();
  await observatory.putStations(station(1));
  await observatory.store.apply([{ op: 'delete', resource: 'stations', id: 'station-0001' }]);
  expect(await observatory.problem('/api/stations/station-0001')).toMatchObject({ slug: 'resource-gone' });
  expect(await observatory.problem('/api/stations/station-0002')).toMatchObject({
    slug: 'resource-not-found',
  });
  expect(await observatory.problem('/api/stations/a%00b')).toMatchObject({ slug: 'resource-not-found' });
});

test('without the permission an item that exists and one that does not look the same', async () => {
  await using observatory = await Observatory.start();
  await observatory.putStations(station(1));
  const token = observatory.issueToken(['notes:read']);
  const there = await observatory.problem('/api/stations/station-0001', { token });
  const absent = await observatory.problem('/api/stations/station-0002', { token });
  expect({ ...there, request_id: '' }).toEqual({ ...absent, request_id: '' });
  expect(there.slug).toBe('permission-denied');
});

test('any id survives percent-encoding, in a path, before a suffix and in a query', async () => {
  await using observatory = await Observatory.start();
  const ids = fc.oneof(
    fc.constantFrom(
      'a/b',
      'a b',
      '강원/1',
      '🛰️',
      '%',
      '%2F',
      'a+b',
      'a?b#c',
      "it's",
      'x:y@z',
      ';',
      'a//b',
      '*!()',
      '~',
    ),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
  );
  await fc.assert(
    fc.asyncProperty(ids, async (id) => {
      fc.pre(id !== '.' && id !== '..' && !id.includes('\0'));
      const record = { id, text: id };
      await observatory.store.apply([
        { op: 'put', resource: 'notes', record },
        { op: 'put', resource: 'archive', record },
      ]);
      const encoded = encodeURIComponent(id);
      expect(await observatory.get(`/note?id=${encoded}`)).toEqual(record);
      expect(await observatory.get(`/deep/archive/by-id/${encoded}/text`)).toEqual(record);
    }),
    { numRuns: 60 },
  );
});
