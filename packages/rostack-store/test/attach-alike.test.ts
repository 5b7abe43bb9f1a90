import { describePostgres } from 'test-support/postgres';
import { expect, test, vi } from 'vitest';
import { attachTable, type ResourceDefinition, type StoreAlarm, startMover } from '../src/index.ts';
import { attached, equal, following, QUICK, recordsOf } from './support/attached.ts';
import { postgres } from './support/databases.ts';
import { appTable, observations } from './support/observations.ts';

const people: ResourceDefinition = {
  name: 'people',
  idPointer: '/code',
  schema: { type: 'object', required: ['code'] },
};

describePostgres('a table that is like the one that was attached', () => {
  const changes: readonly (readonly [change: string, value: string])[] = [
    ['alter name type varchar(50)', `'a name of more than twenty letters'`],
    ['alter name type text', `'a name of more than twenty letters'`],
    ['alter code type varchar(30)', `'other'`],
    ['alter price type numeric(14, 2)', `'other'`],
    ['alter at type timestamptz(6)', `'other'`],
    [`alter name set default 'nobody'`, 'default'],
    ['alter name set not null', `'other'`],
    ['add check (length(name) > 1)', `'other'`],
    ['alter name set statistics 10', `'other'`],
  ];

  test.each(changes)('goes on without attach: %s', async (change, value) => {
    await using database = postgres();
    await using app = await appTable(database);
    const table = `${app.schema}.people`;
    await app.query(`create table ${table} (code varchar(9) primary key, name varchar(20), price numeric(12, 2), at timestamptz(0));
      insert into ${table} values ('a', 'first', 1.5, '2026-11-21 20:00:00+09'), ('b', 'second', null, null)`);
    const alarms: StoreAlarm[] = [];
    const onAlarm = (alarm: StoreAlarm) => alarms.push(alarm);
    await using store = await database.open({ resources: [people], onAlarm });
    await attachTable(store, 'people', { table, key: 'code' });
    await using mover = startMover(store, { people: { table, key: 'code' } }, QUICK);
    await following(mover);
    // Columns that no record can hold, and that came later, do not matter either.
    await app.query(`alter table ${table} add place point`);
    await app.query(`begin; alter table ${table} ${change}; comment on column ${table}.name is 'of a person';
      update ${table} set price = 2.5; commit`);
    await app.query(
      `insert into ${table} (code, name) values ('c', ${value}); delete from ${table} where code = 'b'`,
    );
    const rows = await app.query(`select code, name, price::float8 as price from ${table} order by code`);
    await vi.waitFor(async () => {
      const records = await recordsOf(store, 'people');
      expect(records.map(([, record]) => record)).toMatchObject(rows);
    });
    await following(mover);
    expect(alarms).toEqual([]);
  });

  test.each([
    ['alter price type numeric(12, 3)', 'column 3: price numeric(12,3), was price numeric(12,2)'],
    ['alter code type char(9)', 'column 1: code character(9), was code character varying(9)'],
    ['alter name type json using to_json(name)', 'column 2: name json, was name character varying(20)'],
  ])('stops where rows would be read otherwise: %s', async (change, reason) => {
    await using database = postgres();
    await using app = await appTable(database);
    const table = `${app.schema}.people`;
    await app.query(
      `create table ${table} (code varchar(9) primary key, name varchar(20), price numeric(12, 2))`,
    );
    await using store = await database.open({ resources: [people] });
    await attachTable(store, 'people', { table, key: 'code' });
    await using mover = startMover(store, { people: { table, key: 'code' } }, QUICK);
    await following(mover);
    await app.query(`alter table ${table} ${change}`);
    await vi.waitFor(() => {
      expect(mover.status).toMatchObject([{ state: 'stopped', reason: expect.stringContaining(reason) }]);
    });
  });

  test('is found by its name after a restore, where tables and columns have other numbers', async () => {
    await using found = await attached(undefined, {}, (app) =>
      app.query(`insert into ${app.table} (id, station) values (1, 'one'), (2, 'two')`),
    );
    const { app, database, store, alarms } = found;
    await found.mover.close();
    const elsewhere = [`1`, `'${app.schema}.other'::regclass::oid`];
    await app.query(`create table ${app.schema}.other (id int primary key)`);
    for (const [index, oid] of elsewhere.entries()) {
      // As rows that were restored before the triggers were.
      await app.query(`begin; alter table ${app.table} disable trigger all;
        update ${app.table} set station = 'unseen ${index}' where id = 2;
        do $$ declare name text; begin
          for name in select tgname from pg_trigger where tgrelid = '${app.table}'::regclass loop
            execute format('alter table ${app.table} enable %s trigger %I',
              case substring(name from '[a-z]+$') when 'row' then 'replica' when 'truncate' then 'always' else '' end, name);
          end loop;
        end $$; commit`);
      await app.query(`update ${app.table} set station = 'while away ${index}' where id = 1;
        update ${database.schema}.attachment set table_oid = ${oid}, stamp = 'of another server', columns = (
          select json_agg(jsonb_set(c, '{number}', to_jsonb((c ->> 'number')::int + 3)) order by n)::text
          from jsonb_array_elements(columns::jsonb) with ordinality as e (c, n))`);
      await using mover = startMover(store, { observations: app.source }, QUICK);
      await following(mover);
      await equal(found);
    }
    await using mover = startMover(store, { observations: app.source }, QUICK);
    await following(mover);
    expect(alarms).toEqual([]);
    expect(await attachTable(store, 'observations', app.source)).toMatchObject({ outcome: 'unchanged' });
  });

  test('what was noted while the key had another type is dropped, since the whole table is compared', async () => {
    await using found = await attached(undefined, {}, (app) =>
      app.query(`alter table ${app.table} alter station type varchar(40);
        insert into ${app.table} (id, station) values (1, 'one'), (2, 'two')`),
    );
    const { app, store, alarms } = found;
    await found.mover.close();
    await app.query(`begin; alter table ${app.table} alter id type text; insert into ${app.table} (id, station) values ('three', 'three');
      delete from ${app.table} where id = 'three'; update ${app.table} set station = 'changed' where id = '2';
      alter table ${app.table} alter id type int using id::int, alter station type varchar(50); commit`);
    await using mover = startMover(store, { observations: app.source }, QUICK);
    await following(mover);
    await equal(found);
    expect({ alarms, moved: mover.status[0]?.movedRows }).toEqual({ alarms: [], moved: 0 });
  });

  test.each([
    ['a trigger', 'drop trigger NAME_insert on T'],
    ['a function', 'drop function S.capture_1_insert cascade'],
    ['a column', 'alter table T drop amount'],
    ['the key', 'alter table T drop constraint observations_pkey'],
  ])('stops after a restore that left out %s', async (_what, without) => {
    await using database = postgres();
    await using app = await appTable(database);
    await using store = await database.open({ resources: [observations] });
    await attachTable(store, 'observations', app.source);
    const [trigger] = await app.query(
      `select replace(tgname, '_insert', '') as name from pg_trigger where tgrelid = '${app.table}'::regclass and tgname like '%insert'`,
    );
    await app.query(
      without
        .replace('NAME', String(trigger?.['name']))
        .replace(/\bS\b/, database.schema)
        .replace(/\bT\b/, app.table),
    );
    await app.query(`update ${database.schema}.attachment set table_oid = 1`);
    await using mover = startMover(store, { observations: app.source }, QUICK);
    await vi.waitFor(() => {
      expect(mover.status).toMatchObject([
        { state: 'stopped', reason: expect.stringContaining('run attach') },
      ]);
    });
  });
});
