import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { temporaryFolder } from 'test-support/temporary-folder';
import { expect, test } from 'vitest';
import { SharedReads } from './statements.ts';

/** Two connections to one file, which contains one number, and the reads of the first. */
async function open(maxTurnMs = Number.POSITIVE_INFINITY) {
  const folder = await temporaryFolder();
  const [handle, other] = [0, 1].map(() => new Database(join(folder.path, 'shared.db'))) as [
    Database.Database,
    Database.Database,
  ];
  handle.exec('pragma journal_mode = wal; create table held (number integer); insert into held values (1)');
  const transactions = {
    isOpen: () => handle.inTransaction,
    begin: () => void handle.exec('begin'),
    end: () => void handle.exec('commit'),
  };
  const reads = new SharedReads(transactions, maxTurnMs);
  return {
    reads,
    handle,
    held: () => handle.prepare('select number from held').pluck().get(),
    write: (number: number) => other.prepare('update held set number = ?').run(number),
    async [Symbol.asyncDispose]() {
      for (const each of [handle, other]) each.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

test('reads that are asked for together are of one snapshot, and the next ones of a newer', async () => {
  await using it = await open();
  const together = await Promise.all([
    it.reads.run(it.held, false),
    it.reads.run(() => it.write(2).changes, false),
    it.reads.run(it.held, false),
  ]);
  expect(together).toEqual([1, 1, 1]);
  expect(await it.reads.run(it.held, false)).toBe(2);
});

test('a read of several statements has a snapshot also where nobody else reads', async () => {
  await using it = await open();
  const twice = await it.reads.run(() => [it.held(), it.write(2).changes, it.held()], true);
  expect(twice).toEqual([1, 1, 1]);
  expect(it.handle.inTransaction).toBe(false);
});

test.each([
  ['leaves the snapshot', () => undefined],
  ['ends the snapshot', (handle: Database.Database) => handle.exec('rollback')],
])('a read that fails and %s fails alone', async (_what, spoil) => {
  await using it = await open();
  const results = await Promise.allSettled([
    it.reads.run(it.held, false),
    it.reads.run(() => {
      spoil(it.handle);
      throw new Error('spoilt');
    }, false),
    it.reads.run(() => [it.held(), it.handle.inTransaction], false),
  ]);
  expect(results).toEqual([
    { status: 'fulfilled', value: 1 },
    { status: 'rejected', reason: new Error('spoilt') },
    { status: 'fulfilled', value: [1, true] },
  ]);
  expect(it.handle.inTransaction).toBe(false);
});

test('reads that take long let the event loop go on between them, and are all answered', async () => {
  await using it = await open(5);
  const order: string[] = [];
  const long = (name: string) =>
    it.reads.run(() => {
      const endMs = performance.now() + 20;
      while (performance.now() < endMs) it.held();
      order.push(name);
    }, false);
  const reads = Promise.all([long('first'), long('second'), long('third')]);
  const turns = async () => {
    while (order.length < 3) {
      await nextTurn();
      order.push('turn');
    }
  };
  await Promise.all([reads, turns()]);
  const steps = order.filter((step, index) => step !== 'turn' || order[index - 1] !== 'turn');
  expect(steps.filter((step) => step !== 'turn')).toEqual(['first', 'second', 'third']);
  expect(steps.slice(steps.indexOf('first'), steps.indexOf('third'))).toEqual([
    'first',
    'turn',
    'second',
    'turn',
  ]);
});
