import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { adminGateway } from './support/admin-gateway.ts';
import { bearing, get } from './support/get.ts';
import { caOf, tokenFor } from './support/observed.ts';

const PATTERN = '^-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?$';
const schema = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'height'],
  properties: {
    id: { type: 'string' },
    height: { type: 'string', format: 'decimal', pattern: PATTERN },
  },
};

test('a configured resource has decimals in strings: filtered and sorted by number, published as such', async () => {
  await using running = await adminGateway({ schema });
  const { gateway } = running;
  const read = { ca: caOf(gateway), headers: bearing(await tokenFor(gateway)) };
  for (const [id, height] of Object.entries({ a: '9', b: '-9.5', c: '10.0', d: '0.50' })) {
    expect((await running.put({ id, height }, {}, id)).status).toBe(201);
  }
  expect((await running.put({ id: 'x', height: '1e3' }, {}, 'x')).status).toBe(422);
  const query = new URLSearchParams({ sort: '-/height', filter: '{"/height":{"gt":"-9"}}' });
  const page = await get(`${gateway.url}/api/stations?${query.toString()}`, read);
  expect(page.body).toMatchObject({ items: [{ height: '10.0' }, { height: '9' }, { height: '0.50' }] });
  const [resource] = gateway.implementation.discovery.resources;
  const published = await get(resource?.representations[0]?.schema_url ?? '', { ca: caOf(gateway) });
  const validate = new Ajv2020({ formats: { decimal: true } }).compile(published.body as object);
  expect(['10.50', '1e3'].map((height) => validate({ id: 'a', height }))).toEqual([true, false]);
});
