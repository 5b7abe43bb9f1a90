import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EntryKey, entryKey, type InterestCount, type MenuStore } from './menu-store.ts';

/** One requirement of the MenuStore contract; it throws an AssertionError if the store does not meet it. */
export interface MenuStoreCheck {
  /** What is required; unique among the checks. */
  readonly name: string;
  /**
   * Tries it on an empty store.
   * @param open opens the same store, empty at first, each time it is called, as several processes would
   */
  run(open: () => Promise<MenuStore>): Promise<void>;
}

const DAY = entryKey('day', 'welstory', 'REST000001', '2026-11-18');

/** What every MenuStore must do: run each check with your own test runner, each over a new, empty store. */
export const MENU_STORE_CHECKS: readonly MenuStoreCheck[] = [
  check('what was not written is not there', async (store) => {
    strictEqual(await store.read(DAY), undefined);
    deepStrictEqual(await store.readDays({ from: '2026-01-01', to: '2026-12-31', limit: 10 }), []);
  }),
  check('reads what was written, revision by revision', async (store) => {
    const first = '{"text":"한식 \\u0000 😀"}';
    strictEqual(await store.write(DAY, first, 0), 1);
    deepStrictEqual(await store.read(DAY), { key: DAY, revision: 1, body: first });
    strictEqual(await store.write(DAY, '{}', 1), 2);
    deepStrictEqual(await store.read(DAY), { key: DAY, revision: 2, body: '{}' });
  }),
  check('keeps entries apart by every part of their key', async (store) => {
    const keys: readonly EntryKey[] = [
      DAY,
      { ...DAY, kind: 'detail' },
      { ...DAY, vendor: 'shinsegae' },
      { ...DAY, restaurantId: 'CAF35, CAF36' },
      { ...DAY, date: '2026-11-19' },
      { ...DAY, item: '2.E001.AA' },
    ];
    for (const [index, key] of keys.entries()) strictEqual(await store.write(key, `${index}`, 0), 1);
    for (const [index, key] of keys.entries()) strictEqual((await store.read(key))?.body, `${index}`);
  }),
  check('refuses a write that saw another revision', async (store) => {
    strictEqual(await store.write(DAY, 'never', 1), undefined);
    strictEqual(await store.write(DAY, 'kept', 0), 1);
    strictEqual(await store.write(DAY, 'late', 0), undefined);
    strictEqual(await store.write(DAY, 'early', 2), undefined);
    strictEqual((await store.read(DAY))?.body, 'kept');
  }),
  {
    name: 'of writers that saw the same revision one wins',
    async run(open) {
      await using one = await open();
      await using other = await open();
      for (let revision = 0; revision < 20; revision += 1) {
        const written = await Promise.all([
          one.write(DAY, 'one', revision),
          other.write(DAY, 'other', revision),
          one.write(DAY, 'again', revision),
        ]);
        deepStrictEqual(
          written.filter((result) => result !== undefined),
          [revision + 1],
        );
      }
    },
  },
  check('reads the days of a range in order, page by page', async (store) => {
    const days = [
      entryKey('day', 'shinsegae', 'CAF1', '2026-11-18'),
      entryKey('day', 'shinsegae', 'CAF1', '2026-11-20'),
      entryKey('day', 'shinsegae', 'CAF10', '2026-11-18'),
      entryKey('day', 'shinsegae', 'caf1', '2026-11-18'),
      entryKey('day', 'welstory', 'REST1', '2026-11-19'),
    ];
    const others = [
      entryKey('day', 'welstory', 'REST1', '2026-11-17'),
      entryKey('day', 'welstory', 'REST1', '2026-11-21'),
      entryKey('detail', 'welstory', 'REST1', '2026-11-19', 'AA'),
      entryKey('catalogue', 'welstory'),
    ];
    for (const key of [...days, ...others].reverse()) await store.write(key, key.date, 0);
    const read: EntryKey[] = [];
    for (;;) {
      const after = read.at(-1);
      const range = {
        from: '2026-11-18',
        to: '2026-11-20',
        limit: 2,
        ...(after === undefined ? {} : { after }),
      };
      const page = await store.readDays(range);
      if (page.length === 0) break;
      read.push(...page.map((entry) => entry.key));
    }
    deepStrictEqual(read, days);
  }),
  {
    name: 'a lease has one holder at a time',
    async run(open) {
      await using one = await open();
      await using other = await open();
      strictEqual(await one.acquireLease('read', 'a', 60_000), true);
      strictEqual(await other.acquireLease('read', 'b', 60_000), false);
      strictEqual(await one.acquireLease('read', 'a', 60_000), true, 'its holder extends it');
      strictEqual(await other.acquireLease('prefetch', 'b', 60_000), true, 'another lease is free');
      await other.releaseLease('read', 'b');
      strictEqual(await other.acquireLease('read', 'b', 60_000), false, 'only its holder frees it');
      await one.releaseLease('read', 'a');
      strictEqual(await other.acquireLease('read', 'b', 60_000), true);
    },
  },
  {
    name: 'of holders that ask at once one gets the lease',
    async run(open) {
      await using one = await open();
      await using other = await open();
      const holders = Array.from({ length: 12 }, (_, index) => `holder-${index}`);
      const got = await Promise.all(
        holders.map((holder, index) => (index % 2 === 0 ? one : other).acquireLease('read', holder, 60_000)),
      );
      strictEqual(got.filter(Boolean).length, 1);
    },
  },
  {
    name: 'a lease that was not extended is free again',
    async run(open) {
      await using one = await open();
      await using other = await open();
      strictEqual(await one.acquireLease('read', 'dead', 20), true);
      for (let tries = 0; tries < 500; tries += 1) {
        if (await other.acquireLease('read', 'alive', 60_000)) {
          strictEqual(await one.acquireLease('read', 'dead', 20), false, 'its last holder has lost it');
          return;
        }
        await sleep(10);
      }
      throw new Error('the lease never ended');
    },
  },
  {
    name: 'adds up interest by restaurant and day, whoever counts',
    async run(open) {
      await using one = await open();
      await using other = await open();
      const count = (restaurantId: string, date: string, times: number) =>
        ({ vendor: 'welstory', restaurantId, date, count: times }) as const;
      const ids = Array.from({ length: 700 }, (_, index) => `REST${index}`);
      const asked = ids.map((id) => count(id, '2026-11-18', 2));
      await Promise.all([
        one.addInterest(asked),
        other.addInterest(asked.toReversed()),
        one.addInterest([count('REST7', '2026-11-17', 5), count('REST7', '2026-11-16', 1)]),
        other.addInterest([{ ...count('CAF1', '2026-11-18', 9), vendor: 'shinsegae' }]),
      ]);
      await one.addInterest([]);
      const read = await one.readInterest('welstory', '2026-11-17');
      const sorted = [...read].sort((a, b) => (formatCount(a) < formatCount(b) ? -1 : 1));
      const expected = [...ids.map((id) => count(id, '2026-11-18', 4)), count('REST7', '2026-11-17', 5)];
      deepStrictEqual(
        sorted,
        expected.sort((a, b) => (formatCount(a) < formatCount(b) ? -1 : 1)),
      );
      await one.prune('2026-11-18');
      strictEqual((await other.readInterest('welstory', '2026-01-01')).length, ids.length);
    },
  },
  check('prunes what belongs to earlier dates and nothing else', async (store) => {
    const kept = [
      entryKey('catalogue', 'welstory'),
      entryKey('meals', 'welstory', 'REST1'),
      entryKey('day', 'welstory', 'REST1', '2026-11-18'),
    ];
    const gone = [
      entryKey('day', 'welstory', 'REST1', '2026-11-17'),
      entryKey('detail', 'welstory', 'REST1', '2026-11-17', 'AA'),
    ];
    for (const key of [...kept, ...gone]) await store.write(key, '{}', 0);
    strictEqual(await store.prune('2026-11-18'), gone.length);
    for (const key of kept) strictEqual((await store.read(key))?.body, '{}');
    for (const key of gone) strictEqual(await store.read(key), undefined);
    strictEqual(await store.prune('2026-11-18'), 0);
  }),
];

function formatCount({ restaurantId, date }: InterestCount): string {
  return `${date} ${restaurantId}`;
}

function check(name: string, run: (store: MenuStore) => Promise<void>): MenuStoreCheck {
  return {
    name,
    async run(open) {
      await using store = await open();
      await run(store);
    },
  };
}
