import { expect, test, vi } from 'vitest';
import { attachTable } from '../src/index.ts';
import { attached, equal, following } from './support/attached.ts';
import { describePostgres } from './support/databases.ts';
import type { AppTable } from './support/observations.ts';

/** Makes the table a partition: the rows with keys above 0. */
async function partition({ schema, table, query }: AppTable): Promise<void> {
  await query(`create table ${schema}.whole (like ${table} including defaults) partition by range (id);
    create table ${schema}.below partition of ${schema}.whole for values from (minvalue) to (1);
    alter table ${schema}.whole attach partition ${table} for values from (1) to (maxvalue)`);
}

async function inherit({ schema, table, query }: AppTable): Promise<void> {
  await query(`create table ${schema}.whole (like ${table} including defaults);
    alter table ${table} inherit ${schema}.whole`);
}

describePostgres('a table with a parent', () => {
  test.each([partition, inherit])('is followed, whichever of them is written: %o', async (make) => {
    await using found = await attached(undefined, {}, make);
    const { app, mover, database } = found;
    const [whole] = [`${app.schema}.whole`];
    const target = make === partition ? whole : app.table;
    await app.query(`insert into ${target} (id, station) select i, 'one' from generate_series(1, 20) i`);
    await app.query(`update ${whole} set height = id; update ${whole} set id = id + 100 where id > 15`);
    await app.query(`delete from ${whole} where id < 4`);
    await app.query(`update ${app.table} set station = 'two' where id < 8`);
    if (make === partition) await app.query(`update ${whole} set id = -id where id < 6`);
    await app.query(`begin; set local session_replication_role = replica;
      update ${whole} set station = 'replica' where id > 8; commit`);
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
        { state: 'stopped', reason: expect.stringContaining('is no longer a partition, nor inherits') },
      ]);
    });
    await app.query(`insert into ${app.table} (id, station) values (1, 'one')`);
    expect(await attachTable(store, 'observations', app.source)).toMatchObject({ outcome: 'changed' });
    await following(mover);
    await app.query(`update ${app.table} set height = 2`);
    await equal(found);
  });

  test.each([
    ['inherit PARENT', 'no inherit PARENT'],
    ['', ''],
  ])('that it had for a moment only: what was written through it is found again', async (gain, lose) => {
    await using found = await attached(undefined, {}, (app) =>
      app.query(`insert into ${app.table} (id, station) values (1, 'one'), (2, 'two')`),
    );
    const { app, schema } = { ...found, schema: found.app.schema };
    const isPartition = gain === '';
    await app.query(
      `create table ${schema}.whole (like ${app.table} including defaults) ${isPartition ? 'partition by range (id)' : ''}`,
    );
    const alter = (change: string) =>
      `alter table ${app.table} ${change.replace('PARENT', `${schema}.whole`)}`;
    await app.query(`begin;
      ${isPartition ? `alter table ${schema}.whole attach partition ${app.table} default` : alter(gain)};
      update ${schema}.whole set station = 'unseen' where id = 1; delete from ${schema}.whole where id = 2;
      ${isPartition ? `alter table ${schema}.whole detach partition ${app.table}` : alter(lose)}; commit`);
    await equal(found);
    expect(found.alarms).toEqual([]);
  });
});
