import { type JsonObject, parseFilter, parseSort } from 'rostack-core';
import { expect, test } from 'vitest';
import { RecordInvalidError, type ResourceDefinition, type Store, type StoreChange } from '../src/index.ts';
import { readChain } from './support/chain.ts';
import { describeBoth, TINY_LIMITS } from './support/databases.ts';

const things: ResourceDefinition = {
  name: 'things',
  idPointer: '/id',
  schema: {
    type: 'object',
    required: ['id'],
    properties: { id: { type: 'integer' }, rank: { type: 'integer' } },
  },
  events: [
    { name: 'thing.made', transition: 'create' },
    { name: 'thing.changed', transition: 'update' },
    { name: 'thing.gone', transition: 'delete' },
  ],
  filterableFields: { '/id': ['eq', 'in', 'gt'] },
  sortableFields: ['/id', '/rank'],
};

/** A resource whose schema says nothing of ids. */
const anything: ResourceDefinition = { name: 'anything', idPointer: '/id', schema: { type: 'object' } };

const resources = [things, anything];

const put = (record: JsonObject, resource = 'things'): StoreChange => ({ resource, op: 'put', record });
const remove = (id: string | number): StoreChange => ({ resource: 'things', op: 'delete', id });

async function idsOf(store: Store, sort = '', filter?: JsonObject): Promise<unknown[]> {
  const source = store.source('things');
  const { position: at } = await source.head();
  const parsed = sort === '' ? [] : parseSort(sort, things.sortableFields ?? []);
  const query = { at, sort: parsed, filter: filter && parseFilter(filter), limit: 2 };
  return (await readChain(source, query)).map(({ body }) => (JSON.parse(body) as { id: unknown }).id);
}

describeBoth('ids that are integers', (create) => {
  test('are numbers in records, and their decimal text everywhere else', async () => {
    await using database = create();
    await using store = await database.open({ resources });
    const [made] = await store.apply([put({ id: 42, rank: 1 })]);
    expect(made).toMatchObject({ id: '42', transition: 'create' });
    expect(await store.apply([put({ rank: 1, id: 42.0 })])).toMatchObject([{ id: '42', changed: false }]);
    await store.apply([put({ id: 42, rank: 2 }), put({ id: -0 })]);
    const source = store.source('things');
    expect(await source.get('42')).toMatchObject({ id: '42', body: '{"id":42,"rank":2}' });
    expect(await source.get('0')).toMatchObject({ id: '0', body: '{"id":0}' });
    for (const other of ['042', '42.0', '4.2e1', '+42', ' 42', '-0', '00', '43']) {
      expect(await source.get(other)).toBeUndefined();
    }
    await store.apply([remove(42), remove('0'), remove('042')]);
    expect(await source.get('42')).toBe('gone');
    const log = await source.read(0, 10);
    expect(log.map(({ id, transition }) => [id, transition])).toEqual([
      ['42', 'create'],
      ['42', 'update'],
      ['0', 'create'],
      ['42', 'delete'],
      ['0', 'delete'],
    ]);
    expect(log[3]).toMatchObject({ before: '{"id":42,"rank":2}', after: undefined });
  });

  test.each([TINY_LIMITS, undefined])(
    'page by their text, and are sorted and filtered as numbers: %#',
    async (limits) => {
      await using database = create();
      await using store = await database.open({ resources }, limits);
      const ids = [9, 10, -1, 100, 0, -10, Number.MAX_SAFE_INTEGER, 1, Number.MIN_SAFE_INTEGER];
      await store.apply(ids.map((id) => put({ id, rank: Math.abs(id) % 2 })));
      const byText = [-1, -10, Number.MIN_SAFE_INTEGER, 0, 1, 10, 100, 9, Number.MAX_SAFE_INTEGER];
      const odd = (id: number) => Math.abs(id) % 2 === 1;
      expect(await idsOf(store)).toEqual(byText);
      expect(await idsOf(store, '-/rank')).toEqual([
        ...byText.filter(odd),
        ...byText.filter((id) => !odd(id)),
      ]);
      expect(await idsOf(store, '/id')).toEqual(ids.toSorted((a, b) => a - b));
      expect(await idsOf(store, '/id', { '/id': { gt: 9 } })).toEqual([10, 100, Number.MAX_SAFE_INTEGER]);
      expect(await idsOf(store, '', { '/id': { in: [9, '10', 1] } })).toEqual([1, 9]);
      expect(await idsOf(store, '', { '/id': { eq: '9' } })).toEqual([]);
    },
  );

  test('are refused where they are no integers, or none that a JSON number holds exactly', async () => {
    await using database = create();
    await using store = await database.open({ resources });
    for (const [id, says] of [
      [1.5, 'must be integer'],
      ['42', 'must be integer'],
      [null, 'must be integer'],
      [2 ** 53, 'from -(2^53 - 1) to 2^53 - 1'],
      [-(2 ** 53), 'from -(2^53 - 1) to 2^53 - 1'],
      [1e300, 'from -(2^53 - 1) to 2^53 - 1'],
    ] as const) {
      const error: unknown = await store.apply([put({ id })]).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(RecordInvalidError);
      expect((error as RecordInvalidError).faults).toMatchObject([
        { pointer: '/id', message: expect.stringContaining(says) },
      ]);
    }
    for (const id of [1.5, 2 ** 53, -(2 ** 53), 1e300]) {
      await expect(store.apply([remove(id)])).rejects.toMatchObject({ code: 'change_invalid' });
    }
    expect(await idsOf(store)).toEqual([]);
  });

  test('and strings of the same text are one record, where the schema admits both', async () => {
    await using database = create();
    await using store = await database.open({ resources });
    const results = await store.apply([put({ id: 42 }, 'anything'), put({ id: '42' }, 'anything')]);
    expect(results).toMatchObject([
      { id: '42', transition: 'create' },
      { id: '42', transition: 'update' },
    ]);
    expect(await store.source('anything').get('42')).toMatchObject({ body: '{"id":"42"}' });
  });
});
