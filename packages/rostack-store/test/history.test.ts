import { Buffer } from 'node:buffer';
import Sqlite from 'better-sqlite3';
import { PositionExpiredError } from 'rostack-core';
import { describe, expect, test } from 'vitest';
import { describeBoth, sqliteFile } from './support/databases.ts';
import { executeRaw } from './support/execute-raw.ts';
import { put, stations } from './support/stations.ts';

const resources = [stations];
const heights = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => put({ id: `s${index}`, height: from + index }));

describeBoth('the tags of a history', (create) => {
  test('a transaction has one, another transaction another, and head, changes and versions bear it', async () => {
    await using database = create();
    await using store = await database.open({ resources });
    const source = store.source('stations');
    expect(await source.head()).toMatchObject({ position: 0, tag: '' });
    expect(await source.tagAt(0)).toBe('');
    const results = [
      ...(await store.apply(heights(0, 2))),
      ...(await store.apply([put({ id: 's0', height: 9 })])),
    ];
    const changes = await source.read(0, 10);
    const [first, second, third] = changes.map(({ tag }) => tag);
    expect(first).toMatch(/^[\w-]{8}$/);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
    expect(await source.head()).toMatchObject({ position: 3, tag: third });
    expect(await Promise.all([0, 1, 2, 3, 4].map((position) => source.tagAt(position)))).toEqual([
      '',
      first,
      second,
      third,
      undefined,
    ]);
    expect(results.map(({ version }) => version)).toEqual(
      changes.map(({ position, tag }) => `${store.epoch}-${position}.${tag}`),
    );
  });

  test('is known at the floor, also where everything was pruned', async () => {
    await using database = create();
    await using store = await database.open({ resources, retention: { maxChanges: 0, intervalMs: 0 } });
    await store.apply(heights(0, 3));
    await store.apply(heights(5, 3));
    const source = store.source('stations');
    const head = await source.head();
    expect(await store.prune()).toBe(6);
    expect(await source.head()).toEqual({ ...head, floor: 6 });
    expect(await source.tagAt(6)).toBe(head.tag);
    expect(await source.tagAt(5)).toBeUndefined();
    await store.apply(heights(9, 1));
    expect(await source.read(6, 10, head.tag)).toHaveLength(1);
    await expect(source.read(6, 10, 'otherTag')).rejects.toBeInstanceOf(PositionExpiredError);
    expect(await store.prune()).toBe(1);
    expect(
      await executeRaw(database, 'select count(*) as count from log_1 where position < 7'),
    ).toMatchObject([{ count: expect.toBeOneOf([0, '0']) }]);
  });

  test('is empty for what an older release wrote and pruned', async () => {
    await using database = create();
    await using store = await database.open({ resources });
    await store.apply(heights(0, 3));
    for (const statement of [
      "update log_1 set version = 'oldEpoch0000-' || position",
      "update record_1 set version = 'oldEpoch0000-' || position",
      'delete from log_1 where position <= 2',
      'update head set floor = 2',
    ]) {
      await executeRaw(database, statement);
    }
    const source = store.source('stations');
    expect(await source.head()).toMatchObject({ position: 3, floor: 2, tag: '' });
    expect(await Promise.all([1, 2, 3].map((position) => source.tagAt(position)))).toEqual([
      undefined,
      '',
      '',
    ]);
    expect(await source.read(2, 10, '')).toMatchObject([{ position: 3, tag: '' }]);
    await store.apply(heights(7, 1));
    expect((await source.head()).tag).toMatch(/^[\w-]{8}$/);
  });
});

describe('a history that another one takes the place of while a store is open', () => {
  test.each([
    ['as long', 0],
    ['longer', 1],
  ])('is shown no more when it is %s', async (_name, more) => {
    await using database = sqliteFile();
    await using store = await database.open({ resources });
    const source = store.source('stations');
    await store.apply(heights(0, 40));
    await store.backUp(`${database.file}.copy`);
    const shown = async () => {
      const { head, bodies } = await source.page({ sort: [], limit: 10 });
      const query = { at: head.position, tag: head.tag, sort: [], limit: 10 };
      return { head, query, text: Buffer.from(bodies).toString() };
    };
    await store.apply(heights(100, 1));
    await shown();
    const lost = await shown();
    const copy = new Sqlite(`${database.file}.copy`);
    copy.prepare('update state set renew_epoch = 0').run();
    await copy.backup(database.file);
    copy.close();
    await store.apply(heights(200, 1));
    await store.apply([put({ id: 's30', height: 30 + more })]);
    const { head, text } = await shown();
    expect(head).toMatchObject({ position: lost.head.position + more, epoch: lost.head.epoch });
    expect(text).toContain('"height":200');
    await expect(source.page(lost.query)).rejects.toBeInstanceOf(PositionExpiredError);
    await store.apply(heights(300, 1));
    expect((await shown()).text).toContain('"height":300');
  });
});
