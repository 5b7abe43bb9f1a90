import type { Change, PageKey, PageQuery } from 'rostack-core';
import { describePostgres } from 'test-support/postgres';
import { expect, test } from 'vitest';
import type { ResourceDefinition, Store } from '../src/index.ts';
import { describeBoth, postgres, type TestDatabase } from './support/databases.ts';
import { recordsOfPage } from './support/page-records.ts';
import { postgresRelay } from './support/postgres-relay.ts';

const MIB = 1_048_576;
const texts: ResourceDefinition = {
  name: 'texts',
  idPointer: '/id',
  schema: { type: 'object', properties: { id: { type: 'string' }, text: { type: 'string' } } },
  events: [
    { name: 'text.made', transition: 'create' },
    { name: 'text.changed', transition: 'update' },
    { name: 'text.gone', transition: 'delete' },
  ],
};
const resources = [texts];

const write = (store: Store, id: string, bytes: number) =>
  store.apply([{ resource: 'texts', op: 'put', record: { id, text: 'x'.repeat(bytes) } }]);

const bytesOf = (changes: readonly Change[]): number =>
  changes.reduce((sum, { before = '', after = '' }) => sum + before.length + after.length, 0);

describeBoth('a log of large states', (create: () => TestDatabase) => {
  test('is read in pieces of few bytes, of one change at least, without a gap', async () => {
    await using database = create();
    await using store = await database.open({ resources, maxRecordBytes: 6 * MIB });
    for (let index = 0; index < 6; index += 1) await write(store, `a${index}`, 1_000_000);
    await write(store, 'large', 5 * MIB);
    await write(store, 'large', 10);
    for (let index = 0; index < 20; index += 1) await write(store, `b${index}`, 10);
    const source = store.source('texts');
    const { position: head } = await source.head();
    const pieces: (readonly Change[])[] = [];
    for (let at = 0; at < head; at = pieces.at(-1)?.at(-1)?.position ?? head) {
      pieces.push(await source.read(at, 100));
    }
    expect(pieces.flat().map(({ position }) => position)).toEqual(
      Array.from({ length: head }, (_, index) => index + 1),
    );
    expect(pieces.map(({ length }) => length)).toEqual([4, 2, 1, 1, 20]);
    const several = pieces.filter(({ length }) => length > 1);
    expect(Math.max(...several.map(bytesOf))).toBeLessThanOrEqual(4 * MIB);
    expect(bytesOf(pieces.flat())).toBeGreaterThan(6_000_000 + 10 * MIB);
  });
});

describeBoth('pages of large records', (create: () => TestDatabase) => {
  test('have fewer records than were asked for, and the next one goes on after them', async () => {
    await using database = create();
    await using store = await database.open({ resources });
    const ids = Array.from({ length: 20 }, (_, index) => `a${String(index).padStart(2, '0')}`);
    for (const id of ids) await write(store, id, 1_000_000);
    const source = store.source('texts');
    const { position: at, tag } = await source.head();
    const chain = async (query: Pick<PageQuery, 'at' | 'tag'>) => {
      const pages: (readonly string[])[] = [];
      let after: PageKey | undefined;
      do {
        const page = await source.page({ ...query, sort: [], limit: 100, after });
        expect(page.bodies.byteLength).toBeLessThanOrEqual(16 * MIB + 16);
        pages.push(recordsOfPage(page).map(({ id }) => id));
        after = page.next;
      } while (after !== undefined);
      return pages;
    };
    const expected = [ids.slice(0, 16), ids.slice(16)];
    expect(await chain({ at: undefined })).toEqual(expected);
    for (const id of ids.slice(0, 10)) await write(store, id, 10);
    expect(await chain({ at, tag })).toEqual(expected);
    expect(await chain({ at: undefined })).toEqual([ids]);
  });
});

describePostgres('a batch that replaces or deletes large states', () => {
  test('does not read what it replaces, but what it may leave as it is', async () => {
    await using relay = await postgresRelay();
    await using database = postgres(relay.url);
    await using store = await database.open({ resources });
    const ids = Array.from({ length: 8 }, (_, index) => `a${index}`);
    for (const id of ids) await write(store, id, 1_000_000);
    const before = relay.bytes;
    const small = { resource: 'texts', op: 'put', record: { id: 'a0', text: 'x' } } as const;
    await store.apply([
      small,
      ...ids.slice(1).map((id) => ({ resource: 'texts', op: 'delete', id }) as const),
    ]);
    expect(relay.bytes - before).toBeLessThan(100_000);
    expect(await store.apply([small])).toMatchObject([{ changed: false, position: 9 }]);
  });
});
