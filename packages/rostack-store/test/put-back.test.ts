import { describe, expect, test } from 'vitest';
import type { Store } from '../src/index.ts';
import { sqliteFile } from './support/databases.ts';
import { SQLITE_WAYS, type SqliteWay } from './support/sqlite-ways.ts';
import { put, remove, stations } from './support/stations.ts';

const resources = [stations];
const ALL = { sort: [], limit: 1 } as const;

/** Writes changes in a transaction each. */
async function write(store: Store, ids: readonly string[], series: number): Promise<void> {
  for (const [index, id] of ids.entries()) await store.apply([put({ id, height: 100 * series + index })]);
}

/** What a store tells of its history; asked for twice, so that it is in its memory. */
async function handedOut(store: Store) {
  const source = store.source('stations');
  await source.page(ALL);
  const { head, next } = await source.page(ALL);
  const record = await source.get('a');
  if (record === undefined || record === 'gone' || next === undefined) throw new Error('there are records');
  return { head, next, version: record.version };
}

const codeOf = (work: Promise<unknown>) => work.then(String, ({ code }: { code: unknown }) => code);

/** What becomes of it when it comes back. */
async function outcomes(store: Store, { head, next, version }: Awaited<ReturnType<typeof handedOut>>) {
  const source = store.source('stations');
  const record = await source.get('a');
  return {
    isSameTag: (await source.tagAt(head.position)) === head.tag,
    isSameVersion: record !== undefined && record !== 'gone' && record.version === version,
    codes: [
      await codeOf(source.read(head.position, 10, head.tag)),
      await codeOf(source.page({ ...ALL, at: head.position, tag: head.tag, after: next })),
      await codeOf(store.apply([put({ id: 'a', height: -1 }, { expectedVersion: version })])),
      await codeOf(store.apply([remove('a', { expectedVersion: version })])),
    ],
  };
}

const REFUSED: Awaited<ReturnType<typeof outcomes>> = {
  isSameTag: false,
  isSameVersion: false,
  codes: ['position_expired', 'position_expired', 'version_conflict', 'version_conflict'],
};

async function putBackAndCompare({ told, isNewEpoch = false, steps }: SqliteWay): Promise<void> {
  await using database = sqliteFile();
  const { isLive = false, isCopiedClosed = false, ...way } = steps(database.file);
  let alarms: string[] = [];
  let stores: Store[] = [];
  const open = async () => {
    const store = await database.open({ resources, onAlarm: ({ code }) => alarms.push(code) });
    stores.push(store);
    return store;
  };
  const close = async () => {
    await Promise.all(stores.map((store) => store.close()));
    stores = [];
  };
  try {
    let [one, other] = [await open(), await open()];
    await write(one, ['a', 'b', 'c'], 1);
    const common = await handedOut(one);
    if (isCopiedClosed) await close();
    await way.remember();
    if (isCopiedClosed) [one, other] = [await open(), await open()];

    await write(one, ['a', 'b', 'd', 'a'], 2);
    const lost = await handedOut(one);
    await handedOut(other);
    await way.beforeClose?.();
    if (!isLive) await close();
    alarms = [];
    await way.goBack();
    if (!isLive) [one, other] = [await open(), await open()];
    expect(await one.source('stations').head()).toMatchObject({ position: 3 });

    const since = ['a', 'b', 'd', 'a'];
    await write(other, since, 3);
    const fresh = await open();
    // A damaged log is told at each opening until something is written.
    expect([...new Set(alarms)]).toEqual(told);
    for (const store of [one, other, fresh]) {
      expect(await outcomes(store, lost)).toEqual(REFUSED);
      const source = store.source('stations');
      const { epoch, position } = await source.head();
      expect([epoch === common.head.epoch, position]).toEqual([!isNewEpoch, 7]);
      const later = await source.read(common.head.position, 10, common.head.tag);
      expect(later.map(({ id }) => id)).toEqual(since);
    }
    // The lost history was as long; it stays lost when the present one has become longer.
    await write(fresh, ['e', 'f'], 3);
    for (const store of [one, other, fresh]) expect(await outcomes(store, lost)).toEqual(REFUSED);
  } finally {
    await close();
  }
}

describe('what a store handed out before its database was put back is refused by every store', () => {
  test.each(SQLITE_WAYS)('$name', putBackAndCompare);
});
