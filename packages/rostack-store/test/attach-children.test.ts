import { describePostgres } from 'test-support/postgres';
import { expect, test, vi } from 'vitest';
import { attachTable } from '../src/index.ts';
import { attached, equal, following } from './support/attached.ts';

import type { AppTable } from './support/observations.ts';

/** Makes the table a partition: the rows with keys above 0. */
async function partition(app: AppTable): Promise<void> {
  const { schema, table } = app;
  await app.query(`create table ${schema}.whole (like ${table} including defaults) partition by range (id);
    create table ${schema}.below partition of ${schema}.whole for values from (minvalue) to (1);
    alter table ${schema}.whole attach partition ${table} for values from (1) to (maxvalue)`);
}

async function inherit(app: AppTable): Promise<void> {
  const { schema, table } = app;
  await app.query(`create table ${schema}.whole (like ${table} including defaults);
    alter table ${table} inherit ${schema}.whole`);
}

describePostgres('a table with a parent', () => {
  test.each([
    ['a partition', partition],
    ['a table that inherits', inherit],
  ] as const)('%s is followed, whichever of them is written', async (_kind, make) => {
    await using found = await attached(undefined, {}, make);
    const { app, mover, database } = found;
    const whole = `${app.schema}.whole`;
    const target = make === partition ? whole : app.table;
    await app.query(`insert into ${target} (id, station) select i, 'one' from generate_series(1, 20) i`);
    await app.query(`update ${whole} set height = id; update ${whole} set id = id + 100 where id > 15`);
    await app.query(`delete from ${whole} where id < 4`);
    await app.query(`update ${app.table} set station = 'two' where id < 8`);
    if (make === partition) await app.query(`update ${whole} set id = -id where id < 6`);
    await app.query(`begin; set local session_replication_role = replica;
      update ${whole} set station = 'replica' where id > 8; commit`);
    await equal(found);
    await app.query(`begin; set local session_replication_role = replica; truncate ${whole};
      insert into ${target} (id, station) values (7, 'replica'); commit`);
    await equal(found);
    expect(mover.status).toMatchObject([{ state: 'following' }]);
    expect(
      await app.query(`select proname from pg_proc where pronamespace = '${database.schema}'::regnamespace`),
    ).toEqual([{ proname: 'capture_1' }]);
    expect(found.alarms).toEqual([]);
  });

  test('stops when it has lost it, until it is attached again', async () => {
    await using found = await attached(undefined, {}, inherit);
    const { app, mover, store } = found;
    await app.query(`alter table ${app.table} no inherit ${app.schema}.whole`);
    await vi.waitFor(() => {
      expect(mover.status).toMatchObject([
        { state: 'stopped', reason: expect.stringContaining('is a partition, or inherits: false, was true') },
      ]);
    });
    await app.query(`insert into ${app.table} (id, station) values (1, 'one')`);
    expect(await attachTable(store, 'observations', app.source)).toMatchObject({ outcome: 'changed' });
    await following(mover);
    await app.query(`update ${app.table} set height = 2`);
    await equal(found);
  });

  test.each([
    ['a partition', 'alter table WHOLE attach partition T default', 'alter table WHOLE detach partition T'],
    ['a table that inherits', 'alter table T inherit WHOLE', 'alter table T no inherit WHOLE'],
  ])('%s for a moment only: what was written through the parent is found again', async (kind, gain, lose) => {
    await using found = await attached(undefined, {}, (app) =>
      app.query(`insert into ${app.table} (id, station) values (1, 'one'), (2, 'two')`),
    );
    const { app } = found;
    const whole = `${app.schema}.whole`;
    const named = (text: string) => text.replaceAll('WHOLE', whole).replace(/\bT\b/, app.table);
    await app.query(
      `create table ${whole} (like ${app.table} including defaults) ${kind === 'a partition' ? 'partition by range (id)' : ''}`,
    );
    await app.query(`begin; ${named(gain)};
      update ${whole} set station = 'unseen' where id = 1; delete from ${whole} where id = 2;
      ${named(lose)}; commit`);
    await equal(found);
    expect(found.alarms).toEqual([]);
  });
});
