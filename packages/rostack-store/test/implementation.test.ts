import {
  defineImplementation,
  type JsonObject,
  type PageQuery,
  parseBodies,
  parseFilter,
  parseRowRule,
  parseSort,
  type RowRule,
} from 'rostack-core';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openStore, type StoreOptions, toResourceDefinition } from '../src/index.ts';
import { describeBoth } from './support/databases.ts';

const ofOwner: RowRule = ({ id }) => ({ '/owner': { in: [id] } });

const implementation = defineImplementation({
  id: 'bookings',
  name: 'Bookings',
  apiVersion: '1',
  documentationUrl: 'https://bookings.example/docs',
  baseUrl: 'https://bookings.example',
  permissions: { 'bookings:read': 'Read bookings' },
  resources: {
    bookings: {
      model: z.object({ number: z.int(), tenant: z.string(), hall: z.string(), seats: z.int() }),
      id: '/number',
      readPermissions: ['bookings:read'],
      filterable: { '/seats': ['gt'] },
      sortable: ['/seats'],
      visible: parseRowRule({ '/tenant': { eq: { principal: 'claims.tenant' } } }),
      events: {
        'booking.made': { transition: 'create' },
        'booking.changed': { transition: 'update' },
        'booking.cancelled': { transition: 'delete' },
      },
    },
    halls: {
      model: z.object({ id: z.string(), owner: z.string() }),
      readPermissions: ['bookings:read'],
      visible: {
        rule: ofOwner,
        fields: [{ pointer: '/owner', operator: 'in' }],
      },
    },
  },
});

const rows = [
  { number: 1, tenant: 'north', hall: 'a', seats: 3 },
  { number: 2, tenant: 'south', hall: 'a', seats: 5 },
  { number: 3, tenant: 'north', hall: 'b', seats: 9 },
];

describeBoth('a store of an implementation', (create) => {
  test('takes schema, id, events, fields and the fields of row rules from it', async () => {
    await using database = create();
    await using store = await openStore({ url: database.url, schema: database.schema, implementation });
    const written = await store.apply([
      ...rows.map((record) => ({ resource: 'bookings', op: 'put', record }) as const),
      { resource: 'halls', op: 'put', record: { id: 'a', owner: 'p1' } },
    ]);
    expect(written.map(({ id }) => id)).toEqual(['1', '2', '3', 'a']);
    await expect(
      // @ts-expect-error seats are a number
      store.apply([{ resource: 'bookings', op: 'put', record: { ...rows[0], seats: 'many' } }]),
    ).rejects.toMatchObject({ code: 'record_invalid', faults: [{ pointer: '/seats' }] });

    const bookings = store.source('bookings');
    const [first] = await bookings.read(0, 1);
    expect(first).toMatchObject({ id: '1', eventType: 'booking.made' });
    const found = async (filter: JsonObject, sort: PageQuery['sort'] = []) => {
      const { bodies } = await bookings.page({ filter: parseFilter(filter), sort, limit: 10 });
      return parseBodies(bodies);
    };
    expect(await found({ '/seats': { gt: 3 } }, parseSort('-/seats', ['/seats']))).toEqual([
      rows[2],
      rows[1],
    ]);
    expect(await found({ '/tenant': { eq: 'north' } })).toEqual([rows[0], rows[2]]);
    await expect(found({ '/hall': { eq: 'a' } })).rejects.toMatchObject({ code: 'store_options_invalid' });

    const halls = store.source('halls');
    expect(await halls.get('a', parseFilter({ '/owner': { in: ['p1'] } }))).toMatchObject({ id: 'a' });
    expect(await halls.get('a', parseFilter({ '/owner': { in: ['p2'] } }))).toBeUndefined();
  });
});

test('the fields of row rules come on top of those that clients filter by', () => {
  const { bookings } = implementation.resources;
  expect(toResourceDefinition(bookings).filterableFields).toEqual({ '/seats': ['gt'], '/tenant': ['eq'] });
  expect(bookings.filtering.filterable_fields).toEqual({ '/seats': ['gt'] });
});

describe('a store is refused', () => {
  const url = 'sqlite::memory:';
  test.for<[string, object]>([
    ['either an implementation or resources', { url }],
    ['either an implementation or resources', { url, implementation, resources: [] }],
    ['options.implementation is an object: use what defineImplementation', { url, implementation: {} }],
    [
      'options.implementation is an object: use what defineImplementation',
      { url, implementation: implementation.discovery },
    ],
    ['options has no member "resource"', { url, implementation, resource: 'bookings' }],
  ])('with %s: %#', async ([message, options]) => {
    await expect(openStore(options as StoreOptions)).rejects.toMatchObject({
      code: 'store_options_invalid',
      message: expect.stringContaining(message),
    });
  });
});
