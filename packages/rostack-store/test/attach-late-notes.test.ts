import { describePostgres } from 'test-support/postgres';
import { expect, test } from 'vitest';
import { readInbox } from '../src/attach/postgres/read/read-inbox.ts';
import { startMover } from '../src/index.ts';
import { attached, equal, following, QUICK } from './support/attached.ts';
import { takenOver } from './support/taken-over.ts';

describePostgres('a note of another kind that comes after the inbox was read', () => {
  test.each([
    [
      'a truncation',
      (table: string) => `truncate ${table}; insert into ${table} (id, station) values (3, 'new')`,
    ],
    [
      'what could not be captured',
      (_table: string, inbox: string) => `insert into ${inbox} (kind, size) values ('e', 1)`,
    ],
  ])('%s: it waits for the next reading', async (_what, happen) => {
    await using at = await attached();
    const { app, database, store, mover } = at;
    await app.query(`insert into ${app.table} (id, station) values (1, 'one'), (2, 'two')`);
    await equal(at);
    await mover.close();
    await app.query(`update ${app.table} set station = 'changed' where id = 2`);
    const inbox = `${database.schema}.inbox_1`;
    const { leader, internals } = await takenOver(store);
    const batch = await readInbox(leader);
    await app.query(happen(app.table, inbox));
    if (batch === undefined || 'change' in batch) throw new Error('nothing waits, or the table was changed');
    await internals.write(function* () {
      yield* batch.settle?.() ?? [];
    });
    expect(await app.query(`select kind::text from ${inbox} where kind <> 'w'`)).toHaveLength(1);
    await using again = startMover(store, { observations: app.source }, QUICK);
    await following(again);
    await equal(at);
  });
});
