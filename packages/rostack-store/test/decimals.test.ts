import { type Collation, collateFilter, type JsonObject, parseFilter, parseSort } from 'rostack-core';
import { describePostgres } from 'test-support/postgres';
import { expect, test, vi } from 'vitest';
import {
  attachTable,
  checkResourceDefinition,
  RecordInvalidError,
  type ResourceDefinition,
} from '../src/index.ts';
import { attached, recordsOf } from './support/attached.ts';
import { readChain } from './support/chain.ts';
import { describeBoth, postgres } from './support/databases.ts';
import { appTable } from './support/observations.ts';

const PRICES: ReadonlyMap<string, Collation> = new Map([['/price', 'decimal']]);

const shop = (price: object, operators: ResourceDefinition['filterableFields'] = {}): ResourceDefinition => ({
  name: 'observations',
  idPointer: '/id',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['id'],
    properties: { id: { type: 'string' }, price, big: { $ref: '#/$defs/decimal' } },
    $defs: { decimal: { type: ['string', 'null'], format: 'decimal' } },
  },
  filterableFields: { '/price': ['eq', 'gt'], ...operators },
  sortableFields: ['/price'],
});
const decimal = shop({ type: 'string', format: 'decimal' });
const textual = shop({ type: 'string' });

/** In the order of numbers. */
const ASCENDING = [
  '-100000000000000000000.5',
  '-3',
  '-2.999',
  '-0.05',
  '0',
  '0.000000000000000000001',
  '2',
  '9.5',
  '10.0',
  '10.000000000000000000001',
  '9007199254740992',
  '9007199254740993',
  `1${'0'.repeat(40)}`,
];

const listing = (definition: ResourceDefinition, filter: object | undefined, sort: string, at: number) => {
  const collations = definition === decimal ? PRICES : new Map<string, Collation>();
  return {
    at,
    limit: 4,
    filter: filter && collateFilter(parseFilter(filter), collations),
    sort: sort === '' ? [] : parseSort(sort, ['/price'], collations),
  };
};

const put = (id: string, price: string) => ({
  resource: 'observations',
  op: 'put' as const,
  record: { id, price },
});

describeBoth('decimals in strings', (create) => {
  test('are sorted, paged and filtered by number, through the index', async () => {
    await using database = create();
    await using store = await database.open({ resources: [decimal] });
    const prices = [...ASCENDING, '10'];
    await store.apply(prices.map((price, index) => put(`r${(index * 5) % prices.length}`, price)));
    const source = store.source('observations');
    const { position } = await source.head();
    const found = async (filter: object | undefined, sort: string) =>
      (await readChain(source, listing(decimal, filter, sort, position))).map(
        ({ body }) => (JSON.parse(body) as { price: string }).price,
      );
    const numbers = ASCENDING.toSpliced(8, 1, '10', '10.0');
    const exactly = (texts: readonly string[]) => texts.map((text) => (text === '10.0' ? '10' : text));
    expect(exactly(await found(undefined, '/price'))).toEqual(exactly(numbers));
    expect(exactly(await found(undefined, '-/price'))).toEqual(exactly(numbers.toReversed()));
    expect(new Set(await found({ '/price': { eq: '10.00' } }, ''))).toEqual(new Set(['10', '10.0']));
    expect(await found({ '/price': { gt: '9007199254740992.0', lt: '9007199254740994' } }, '')).toEqual([
      '9007199254740993',
    ]);
    const visible = collateFilter(parseFilter({ '/price': { lt: '9.6', gt: '-2' } }), PRICES);
    const seen = await Promise.all(
      prices.map(async (price, index) =>
        (await source.get(`r${(index * 5) % prices.length}`, visible)) === undefined ? [] : [price],
      ),
    );
    expect(seen.flat()).toEqual(['-0.05', '0', '0.000000000000000000001', '2', '9.5']);
    expect(await found({ '/price': { in: ['2.0', '9.50', '7'] } }, '/price')).toEqual(['2', '9.5']);
    const { at: _, ...current } = listing(decimal, { '/price': { gte: '9.5' } }, '/price', position);
    expect(await store.explain('observations', current)).toMatchObject({
      strategy: 'statement',
      tried: [{ indexes: ['record_1_k1'], isWhole: true }],
    });
  });

  test('are what records are held to, and what texts become when the schema says so', async () => {
    await using database = create();
    const ids = async (definition: ResourceDefinition) => {
      await using store = await database.open({ resources: [definition] });
      const source = store.source('observations');
      const { position } = await source.head();
      const records = await readChain(source, listing(definition, undefined, '/price', position));
      return records.map(({ id }) => id);
    };
    const before = await database.open({ resources: [textual] });
    await before.apply([put('nine', '9'), put('ten', '10'), put('minus', '-1')]);
    await before.close();
    expect(await ids(textual)).toEqual(['minus', 'ten', 'nine']);
    expect(await ids(decimal)).toEqual(['minus', 'nine', 'ten']);
    expect(await ids(textual)).toEqual(['minus', 'ten', 'nine']);
    await using store = await database.open({ resources: [decimal] });
    for (const price of ['1e3', 'NaN', '01', '']) {
      await expect(store.apply([put('wrong', price)])).rejects.toBeInstanceOf(RecordInvalidError);
    }
  });
});

