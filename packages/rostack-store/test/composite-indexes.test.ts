import * as fc from 'fast-check';
import {
  compareRecords,
  compileFilter,
  type JsonObject,
  type JsonScalar,
  parseFilter,
  parseSort,
} from 'rostack-core';
import { testRuns } from 'test-support/test-runs';
import { expect, test } from 'vitest';
import { type ResourceDefinition, StoreOptionsError } from '../src/index.ts';
import { readChain } from './support/chain.ts';
import { describeBoth, type OpenOptions, type TestDatabase } from './support/databases.ts';
import { executeRaw } from './support/execute-raw.ts';
import { recordsOfPage } from './support/page-records.ts';
import { smallLimits } from './support/small-limits.ts';

const SORTABLE = ['/price', '/day', '/customer'];

/** `/shop` has an index of prefixes, `/customer` one of whole keys. */
const orders: ResourceDefinition = {
  name: 'orders',
  idPointer: '/id',
  schema: { type: 'object' },
  filterableFields: {
    '/shop': ['eq', 'in'],
    '/customer': ['eq', 'gt'],
    '/price': ['gte', 'lt', 'eq'],
    '/note': ['contains'],
  },
  sortableFields: SORTABLE,
};
const resources = [orders];
const compositeIndexes = {
  orders: [
    { equal: '/shop', sort: '/day' },
    { equal: '/shop', sort: '/price' },
    { equal: '/customer', sort: '/price' },
  ],
};

const RECORDS = 60;
const LONG = 'x'.repeat(300);
/** Few values, so that most records have ties; some have none. */
const someOf = (...values: readonly JsonScalar[]) => fc.constantFrom(...values);
const shops = someOf('a', LONG, `${LONG}b`, 1, null);
const customers = someOf('k', '', true);
const prices = someOf(-1, 0, 1, 1.5, 'free');
const ids = fc
  .integer({ min: 0, max: RECORDS - 1 })
  .map((number) => `${number % 3 === 0 ? '한' : 'o'}${number}`);
const bodies = fc.record(
  {
    shop: shops,
    customer: customers,
    price: prices,
    day: fc.integer({ min: 0, max: 3 }),
    note: someOf('x', 'y'),
  },
  { requiredKeys: [] },
);
const states = fc.array(fc.tuple(ids, bodies), { minLength: RECORDS, maxLength: 2 * RECORDS });
const queries = fc.array(
  fc.record({
    filter: fc
      .tuple(
        fc.oneof(
          shops.map((eq) => ({ '/shop': { eq } })),
          customers.map((eq) => ({ '/customer': { eq } })),
          fc.record({ '/shop': fc.record({ eq: shops }), '/customer': fc.record({ eq: customers }) }),
          fc.uniqueArray(shops, { minLength: 2, maxLength: 3 }).map((shop) => ({ '/shop': { in: shop } })),
          fc.constant({ '/customer': { gt: 'a' } }),
          fc.tuple(shops, customers).map(([shop, customer]) => ({
            $or: [{ '/shop': { eq: shop } }, { '/customer': { eq: customer } }],
          })),
          fc.constant({}),
        ),
        fc.oneof(
          fc.constant({}),
          fc.record({ '/price': fc.record({ gte: prices, lt: prices }, { requiredKeys: [] }) }),
          fc.record({ '/note': fc.record({ contains: someOf('x') }) }),
          fc.record({ '/price': fc.record({ eq: prices }) }),
        ),
      )
      .map(([pair, more]): JsonObject => ({ ...pair, ...Object.fromEntries(nonEmpty(more)) })),
    sort: fc.tuple(fc.shuffledSubarray(SORTABLE), fc.boolean(), fc.boolean()),
    limit: fc.integer({ min: 1, max: 40 }),
    isOld: fc.boolean(),
    isSmall: fc.boolean(),
  }),
  { minLength: 100, maxLength: 100 },
);

function nonEmpty(filter: JsonObject): [string, JsonObject][] {
  return Object.entries(filter).filter(([, test]) => Object.keys(test as object).length > 0) as [
    string,
    JsonObject,
  ][];
}

type State = ReadonlyMap<string, JsonObject>;

function stateAfter(state: State, changes: readonly (readonly [string, JsonObject])[]): State {
  const after = new Map(state);
  for (const [id, body] of changes) after.set(id, { ...body, id });
  return after;
}

const asPuts = (changes: readonly (readonly [string, JsonObject])[]) =>
  changes.map(([id, body]) => ({ resource: 'orders', op: 'put' as const, record: { ...body, id } }));

