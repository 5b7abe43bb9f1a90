import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { temporaryFolder } from 'test-support/temporary-folder';
import { expect, test } from 'vitest';
import { adminGateway } from './support/admin-gateway.ts';
import { bearing, get } from './support/get.ts';
import { caOf, tokenFor } from './support/observed.ts';
import { stationSchema } from './support/sample-config.ts';

const schema = {
  ...stationSchema,
  properties: {
    ...stationSchema.properties,
    height: { $ref: 'place.schema.json#height' },
    place: { $ref: 'place.schema.json' },
  },
};
const place = {
  type: 'object',
  properties: {
    lat: { type: 'number' },
    height: { type: 'number', $anchor: 'height' },
    next: { $ref: 'place.schema.json' },
    of: { $ref: 'stations.schema.json' },
  },
};

test('schemas of a configuration refer to each other: records, filters, fields and the published documents follow', async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'place.schema.json');
  await writeFile(file, JSON.stringify(place));
  await using running = await adminGateway({
    schema,
    sortable: '[/height, /place/next/lat]',
    sections: `schemas: { place: ${file} }`,
  });
  const { gateway } = running;
  const station = (id: string, lat: number, more: object = {}) => ({
    id,
    height: 1,
    place: { lat: 0, next: { lat, ...more } },
  });
  expect((await running.put(station('a', 2))).status).toBe(201);
  expect((await running.put(station('b', 1, { of: station('a', 5) }), {}, 'b')).status).toBe(201);
  for (const wrong of [{ x: 1 }, { of: { id: 'c' } }, { height: 'high' }]) {
    expect((await running.put(station('c', 1, wrong), {}, 'c')).status).toBe(422);
  }
  const ca = caOf(gateway);
  const headers = bearing(await tokenFor(gateway));
  const query = new URLSearchParams({ sort: '/place/next/lat', fields: '/place/next/of/height' }).toString();
  const { body } = await get(`${gateway.url}/api/stations?${query}`, { ca, headers });
  expect((body as { items: unknown }).items).toEqual([
    { place: { next: { of: { height: 1 } } } },
    { place: { next: {} } },
  ]);

  const loadSchema = async (url: string) => (await get(url, { ca })).body as object;
  const ajv = new Ajv2020({ strict: false, loadSchema });
  const url = gateway.implementation.resources['stations']?.schemaUrl ?? '';
  const validate = await ajv.compileAsync(await loadSchema(url));
  expect([station('a', 1), station('a', 1, { x: 1 })].map((record) => validate(record))).toEqual([
    true,
    false,
  ]);
  expect(await loadSchema(url.replace('stations', 'place'))).toMatchObject({
    $id: url.replace('stations', 'place'),
    additionalProperties: false,
  });
});