test('an operator for texts is refused where a field holds decimals', () => {
  const wrong = shop({ type: 'string', format: 'decimal' }, { '/price': ['eq', 'starts_with'] });
  expect(() => checkResourceDefinition(wrong)).toThrow('leave out starts_with, which is for strings');
});

describePostgres('columns that are offered as decimal-string', () => {
  test('come with all digits, as PostgreSQL prints them, and what is no decimal is in quarantine', async () => {
    const columns = [
      { column: 'price', as: 'decimal-string' },
      { column: 'whole', member: 'big', as: 'decimal-string' },
    ] as const;
    await using running = await attached(decimal, { key: 'k', columns }, async (app) => {
      const { table } = app;
      await app.query(`drop table ${table};
        create table ${table} (k text primary key, price numeric(30, 2) not null, whole bigint);
        insert into ${table} values ('a', 12.5, 9223372036854775807), ('b', 'NaN', 1), ('c', -0.0, null)`);
    });
    const { app, store, database } = running;
    expect(await recordsOf(store)).toEqual([
      ['a', { id: 'a', price: '12.50', big: '9223372036854775807' }],
      ['c', { id: 'c', price: '0.00', big: null }],
    ]);
    const quarantine = () => app.query(`select id, reason from ${database.schema}.quarantine order by id`);
    expect(await quarantine()).toEqual([{ id: 'b', reason: '/price: is NaN, which no decimal can express' }]);
    await app.query(`update ${app.table} set price = 3 where k = 'b';
      update ${app.table} set price = 13 where k = 'a'`);
    await vi.waitFor(async () => {
      expect(await quarantine()).toEqual([]);
    });
    const source = store.source('observations');
    await vi.waitFor(async () => {
      const { position } = await source.head();
      const query = listing(decimal, { '/price': { gte: '3' } }, '-/price', position);
      const found = await readChain(source, query);
      expect(found.map(({ body }) => (JSON.parse(body) as JsonObject)['price'])).toEqual(['13.00', '3.00']);
    });
  });

  test('are refused where a column is no number of PostgreSQL that is exact', async () => {
    await using database = postgres();
    await using app = await appTable(database);
    await using store = await database.open({ resources: [decimal] });
    for (const [type, shown] of [
      ['float8', 'double precision'],
      ['numeric[]', 'numeric[]'],
      ['text', 'text'],
    ]) {
      await app.query(
        `alter table ${app.table} drop column if exists price; alter table ${app.table} add price ${type}`,
      );
      const columns = [{ column: 'price', as: 'decimal-string' as const }];
      await expect(
        attachTable(store, 'observations', { table: app.table, key: 'id', columns }),
      ).rejects.toThrow(
        `the column price of ${app.table} is ${shown}, which cannot be shown as decimal-string`,
      );
    }
  });
});
