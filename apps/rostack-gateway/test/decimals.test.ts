import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { type AdminGateway, adminGateway } from './support/admin-gateway.ts';
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

async function list({ gateway }: AdminGateway, token: string, query: Readonly<Record<string, string>>) {
  const url = `${gateway.url}/api/stations?${new URLSearchParams(query).toString()}`;
  return get(url, { ca: caOf(gateway), headers: bearing(token) });
}

const heights = ({ body }: { readonly body: unknown }) =>
  (body as { items: { height: string }[] }).items.map(({ height }) => height);

test('a configured resource has decimals in strings: filtered, sorted and paged by number, published as such', async () => {
  await using running = await adminGateway({ schema });
  const token = await tokenFor(running.gateway);
  const all = ['-10', '-9.5', '0.50', '2', '9', '10.0', '12345678901234567890.1', '12345678901234567890.2'];
  for (const [index, height] of all.entries()) {
    expect((await running.put({ id: `s${(index * 3) % 8}`, height }, {}, `s${(index * 3) % 8}`)).status).toBe(
      201,
    );
  }
  const refused = await running.put({ id: 'x', height: '1e3' }, {}, 'x');
  expect(refused.status).toBe(422);
  const read: string[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof list>> = await list(running, token, {
      sort: '-/height',
      limit: '3',
      ...(cursor !== null && { cursor }),
    });
    read.push(...heights(page));
    cursor = (page.body as { page: { next_cursor: string | null } }).page.next_cursor;
  } while (cursor !== null);
  expect(read).toEqual(all.toReversed());
  const filter = async (comparison: object) =>
    list(running, token, { sort: '/height', filter: JSON.stringify({ '/height': comparison }) });
  expect(heights(await filter({ eq: '10' }))).toEqual(['10.0']);
  expect(heights(await filter({ gt: '9', lt: '12345678901234567890.2' }))).toEqual([
    '10.0',
    '12345678901234567890.1',
  ]);
  for (const wrong of [{ gt: 9 }, { eq: '1e1' }, { in: ['9', 'nine'] }]) {
    const { status, body } = await filter(wrong);
    expect([status, body]).toEqual([
      400,
      expect.objectContaining({
        type: expect.stringContaining('invalid-filter'),
        detail: expect.stringContaining('compare it with a decimal in a string, such as "12.50"'),
      }),
    ]);
  }
  expect(await filter({ starts_with: '1' })).toMatchObject({
    status: 400,
    body: { detail: expect.stringContaining('does not take the operator') },
  });
  const { resources } = running.gateway.implementation.discovery;
  const [resource] = resources;
  expect(resource?.filtering.filterable_fields['/height']).not.toContain('contains');
  const published = await get(resource?.representations[0]?.schema_url ?? '', { ca: caOf(running.gateway) });
  const validate = new Ajv2020({ formats: { decimal: true } }).compile(published.body as object);
  expect(['10.50', '1e3'].map((height) => validate({ id: 'a', height }))).toEqual([true, false]);
});
