import { decodeCompactEvent, defineImplementation } from 'rostack-core';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { GatewayHarness } from './support/gateway-harness.ts';
import { Observatory } from './support/observatory.ts';
import { BASE_URL } from './support/observatory-implementation.ts';

const things = defineImplementation({
  id: 'things',
  name: 'Things',
  apiVersion: '1',
  documentationUrl: `${BASE_URL}/docs`,
  baseUrl: BASE_URL,
  permissions: { 'stations:read': 'Read things' },
  eventEncodings: ['json', 'compact-json'],
  resources: {
    things: {
      model: z.strictObject({ id: z.int(), name: z.string() }),
      readPermissions: ['stations:read'],
      filterable: { '/id': 'all' },
      sortable: ['/id'],
      events: {
        'thing.made': { transition: 'create' },
        'thing.changed': { transition: 'update' },
        'thing.gone': { transition: 'delete' },
      },
    },
  },
});

const thing = (id: number, name = 'x') => ({ op: 'put', resource: 'things', record: { id, name } }) as const;

const startThings = () => Observatory.start({ implementation: things, app: { renderers: {} } });

interface Listed {
  readonly items: readonly { readonly id: unknown }[];
  readonly page: { readonly next_cursor: string | null };
}

test('an item whose id is an integer has its decimal text in its URL, and no other', async () => {
  await using observatory = await startThings();
  await observatory.store.apply([thing(42), thing(-7), thing(1)]);
  expect(await observatory.get('/api/things/42')).toEqual({ id: 42, name: 'x' });
  expect(await observatory.get('/api/things/%34%32')).toEqual({ id: 42, name: 'x' });
  expect(await observatory.get('/api/things/-7')).toEqual({ id: -7, name: 'x' });
  for (const other of ['042', '4.0', '42.0', '4.2e1', '+42', '42%20', '-07', '43', '"42"']) {
    expect(await observatory.problem(`/api/things/${other}`)).toMatchObject({ slug: 'resource-not-found' });
  }
  await observatory.store.apply([{ op: 'delete', resource: 'things', id: 1 }]);
  expect(await observatory.problem('/api/things/1')).toMatchObject({ slug: 'resource-gone' });
});

test('pages go on behind an integer, in the order of the texts or of the numbers', async () => {
  await using observatory = await startThings();
  await observatory.store.apply([9, 10, -1, 100, 0].map((id) => thing(id)));
  const idsOf = async (query: string): Promise<unknown[]> => {
    const ids: unknown[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const after: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const { items, page }: Listed = await observatory.get(`/api/things?limit=1&${query}${after}`);
      ids.push(...items.map(({ id }) => id));
      cursor = page.next_cursor;
    }
    return ids;
  };
  expect(await idsOf('')).toEqual([-1, 0, 10, 100, 9]);
  expect(await idsOf('sort=-/id')).toEqual([100, 10, 9, 0, -1]);
  const filtered = (filter: object) => idsOf(`filter=${encodeURIComponent(JSON.stringify(filter))}&sort=/id`);
  expect(await filtered({ '/id': { gte: 9 } })).toEqual([9, 10, 100]);
  expect(await filtered({ '/id': { eq: '9' } })).toEqual([]);
});

test.each(['json', 'compact-json'] as const)('events name it by its decimal text: %s', async (encoding) => {
  await using observatory = await startThings();
  await using harness = await GatewayHarness.start({
    store: observatory.store,
    gateway: {
      implementation: things,
      sources: (name) => observatory.store.source(name),
    },
  });
  await using client = await harness.client();
  await client.subscribe('s', 'things', { filter: { '/id': { gt: 10 } }, event_encoding: encoding });
  await observatory.store.apply([thing(42, 'a'), thing(9), thing(42, 'b')]);
  await observatory.store.apply([{ op: 'delete', resource: 'things', id: 42 }]);
  const expected = [
    ['thing.made', '42', { id: 42, name: 'a' }],
    ['thing.changed', '42', { id: 42, name: 'b' }],
    ['thing.gone', '42', { id: 42, name: 'b' }],
  ];
  for (const event of expected) {
    const message = await client.take();
    const found = Array.isArray(message) ? decodeCompactEvent(message) : message;
    expect(found).toMatchObject({ event_type: event[0], resource_id: event[1], data: event[2] });
  }
});
