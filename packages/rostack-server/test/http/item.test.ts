import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Observatory, station } from '../support/observatory.ts';

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
