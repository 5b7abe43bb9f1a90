import { describePostgres } from 'test-support/postgres';
import { expect, test, vi } from 'vitest';
import { attachTable, startMover } from '../src/index.ts';
import { type Attached, attached, equal, following, QUICK, recordsOf } from './support/attached.ts';
import { postgres } from './support/databases.ts';
import { readToHead } from './support/log-states.ts';
import { appTable, observations } from './support/observations.ts';

async function stopped({ mover, alarms }: Attached, reason: string): Promise<void> {
  await vi.waitFor(() => {
    expect(mover.status).toMatchObject([{ state: 'stopped', reason: expect.stringContaining(reason) }]);
  });
  expect(alarms.at(-1)).toMatchObject({
    code: 'attachment_stopped',
    resource: 'observations',
    message: expect.stringContaining(reason),
  });
}

describePostgres('a changed table', () => {
  const changes: readonly (readonly [change: string, reason: string])[] = [
    [
      'alter table T drop column height',
      'S.observations is not as it was attached: column 4: gone, was height double precision',
    ],
    [
      'alter table T rename height to elevation',
      'column 4: elevation double precision, was height double precision',
    ],
    ['alter table T alter height type numeric', 'column 4: height numeric, was height double precision'],
    ['alter table T alter rev type text', 'column 6: rev text, was rev bigint'],
    ['alter table T rename to measurements', 'name: S.measurements, was S.observations'],
    [
      'alter table T drop constraint observations_pkey',
      'key is unique and not null, by an index of its own order and collation: false, was true',
    ],
    ['alter table T disable trigger all', '_insert: disable, was enable'],
    ['alter table T enable trigger all', '_row: enable, was enable replica'],
    ['alter table T set unlogged', 'is an ordinary table: false, was true'],
    ['create table S.child () inherits (T)', 'has children: true, was false'],
    [
      'create table S.parent () ; alter table T inherit S.parent',
      'is a partition, or inherits: true, was false',
    ],
    ['drop table T', 'the table S.observations is gone'],
  ];

  test.each(changes)('stops its resource and writes nothing: %s', async (change, reason) => {
    await using found = await attached(undefined, {}, (app) =>
      app.query(`insert into ${app.table} (id, station) values (1, 'one'), (2, 'two')`),
    );
    const { app, store } = found;
    const named = (text: string) => text.replaceAll(/\bT\b/g, app.table).replaceAll(/\bS\b/g, app.schema);
    const before = await recordsOf(store);
    // The writer that comes after the change, in the same transaction, is not hindered.
    const after = change.startsWith('drop')
      ? ''
      : `update ${app.schema}.${change.includes('measurements') ? 'measurements' : 'observations'} set station = 'changed';`;
    await app.query(`begin; ${named(change)}; ${after} commit`);
    await stopped(found, named(reason));
    expect(await recordsOf(store)).toEqual(before);
    expect(found.alarms).toHaveLength(1);
  });

  test('goes on by itself when the change is taken back, with what was written in between', async () => {
    await using found = await attached();
    const { app, mover } = found;
    await app.query(`alter table ${app.table} alter height type numeric`);
    await stopped(found, 'column 4: height numeric');
    await app.query(`insert into ${app.table} (id, station, height) values (1, 'one', 12345678901234567890)`);
    await app.query(`alter table ${app.table} alter height type float8`);
    await following(mover);
    await equal(found);
    expect(found.alarms).toHaveLength(1);
  });

  test('what waits when the table is read again is dropped, however much it is', async () => {
    await using found = await attached();
    const { app, mover, store } = found;
    const swap = (table: string) =>
      app.query(`begin; alter table ${table} rename station to other; alter table ${table} rename secret to station;
        alter table ${table} rename other to secret; commit`);
    await swap(app.table);
    await stopped(found, 'column 2: secret text, was station text');
    // More than a leader looks at once, and each of them has the wrong text as its station.
    await app.query(`set synchronous_commit = off`);
    await app.query(`do $$ begin for n in 1..4200 loop
      insert into ${app.table} (id, secret, station) values (n, 'right', 'wrong'); commit; end loop; end $$`);
    await swap(app.table);
    await following(mover);
    await equal(found);
    expect(mover.status).toMatchObject([{ movedRows: 0 }]);
    const log = await readToHead(store.source('observations'), 0, 1_000);
    expect(log.filter(({ after }) => after?.includes('wrong') === true)).toEqual([]);
  });

  test('attach takes the new layout over while the mover runs', async () => {
    await using found = await attached();
    const { app, store, mover } = found;
    await app.query(`insert into ${app.table} (id, station, height) values (1, 'one', 5)`);
    await app.query(`alter table ${app.table} alter height type int using height::int + 1`);
    await stopped(found, 'column 4: height integer');
    const report = await attachTable(store, 'observations', app.source);
    expect(report).toMatchObject({ outcome: 'changed' });
    expect(report.did[0]).toContain('column 4: height integer, was height double precision');
    await following(mover);
    await equal(found);
  });

  test('what went past the triggers is found again: disabled for a while, values of an enum renamed', async () => {
    const definition = { ...observations, schema: { type: 'object' } };
    await using found = await attached(definition, { columns: ['station', 'mood'] }, async (app) => {
      await app.query(`create type ${app.schema}.mood as enum ('good', 'bad')`);
      await app.query(`alter table ${app.table} add mood ${app.schema}.mood`);
      await app.query(
        `insert into ${app.table} (id, station, mood) values (1, 'one', 'good'), (2, 'two', 'bad')`,
      );
    });
    const { app, store } = found;
    await app.query(`begin; alter table ${app.table} disable trigger all;
      update ${app.table} set station = 'unseen' where id = 1; delete from ${app.table} where id = 2;
      do $$ declare name text; begin
        for name in select tgname from pg_trigger where tgrelid = '${app.table}'::regclass loop
          execute format('alter table ${app.table} enable %s trigger %I',
            case substring(name from '[a-z]+$') when 'row' then 'replica' when 'truncate' then 'always' else '' end, name);
        end loop;
      end $$; commit`);
    await vi.waitFor(async () => {
      expect(await recordsOf(store)).toEqual([['1', { id: '1', station: 'unseen', mood: 'good' }]]);
    });
    await app.query(`alter type ${app.schema}.mood rename value 'good' to 'fine'`);
    await vi.waitFor(async () => {
      expect(await recordsOf(store)).toEqual([['1', { id: '1', station: 'unseen', mood: 'fine' }]]);
    });
    expect(found.alarms).toEqual([]);
  });

  test('a new column, a default, an index, a vacuum do not matter', async () => {
    await using found = await attached();
    const { app } = found;
    await app.query(`alter table ${app.table} add note text default 'x', alter station set default 'here'`);
    await app.query(`create index on ${app.table} (station)`);
    await app.query(`vacuum full analyze ${app.table}`);
    await app.query(`insert into ${app.table} (id) values (1)`);
    await equal(found);
    expect(found.alarms).toEqual([]);
  });

  test('what another release installed stops, until it is attached again', async () => {
    await using found = await attached();
    const { app, database, store } = found;
    await app.query(`update ${database.schema}.attachment set term = term + 1,
      layout = jsonb_set(layout::jsonb, '{form}', '"of before"')::text`);
    await app.query(`insert into ${app.table} (id, station) values (1, 'one')`);
    await stopped(found, 'was attached by another release: run attach');
    expect(await attachTable(store, 'observations', app.source)).toMatchObject({ outcome: 'changed' });
    await following(found.mover);
    await equal(found);
  });

  test('other resources go on', async () => {
    await using database = postgres();
    await using app = await appTable(database);
    await app.query(`create table ${app.schema}.other (id text primary key, n int)`);
    const other = { name: 'other', idPointer: '/id', schema: { type: 'object' } };
    await using store = await database.open({ resources: [observations, other] });
    const sources = { observations: app.source, other: { table: `${app.schema}.other`, key: 'id' } };
    for (const [name, source] of Object.entries(sources)) await attachTable(store, name, source);
    await using mover = startMover(store, sources, QUICK);
    await app.query(`alter table ${app.table} drop column amount`);
    await vi.waitFor(() => {
      expect(mover.status).toMatchObject([{ state: 'stopped' }, { state: 'following' }]);
    });
    await app.query(`insert into ${app.schema}.other values ('a', 1)`);
    await vi.waitFor(async () => {
      expect(await recordsOf(store, 'other')).toEqual([['a', { id: 'a', n: 1 }]]);
    });
  });
});
