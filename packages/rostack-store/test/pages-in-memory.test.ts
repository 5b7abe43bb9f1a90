import { Buffer } from 'node:buffer';
import {
  type JoinedPage,
  type PageQuery,
  PositionExpiredError,
  parseFilter,
  parseSort,
  type RecordSource,
} from 'rostack-core';
import { describe, expect, test } from 'vitest';
import { sqliteFile } from './support/databases.ts';
import { put, stations } from './support/stations.ts';

const sort = parseSort('/height', ['/height']);
const heights = Array.from({ length: 200 }, (_, index) => put({ id: `s${index}`, height: index }));

/** Records of height `from` and above, at the head. */
async function above(
  source: RecordSource,
  from: number,
): Promise<{ readonly query: PageQuery; readonly isReady: boolean; readonly page: JoinedPage | undefined }> {
  const head = await source.head();
  const filter = parseFilter({ '/height': { gte: from } });
  const query = { at: head.position, filter, sort, limit: 20 };
  const page = source.joinedPage?.(query, head);
  return { query, isReady: !(page instanceof Promise), page: await page };
}

async function expectTrue(source: RecordSource, { query, page }: Awaited<ReturnType<typeof above>>) {
  const { records, next } = await source.page(query);
  expect(Buffer.from(page?.bodies ?? []).toString()).toBe(records.map(({ body }) => body).join(','));
  expect(page?.next).toEqual(next);
}

describe('a page of SQLite while the head stands still', () => {
  test('is there at once when another query has read its records', async () => {
    await using database = sqliteFile();
    await using store = await database.open({ resources: [stations] });
    await store.apply(heights);
    const source = store.source('stations');
    const first = await above(source, 50);
    expect(first.isReady).toBe(false);
    await expectTrue(source, first);
    await above(source, 65);
    const between = await above(source, 60);
    expect(between.isReady).toBe(true);
    await expectTrue(source, between);
  });

  test('is read anew once any process has written', async () => {
    await using database = sqliteFile();
    await using store = await database.open({ resources: [stations] });
    await using other = await database.open({ resources: [stations] });
    await store.apply(heights);
    const source = store.source('stations');
    const { query } = await above(source, 50);
    expect((await above(source, 50)).isReady).toBe(true);
    await other.apply([put({ id: 's55', height: 55, name: 'changed elsewhere' })]);
    const changed = await above(source, 50);
    expect(changed.isReady).toBe(false);
    expect(Buffer.from(changed.page?.bodies ?? []).toString()).toContain('changed elsewhere');
    await expectTrue(source, changed);
    const old = await source.joinedPage?.(query, await source.head());
    expect(old).toBeUndefined();
    await expectTrue(source, { query: (await above(source, 50)).query, isReady: true, page: changed.page });
  });

  test('stays where nothing has changed, and goes where something has', async () => {
    await using database = sqliteFile();
    await using store = await database.open({ resources: [stations] });
    await using other = await database.open({ resources: [stations] });
    await store.apply(heights);
    const source = store.source('stations');
    await above(source, 50);
    await other.apply([put({ id: 's5', height: 6 }), put({ id: 'new', height: 100 })]);
    // The first look at the new head is at another part.
    await above(source, 150);
    const same = await above(source, 50);
    expect(same.isReady).toBe(true);
    await expectTrue(source, same);
    await other.apply([{ resource: 'stations', op: 'delete', id: 's55' }]);
    await above(source, 150);
    const fewer = await above(source, 50);
    expect(fewer.isReady).toBe(false);
    await expectTrue(source, fewer);
    await other.apply([put({ id: 's5', height: 55 })]);
    await above(source, 150);
    const more = await above(source, 50);
    expect(more.isReady).toBe(false);
    await expectTrue(source, more);
  });

  test('is refused below the floor, though it is in memory', async () => {
    await using database = sqliteFile();
    await using store = await database.open({ resources: [stations] });
    await store.apply(heights);
    const source = store.source('stations');
    const { query } = await above(source, 50);
    const head = await source.head();
    expect(() => source.joinedPage?.(query, { ...head, floor: query.at + 1 })).toThrow(PositionExpiredError);
  });

  test('is read each time when no memory is given for it', async () => {
    await using database = sqliteFile();
    await using store = await database.open({ resources: [stations], pageMemoryBytes: 0 });
    await store.apply(heights);
    const source = store.source('stations');
    for (const from of [50, 50, 60]) {
      const page = await above(source, from);
      expect(page.isReady).toBe(false);
      await expectTrue(source, page);
    }
  });
});
