import { describePostgres } from 'test-support/postgres';
import { expect, test } from 'vitest';
import type { AttachedResource } from '../src/attach/attached-resource.ts';
import { readInbox } from '../src/attach/read-inbox.ts';
import { PostgresDatabase } from '../src/drivers/postgres/database.ts';
import { startMover } from '../src/index.ts';
import { attached, equal, following, QUICK } from './support/attached.ts';
import { takenOver } from './support/taken-over.ts';

/** The same leader; something happens once between what it asks first and what it asks then. */
function interrupted(leader: AttachedResource, happen: () => Promise<unknown>): AttachedResource {
  const { database } = leader.parts;
  if (!(database instanceof PostgresDatabase)) throw new TypeError('the database is not PostgreSQL');
  let asked = 0;
  const query: PostgresDatabase['queryWith'] = async (...args) => {
    asked += 1;
    if (asked === 2) await happen();
    return database.queryWith(...args);
  };
  const between = Object.assign(Object.create(PostgresDatabase.prototype) as PostgresDatabase, {
    queryWith: query,
  });
  return { ...leader, parts: { ...leader.parts, database: between } };
}

describePostgres('a note of another kind that comes while the inbox is read', () => {
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
    const batch = await readInbox(interrupted(leader, () => app.query(happen(app.table, inbox))));
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