async function indexesOf(database: TestDatabase): Promise<readonly string[]> {
  const named =
    database.schema === 'main'
      ? "select name, sql as text from sqlite_schema where type = 'index' and tbl_name = 'record_1'"
      : `select indexname as name, indexdef as text from pg_indexes where schemaname = '${database.schema}' and tablename like 'record%'`;
  const rows = await executeRaw(database, named);
  return rows
    .filter(({ name }) => /_k\d+_k\d+$/.test(String(name)))
    .map(({ name, text }) => `${String(name)}${/substr/.test(String(text)) ? ' of prefixes' : ''}`)
    .toSorted();
}

describeBoth('composite indexes', (create) => {
  test('give the same pages as the predicate and the order of rostack-core', {
    timeout: 600_000,
  }, async () => {
    await using database = create();
    const options: OpenOptions = {
      resources,
      compositeIndexes,
      retention: { intervalMs: 0 },
      readTimeoutMs: 60_000,
      synchronous: 'normal',
    };
    await using store = await database.open(options);
    let left: readonly string[] = [];
    await fc.assert(
      fc.asyncProperty(states, states, queries, smallLimits, async (first, since, asked, limits) => {
        await using small = await database.open(options, limits);
        await store.apply(left.map((id) => ({ resource: 'orders', op: 'delete', id })));
        await store.apply(asPuts(first));
        const old = stateAfter(new Map(), first);
        const { position: at } = await store.source('orders').head();
        await store.apply(asPuts(since));
        const now = stateAfter(old, since);
        left = [...now.keys()];
        const { position } = await store.source('orders').head();
        for (const {
          filter,
          sort: [fields, ...descending],
          limit,
          isOld,
          isSmall,
        } of asked) {
          const text = fields
            .map((field, index) => `${descending[index] === true ? '-' : ''}${field}`)
            .join(',');
          const query = {
            filter: Object.keys(filter).length === 0 ? undefined : parseFilter(filter),
            sort: text === '' ? [] : parseSort(text, SORTABLE),
            limit,
          };
          const source = (isSmall ? small : store).source('orders');
          const found = await readChain(source, { ...query, at: isOld ? at : position });
          const matches = query.filter === undefined ? () => true : compileFilter(query.filter);
          const expected = [...(isOld ? old : now)]
            .map(([id, value]) => ({ id, value }))
            .filter(({ value }) => matches(value))
            .sort(compareRecords(query.sort));
          expect({ filter, text, isOld, isSmall, found: found.map(({ id }) => id) }).toEqual({
            filter,
            text,
            isOld,
            isSmall,
            found: expected.map(({ id }) => id),
          });
        }
      }),
      { numRuns: testRuns(1), endOnFailure: true },
    );
  });

  test.each([true, false])(
    'bound pages of a value, however many records have it; with statistics: %s',
    async (isAnalyzed) => {
      await using database = create();
      await using store = await database.open({ resources, compositeIndexes, synchronous: 'normal' });
      // By statistics each of the three shops has a third of the records.
      const record = (index: number) => ({
        id: `o${index}`,
        shop: index >= 4_900 ? 'small' : `large ${index % 2}`,
        price: index,
        day: index % 7,
      });
      for (let from = 0; from < 5_000; from += 1_000) {
        await store.apply(
          Array.from({ length: 1_000 }, (_, index) => ({
            resource: 'orders',
            op: 'put' as const,
            record: record(from + index),
          })),
        );
      }
      const { position: at } = await store.source('orders').head();
      await store.apply(
        Array.from({ length: 1_000 }, (_, index) => ({
          resource: 'orders',
          op: 'put' as const,
          record: { ...record(index), note: 'x' },
        })),
      );
      if (isAnalyzed) await executeRaw(database, 'analyze record_1');
      const filter = parseFilter({ '/shop': { eq: 'small' }, '/price': { gte: 100 } });
      for (const [sort, index] of [
        ['/price', 'record_1_k5_k4'],
        ['-/price', 'record_1_k5_k4'],
        ['-/day', 'record_1_k5_k2'],
        ['/day,-/price', 'record_1_k5_k2'],
      ] as const) {
        const query = { filter, sort: parseSort(sort, SORTABLE), limit: 20 };
        const { next: after } = await store.source('orders').page(query);
        for (const place of [undefined, after]) {
          const { strategy, tried } = await store.explain('orders', { ...query, after: place });
          expect([sort, strategy, tried.map(({ indexes }) => indexes)]).toEqual([
            sort,
            'statement',
            [[index]],
          ]);
          const plan = tried[0]?.plan.join('\n') ?? '';
          expect([sort, plan]).toEqual([sort, expect.stringContaining(index)]);
          expect([sort, plan]).toEqual([
            sort,
            expect.not.stringMatching(/Seq Scan on record_1|Bitmap|Presorted/),
          ]);
          // By what is no equality PostgreSQL would find where the value begins, but go on to its end.
          expect([sort, plan]).toEqual([
            sort,
            expect.stringMatching(/\(<expr>=\?|Cond: \(+substr\(k5, 1, 256\) = ANY/),
          ]);
        }
        expect(recordsOfPage(await store.source('orders').page(query))).toHaveLength(20);
        const { strategy, tried } = await store.explain('orders', { ...query, at });
        expect([sort, strategy, tried[0]?.plan.join('\n')]).toEqual([
          sort,
          'statement',
          expect.stringMatching(/past_1_k5\b/),
        ]);
      }
    },
  );

  test('are made of the records that are there, follow their fields, and go when they are left out', async () => {
    await using database = create();
    const records = [
      { id: 'a', shop: 's', price: 2, day: 1 },
      { id: 'b', shop: 's', price: 1, day: 1 },
      { id: 'c', shop: 't', price: 0, day: 1 },
    ];
    const idsOf = async (indexes: typeof compositeIndexes.orders, definition = orders) => {
      await using store = await database.open({
        resources: [definition],
        compositeIndexes: { orders: indexes },
      });
      await store.apply(records.map((record) => ({ resource: 'orders', op: 'put', record })));
      const filter = parseFilter({ '/shop': { eq: 's' } });
      const sort = parseSort('/price', ['/price']);
      return (await readChain(store.source('orders'), { at: undefined, filter, sort, limit: 1 })).map(
        ({ id }) => id,
      );
    };
    const [byDay, byPrice] = compositeIndexes.orders as [
      { equal: string; sort: string },
      { equal: string; sort: string },
    ];
    expect(await idsOf([])).toEqual(['b', 'a']);
    expect(await indexesOf(database)).toEqual([]);
    expect(await idsOf([byPrice, byDay])).toEqual(['b', 'a']);
    expect(await indexesOf(database)).toEqual(['record_1_k5_k2 of prefixes', 'record_1_k5_k4 of prefixes']);
    // `/shop` is indexed as a whole now, and `/note` is no field any more.
    const sortable = { ...orders, sortableFields: [...SORTABLE, '/shop'] };
    expect(await idsOf([byPrice], sortable)).toEqual(['b', 'a']);
    expect(await indexesOf(database)).toEqual(['record_1_k5_k4']);
    const { '/shop': _, ...filterableFields } = orders.filterableFields ?? {};
    await (await database.open({ resources: [{ ...orders, filterableFields }] })).close();
    expect(await indexesOf(database)).toEqual([]);
    expect(await idsOf([byPrice])).toEqual(['b', 'a']);
    expect(await indexesOf(database)).toHaveLength(1);
  });

  test.each([
    [
      '/note',
      '/price',
      '/note and /price: /note cannot be filtered by eq; add eq to its operators, or name another field',
    ],
    [
      '/none',
      '/price',
      '/none and /price: /none cannot be filtered by eq; add eq to its operators, or name another field',
    ],
    ['/shop', '/note', '/shop and /note: /note is not sortable; name a sortable field'],
    ['/customer', '/customer', '/customer and /customer: they are one field; name two'],
  ])('of %s and %s are refused', async (equal, sort, message) => {
    await using database = create();
    const opening = database.open({ resources, compositeIndexes: { orders: [{ equal, sort }] } });
    await expect(opening).rejects.toThrow(new StoreOptionsError(`orders: the composite index of ${message}`));
  });

  test('are none of a resource that is named as what every object has', async () => {
    await using database = create();
    await using store = await database.open({ resources: [{ ...orders, name: 'constructor' }] });
    expect((await store.source('constructor').head()).position).toBe(0);
  });

  test('of a resource that is not there, or given twice, are refused', async () => {
    await using database = create();
    await expect(database.open({ resources, compositeIndexes: { order: [] } })).rejects.toThrow(
      'compositeIndexes names order, which is not a resource of the store',
    );
    const twice = { orders: [compositeIndexes.orders[0], compositeIndexes.orders[0]] as const };
    await expect(database.open({ resources, compositeIndexes: twice as never })).rejects.toThrow(
      'the composite index of /shop and /day: it is repeated; leave one out',
    );
  });
});
