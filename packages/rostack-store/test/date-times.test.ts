import { type Collation, collateFilter, type FilterOperator, parseFilter, parseSort } from 'rostack-core';
import { describePostgres } from 'test-support/postgres';
import { expect, test } from 'vitest';
import { checkResourceDefinition, type ResourceDefinition } from '../src/index.ts';
import { attached, recordsOf } from './support/attached.ts';
import { readChain } from './support/chain.ts';
import { describeBoth } from './support/databases.ts';

const observations = (
  at: object,
  operators: readonly FilterOperator[] = ['eq', 'gt', 'gte', 'in'],
): ResourceDefinition => ({
  name: 'observations',
  idPointer: '/id',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['id'],
    properties: { id: { type: 'string' }, at },
  },
  filterableFields: { '/at': operators },
  sortableFields: ['/at'],
});

/** In the order of instants. */
const ASCENDING = {
  'date-time': [
    '0000-01-01T00:00:00+23:59',
    '1969-12-31T23:59:59.9Z',
    '2026-11-28T11:00:00Z',
    '2026-11-28T20:00:00.5+09:00',
    '2026-11-28T11:00:00.55Z',
    '2026-11-28t11:00:01z',
    '2026-12-31T23:59:60.5Z',
    '2027-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999-23:59',
  ],
  time: ['00:30:00+09:00', '11:00:00Z', '11:00:00.5Z', '20:00:00.55+09:00', '11:00:01z', '23:30:00-05:00'],
} satisfies Partial<Record<Collation, readonly string[]>>;

const put = (id: string, at: string) => ({
  resource: 'observations',
  op: 'put' as const,
  record: { id, at },
});

const COMPARED = [
  ['date-time', '2026-11-28T11:00:00Z', '2026-11-28T12:00:00.000+01:00', 2],
  ['time', '11:00:00Z', '12:00:00.00+01:00', 1],
] as const;

describeBoth('strings of a format that says when', (create) => {
  test.each(COMPARED)(
    '%s: are sorted, paged and filtered by instant',
    async (format, same, spelled, index) => {
      await using database = create();
      await using store = await database.open({ resources: [observations({ type: 'string', format })] });
      const texts = ASCENDING[format];
      await store.apply(texts.map((text, number) => put(`r${(number * 5) % texts.length}x${number}`, text)));
      const source = store.source('observations');
      const { position } = await source.head();
      const collations = new Map([['/at', format]] as const);
      const found = async (filter: object | undefined, sort = '/at') =>
        (
          await readChain(source, {
            at: position,
            limit: 2,
            filter: filter && collateFilter(parseFilter(filter), collations),
            sort: parseSort(sort, ['/at'], collations),
          })
        ).map(({ body }) => (JSON.parse(body) as { at: string }).at);
      expect(await found(undefined)).toEqual(texts);
      expect(await found(undefined, '-/at')).toEqual(texts.toReversed());
      expect(await found({ '/at': { gte: spelled } })).toEqual(texts.slice(index));
      expect(await found({ '/at': { gt: spelled } })).toEqual(texts.slice(index + 1));
      expect(await found({ '/at': { in: [spelled, same] } })).toEqual([same]);
      const visible = collateFilter(parseFilter({ '/at': { eq: spelled } }), collations);
      const seen = await Promise.all(
        texts.map((_, number) => source.get(`r${(number * 5) % texts.length}x${number}`, visible)),
      );
      expect(seen.map((each) => each !== undefined)).toEqual(texts.map((text) => text === same));
    },
  );

  test('texts become instants at the next start when the schema says so', async () => {
    await using database = create();
    const times = async (definition: ResourceDefinition, collation?: Collation) => {
      await using store = await database.open({ resources: [definition] });
      const source = store.source('observations');
      const { position } = await source.head();
      const collations = new Map<string, Collation>(collation && [['/at', collation]]);
      const sort = parseSort('/at', ['/at'], collations);
      const records = await readChain(source, { at: position, limit: 9, filter: undefined, sort });
      return records.map(({ id }) => id);
    };
    const before = await database.open({ resources: [observations({ type: 'string' })] });
    await before.apply([put('half', '2026-11-28T11:00:00.5Z'), put('whole', '2026-11-28T11:00:00Z')]);
    await before.close();
    expect(await times(observations({ type: 'string' }))).toEqual(['half', 'whole']);
    expect(await times(observations({ type: 'string', format: 'date-time' }), 'date-time')).toEqual([
      'whole',
      'half',
    ]);
  });
});

test('an operator for texts is refused where a field holds date-times', () => {
  const wrong = observations({ type: 'string', format: 'date-time' }, ['eq', 'starts_with']);
  expect(() => checkResourceDefinition(wrong)).toThrow(
    '/at has date-times, which compare as instants: leave out starts_with, which is for strings',
  );
});

describePostgres('a column of timestamptz', () => {
  test('sorts as the database sorts it', async () => {
    const definition = observations({ type: 'string', format: 'date-time' });
    await using running = await attached(definition, { key: 'k', columns: ['at'] }, async (app) => {
      const { table } = app;
      await app.query(`drop table ${table};
        create table ${table} (k text primary key, at timestamptz not null);
        insert into ${table} values ('b', '2026-11-28T11:00:00.5Z'), ('d', '2026-11-28T11:00:01Z'),
          ('c', '2026-11-28T11:00:00.55Z'), ('a', '2026-11-28T11:00:00Z')`);
    });
    const { store } = running;
    expect(await recordsOf(store)).toHaveLength(4);
    const source = store.source('observations');
    const { position } = await source.head();
    const sort = parseSort('/at', ['/at'], new Map([['/at', 'date-time']] as const));
    const sorted = await readChain(source, { at: position, limit: 3, filter: undefined, sort });
    expect(sorted.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
  });
});
