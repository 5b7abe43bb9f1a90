import * as fc from 'fast-check';
import type { CommittedChanges, JsonObject, RecordSource } from 'rostack-core';
import { describePostgres } from 'test-support/postgres';
import { expect, test, vi } from 'vitest';
import type { StoreChange } from '../src/index.ts';
import { attached } from './support/attached.ts';
import { describeBoth, postgres } from './support/databases.ts';
import { readToHead } from './support/log-states.ts';
import { notes } from './support/stations.ts';

const put = (record: JsonObject): StoreChange => ({ resource: 'notes', op: 'put', record });
const remove = (id: string): StoreChange => ({ resource: 'notes', op: 'delete', id });
/** A text that makes the record larger than what is read of a state that is not to be compared. */
const LONG = 'x'.repeat(5_000);

const change: fc.Arbitrary<StoreChange> = fc.oneof(
  fc
    .record({ id: fc.constantFrom('a', 'b'), height: fc.integer({ min: 0, max: 2 }) })
    .map((record) => put(record)),
  fc.constantFrom('a', 'b').map((id) => put({ id, height: 3, name: LONG })),
  fc.constantFrom('a', 'b').map((id) => remove(id)),
);

/** Notes what a source hands over to whoever watches it; a hint without changes is `undefined`. */
function listen(source: RecordSource): (CommittedChanges | undefined)[] {
  const told: (CommittedChanges | undefined)[] = [];
  source.watch((committed) => void told.push(committed));
  return told;
}

/** What should have been handed over, by what the log has at these places. */
async function asRead(
  source: RecordSource,
  told: readonly CommittedChanges[],
): Promise<readonly CommittedChanges[]> {
  const log = await readToHead(source, 0);
  const { epoch } = await source.head();
  return told.map(({ changes }) => {
    const before = (changes[0]?.position ?? 0) - 1;
    const tagBefore = log[before - 1]?.tag ?? '';
    return { epoch, tagBefore, changes: log.slice(before, before + changes.length) };
  });
}

const isCommitted = (committed: CommittedChanges | undefined) => committed !== undefined;

describeBoth('what a store has committed', (create) => {
  test('is handed over to those who watch, as it is read', { timeout: 300_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(change, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 6 }),
        async (batches) => {
          await using database = create();
          await using first = await database.open({ resources: [notes], maxConnections: 3 });
          await using second = await database.open({ resources: [notes], maxConnections: 3 });
          const stores = [first, second];
          const told = stores.map((store) => listen(store.source('notes')));
          await Promise.all(batches.map(async (batch, index) => stores[index % 2]?.apply(batch)));
          const committed = told.flat().filter(isCommitted);
          expect(committed).toEqual(await asRead(first.source('notes'), committed));
        },
      ),
      { numRuns: 20 },
    );
  });

  test('is handed over whole by a store that alone writes, but for a large state that is gone', async () => {
    await using database = create();
    await using store = await database.open({ resources: [notes] });
    const source = store.source('notes');
    const told = listen(source);
    for (const batch of [
      [put({ id: 'a', height: 1 })],
      [put({ id: 'a', height: 2 }), put({ id: 'b', height: 1 })],
      [remove('a')],
      [put({ id: 'b', height: 2, name: LONG })],
      [put({ id: 'b', height: 3, name: LONG })],
    ])
      await store.apply(batch);
    const whole = told.flatMap((committed) => committed?.changes ?? []);
    expect(whole).toEqual(await readToHead(source, 0));
    await store.apply([remove('b')]);
    await store.apply([put({ id: 'c', height: 1 })]);
    const [removal, last] = await readToHead(source, whole.length);
    expect(told.flatMap((committed) => committed?.changes ?? [])).toEqual([...whole, last]);
    expect(told.findLast(isCommitted)?.tagBefore).toBe(removal?.tag);
  });
});

describePostgres('what a mover has committed', () => {
  test('is handed over as it is read', async () => {
    await using stack = new AsyncDisposableStack();
    const { app, store } = stack.use(
      await attached(undefined, {}, async (app) => {
        await app.query(`insert into ${app.table} (id, station) values (1, 'one'), (2, 'two')`);
      }),
    );
    const source = store.source('observations');
    const told = listen(source);
    for (let round = 0; round < 5; round += 1)
      await app.query(`update ${app.table} set height = ${round} where id = ${1 + (round % 2)}`);
    await vi.waitFor(async () => {
      expect(told.flatMap((committed) => committed?.changes ?? [])).not.toEqual([]);
      expect(told.findLast(isCommitted)?.changes.at(-1)?.position).toBe((await source.head()).position);
    });
    const committed = told.filter(isCommitted);
    expect(committed).toEqual(await asRead(source, committed));
  });
});

describePostgres('a notification of PostgreSQL', () => {
  test('is heard by other stores than the one that has sent it', async () => {
    await using database = postgres();
    const options = { resources: [notes], pollIntervalMs: 600_000 };
    await using first = await database.open(options);
    await using second = await database.open(options);
    const [toldFirst, toldSecond] = [first, second].map((store) => listen(store.source('notes')));
    await vi.waitFor(() => expect([toldFirst, toldSecond]).toEqual([[undefined], [undefined]]));
    await first.apply([put({ id: 'a', n: 1 })]);
    await vi.waitFor(() => expect(toldSecond).toHaveLength(2));
    await second.apply([put({ id: 'a', n: 2 })]);
    await vi.waitFor(() => expect(toldFirst?.at(-1)).toBeUndefined());
    // One for its own commit, and one for what was handed over.
    expect(toldFirst?.map((committed) => committed?.changes.length)).toEqual([undefined, 1, undefined]);
  });
});
