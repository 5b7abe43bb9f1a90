import { Buffer } from 'node:buffer';
import { type Page, type PageQuery, parseFilter, parseSort, SourceUnavailableError } from 'rostack-core';
import { expect, test } from 'vitest';
import type { ResourceDefinition } from '../src/index.ts';
import { describeBoth } from './support/databases.ts';
import { executeRaw } from './support/execute-raw.ts';
import { stations } from './support/stations.ts';

const RECORDS = 400;
const LIMIT = 300;
/** One to four bytes of UTF-8 for each character, and what could be taken for the end of a record. */
const LETTERS = ['a', 'ü', '한', '🛰', '"},{"', '\\'];

function record(index: number) {
  const letter = LETTERS[index % LETTERS.length] ?? '';
  return {
    id: `s${String(index).padStart(4, '0')}`,
    height: (index * 7) % RECORDS,
    note: letter.repeat(1 + ((index * 131) % 1_500)),
  };
}

const resource: ResourceDefinition = {
  ...stations,
  schema: { type: 'object', properties: { height: { type: 'number' } } },
  filterableFields: { '/height': ['gte'] },
  sortableFields: ['/height'],
};

const written = (one: ReturnType<typeof record>) => ({
  resource: 'stations',
  op: 'put' as const,
  record: one,
});
const textsOf = (records: readonly object[]): string => records.map((one) => JSON.stringify(one)).join(',');
const textOf = ({ bodies }: Page): string => Buffer.from(bodies).toString();

describeBoth('pages of long records', (create) => {
  test('have each of them whole and in order, now and as of an earlier position', async () => {
    await using database = create();
    await using store = await database.open({ resources: [resource] });
    const records = Array.from({ length: RECORDS }, (_, index) => record(index));
    await store.apply(records.map((one) => written(one)));
    const source = store.source('stations');
    const { position } = await source.head();
    const byHeight = records.toSorted((a, b) => a.height - b.height);
    const sorted = { sort: parseSort('/height', ['/height']) };
    const high = { filter: parseFilter({ '/height': { gte: 50 } }) };
    const cases: [Pick<PageQuery, 'sort' | 'filter'>, typeof records][] = [
      [{ sort: [] }, records],
      [sorted, byHeight],
      [{ ...sorted, ...high }, byHeight.slice(50)],
    ];
    const check = async (at: number | undefined): Promise<void> => {
      for (const [query, expected] of cases) {
        const page = await source.page({ ...query, at, limit: LIMIT });
        expect(textOf(page)).toBe(textsOf(expected.slice(0, LIMIT)));
        const rest = await source.page({ ...query, at, limit: LIMIT, after: page.next });
        expect(textOf(rest)).toBe(textsOf(expected.slice(LIMIT)));
        expect(rest.next).toBeUndefined();
      }
    };
    await check(undefined);
    await store.apply(records.map((one) => written({ ...one, note: 'new' })));
    await check(position);
  });

  test('are refused where the resource has no head, though a record looks like one', async () => {
    await using database = create();
    await using store = await database.open({ resources: [resource] });
    const looks = { is_known: true, position: 1, floor: 0, epoch: 'a', version: 'b', is_whole: 1 };
    await store.apply([written({ ...record(0), ...looks })]);
    await executeRaw(database, 'delete from head');
    const page = store.source('stations').page({ at: undefined, sort: [], limit: 10 });
    await expect(page).rejects.toBeInstanceOf(SourceUnavailableError);
  });
});
