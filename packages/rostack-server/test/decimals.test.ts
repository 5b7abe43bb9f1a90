import { DECIMAL_PATTERN, defineImplementation, type PageQuery } from 'rostack-core';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { bindSource } from './support/bind-source.ts';
import { GatewayHarness } from './support/gateway-harness.ts';
import { Observatory } from './support/observatory.ts';
import { BASE_URL } from './support/observatory-implementation.ts';

const wares = defineImplementation({
  id: 'shop',
  name: 'Shop',
  apiVersion: '1',
  documentationUrl: `${BASE_URL}/docs`,
  baseUrl: BASE_URL,
  permissions: { 'stations:read': 'Read wares' },
  resources: {
    wares: {
      model: z.strictObject({
        id: z.string(),
        price: z.string().regex(new RegExp(DECIMAL_PATTERN)).meta({ format: 'decimal' }),
      }),
      readPermissions: ['stations:read'],
      filterable: { '/price': 'all' },
      sortable: ['/price'],
      events: {
        'ware.made': { transition: 'create' },
        'ware.changed': { transition: 'update' },
        'ware.gone': { transition: 'delete' },
      },
    },
  },
});

const ware = (id: string, price: string) =>
  ({ op: 'put', resource: 'wares', record: { id, price } }) as const;

const startShop = () => Observatory.start({ implementation: wares, app: { renderers: {} } });

interface Listed {
  readonly items: readonly { readonly price: string }[];
  readonly page: { readonly next_cursor: string | null };
}

const queryOf = (query: Readonly<Record<string, string>>) =>
  `/api/wares?${new URLSearchParams(query).toString()}`;
const comparing = (comparison: object) => ({ filter: JSON.stringify({ '/price': comparison }) });

/** In the order of numbers. */
const PRICES = ['-10', '-9.5', '0.50', '2', '9', '10.0', '12345678901234567890.1', '12345678901234567890.2'];

test('decimals in strings are filtered, sorted and paged by number', async () => {
  await using shop = await startShop();
  await shop.store.apply(PRICES.map((price, index) => ware(`w${(index * 3) % PRICES.length}`, price)));
  const read: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const after: Record<string, string> = cursor === '' ? {} : { cursor };
    const { items, page }: Listed = await shop.get(queryOf({ sort: '-/price', limit: '3', ...after }));
    read.push(...items.map(({ price }) => price));
    cursor = page.next_cursor;
  }
  expect(read).toEqual(PRICES.toReversed());
  const filtered = async (comparison: object) => {
    const { items }: Listed = await shop.get(queryOf({ sort: '/price', ...comparing(comparison) }));
    return items.map(({ price }) => price);
  };
  expect(await filtered({ eq: '10' })).toEqual(['10.0']);
  expect(await filtered({ gt: '9', lt: '12345678901234567890.2' })).toEqual([
    '10.0',
    '12345678901234567890.1',
  ]);
});

test('operands that are no decimals, and operators of texts, are refused', async () => {
  await using shop = await startShop();
  for (const wrong of [{ gt: 9 }, { eq: '1e1' }, { in: ['9', 'nine'] }]) {
    expect(await shop.problem(queryOf(comparing(wrong)))).toMatchObject({
      slug: 'invalid-filter',
      status: 400,
      detail: expect.stringContaining('compare it with a decimal in a string, such as "12.50"'),
    });
  }
  expect(await shop.problem(queryOf(comparing({ starts_with: '1' })))).toMatchObject({
    slug: 'unsupported-filter',
    detail: expect.stringContaining('does not take the operator'),
  });
  const [resource] = wares.discovery.resources;
  expect(resource?.filtering.filterable_fields['/price']).not.toContain('contains');
});

test('a source is told which keys of a sort and which comparisons are of decimals', async () => {
  const asked: PageQuery[] = [];
  await using shop = await Observatory.start({
    implementation: wares,
    app: { renderers: {} },
    wrapSource: (source) => ({
      ...bindSource(source),
      page: (query) => {
        asked.push(query);
        return source.page(query);
      },
    }),
  });
  await shop.get(queryOf({ sort: '-/price', ...comparing({ gt: '9' }) }));
  expect(asked).toMatchObject([
    {
      sort: [{ pointer: '/price', descending: true, collation: 'decimal' }],
      filter: { kind: 'comparison', pointer: '/price', operand: '9', collation: 'decimal' },
    },
  ]);
});

test('events are filtered by number', async () => {
  await using shop = await startShop();
  await using harness = await GatewayHarness.start({
    store: shop.store,
    gateway: { implementation: wares, sources: (name) => shop.store.source(name) },
  });
  await using client = await harness.client();
  await client.subscribe('s', 'wares', { filter: { '/price': { gt: '9.5' } } });
  await shop.store.apply([
    ware('nine', '9'),
    ware('ten', '10.0'),
    ware('minus', '-100'),
    ware('last', '9.51'),
  ]);
  expect(await client.next('event')).toMatchObject({ resource_id: 'ten', data: { price: '10.0' } });
  expect(await client.next('event')).toMatchObject({ resource_id: 'last' });
});

test('events of equal numbers are found, whatever their digits', async () => {
  await using shop = await startShop();
  await using harness = await GatewayHarness.start({
    store: shop.store,
    gateway: { implementation: wares, sources: (name) => shop.store.source(name) },
  });
  await using client = await harness.client();
  await client.subscribe('equal', 'wares', { filter: { '/price': { eq: '10' } } });
  await client.subscribe('listed', 'wares', { filter: { '/price': { in: ['10.00', '7'] } } });
  await shop.store.apply([ware('nine', '9'), ware('ten', '10.0')]);
  for (const id of ['equal', 'listed']) {
    expect(await client.next('event')).toMatchObject({ subscription_id: id, resource_id: 'ten' });
  }
});
