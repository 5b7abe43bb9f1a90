import { setTimeout as delay } from 'node:timers/promises';
import { describePostgres } from 'test-support/postgres';
import { seededNumbers } from 'test-support/seeded-random';
import { expect, test, vi } from 'vitest';
import { attachTable, detachTable, type Store, startMover } from '../src/index.ts';
import { attached, equal, following, QUICK, recordsOf } from './support/attached.ts';
import { postgres } from './support/databases.ts';
import { executeRaw } from './support/execute-raw.ts';
import { readToHead } from './support/log-states.ts';
import { type AppTable, appTable, observations } from './support/observations.ts';

async function transitionsOf(store: Store, after = 0): Promise<string[]> {
  const log = await readToHead(store.source('observations'), after);
  return log.map(({ transition, id }) => `${transition} ${id}`);
}

function insert({ table }: AppTable, ids: string): string {
  return `insert into ${table} (id, station) select i, 'one' from unnest(array[${ids}]) i`;
}

describePostgres('an attached table', () => {
  test('is copied, and then followed: writes, changed keys, deletions, truncations', async () => {
    await using found = await attached(undefined, {}, (app) => app.query(insert(app, '1, 2, 3')));
    const { app, store } = found;
    expect(await transitionsOf(store)).toEqual(['create 1', 'create 2', 'create 3']);
    await app.query(`update ${app.table} set height = 1.5, secret = 'x' where id = 1`);
    await app.query(`update ${app.table} set secret = 'not shown'`);
    await app.query(`update ${app.table} set id = 20 where id = 2`);
    await app.query(`delete from ${app.table} where id = 3`);
    await equal(found);
    expect(await transitionsOf(store, 3)).toEqual(['update 1', 'delete 2', 'create 20', 'delete 3']);
    expect(await store.source('observations').get('3')).toBe('gone');
    await app.query(`begin; truncate ${app.table}; ${insert(app, '1, 4')}; commit`);
    await equal(found);
    expect(await transitionsOf(store, 7)).toEqual(['delete 20', 'update 1', 'create 4']);
    expect(JSON.stringify(await recordsOf(store))).not.toContain('secret');
  });

  test('tells of a transaction as a whole, and not of what nobody else could see', async () => {
    await using found = await attached();
    const { app, store } = found;
    await app.query(`begin; ${insert(app, '1, 2')}; update ${app.table} set height = 5 where id = 1;
      savepoint s; delete from ${app.table}; rollback to s;
      ${insert(app, '3')}; delete from ${app.table} where id = 3; commit`);
    await equal(found);
    expect(await transitionsOf(store)).toEqual(['create 2', 'create 1']);
    // The new version of a row that its own transaction has locked carries the lock.
    await app.query(
      `begin; select * from ${app.table} for update; update ${app.table} set height = 6; commit`,
    );
    await equal(found);
    expect(await store.source('observations').get('3')).toBeUndefined();
  });

  test('a truncation of more records than one transaction takes becomes deletes all the same', async () => {
    await using found = await attached(undefined, {}, (app) =>
      app.query(`insert into ${app.table} (id, station) select i, 'one' from generate_series(1, 5000) i`),
    );
    const { app, store } = found;
    await app.query(`begin; truncate ${app.table}; ${insert(app, '7, 9000')}; commit`);
    await equal(found);
    const log = await readToHead(store.source('observations'), 5_000, 10_000);
    expect(log.filter(({ transition }) => transition !== 'delete').map(({ id }) => id)).toEqual([
      '7',
      '9000',
    ]);
    expect(log).toHaveLength(5_001);
  });

  test('a transaction of more rows than a batch takes comes in pieces, in its order', async () => {
    await using found = await attached(undefined, {}, (app) =>
      app.query(`insert into ${app.table} (id, station) select i, 'one' from generate_series(1, 5000) i`),
    );
    const { app, store } = found;
    await app.query(`update ${app.table} set height = id where id <= 4900`);
    await app.query(`update ${app.table} set station = 'two' where id > 4800`);
    await equal(found);
    const moved = (await readToHead(store.source('observations'), 5_000, 10_000)).map(({ id }) => Number(id));
    const changed = Array.from({ length: 5_000 }, (_, index) => index + 1);
    expect(moved.slice(0, 4_800)).toEqual(changed.slice(0, 4_800));
    // The rows that both changed come once, or again where a batch ends between the two.
    expect([...new Set(moved.slice(4_800))].sort((a, b) => a - b)).toEqual(changed.slice(4_800));
  });

  test('of transactions that wait a row is told as the last of them left it, and no row goes back', async () => {
    await using database = postgres();
    await using app = await appTable(database);
    await using store = await database.open({ resources: [observations] });
    await app.query(`insert into ${app.table} (id, station) select i, 'one' from generate_series(1, 100) i`);
    await attachTable(store, 'observations', app.source);
    {
      await using mover = startMover(store, { observations: app.source }, QUICK);
      await following(mover);
    }
    await app.query(`do $$ begin for n in 1..1500 loop
      update ${app.table} set height = n where id = 1 + n % 100;
      if n = 700 then truncate ${app.table}; end if;
      if n % 500 = 0 then insert into ${app.table} (id, station) select i, 'new' from generate_series(1, 100) i on conflict do nothing; end if;
      commit; end loop; end $$`);
    await using _mover = startMover(store, { observations: app.source }, QUICK);
    await equal({ app, store });
    const log = await readToHead(store.source('observations'), 100, 2_000);
    const updates = log.filter(({ transition }) => transition === 'update');
    // They are fewer than a batch takes, so it has the table as it was at the end.
    expect(updates.map(({ after }) => (JSON.parse(after ?? 'null') as { height: number }).height)).toEqual(
      Array.from({ length: 100 }, (_, index) => index + 1_401),
    );
    expect(log).toHaveLength(100);
  });

  test('a database that refuses to write the log is told by what it says, and nothing is lost', async () => {
    await using found = await attached();
    const { app, store, database, alarms } = found;
    await executeRaw(database, 'alter table log_1 rename column occurred_at_ms to occurred');
    await app.query(`do $$ begin for n in 1..1200 loop
      insert into ${app.table} (id, station) values (n, 'one'); commit; end loop; end $$`);
    await vi.waitFor(() => {
      expect(found.mover.status[0]?.fault?.failures).toBeGreaterThan(2);
    });
    expect(alarms.map(({ message }) => message)).toEqual([expect.stringContaining('occurred_at_ms')]);
    await executeRaw(database, 'alter table log_1 rename column occurred to occurred_at_ms');
    await vi.waitFor(async () => {
      expect((await store.source('observations').head()).position).toBe(1_200);
    });
    await equal(found);
  });

  test('connections that the server ends in the middle of a batch cost time only', async () => {
    await using found = await attached();
    const { app, store, database, alarms } = found;
    const random = seededNumbers();
    await found.mover.close();
    await app.query(`do $$ begin for n in 1..4000 loop
      insert into ${app.table} (id, station) values (n % 1500, 'one') on conflict (id) do update set height = n; commit; end loop; end $$`);
    await using _mover = startMover(store, { observations: app.source }, QUICK);
    for (let ended = 0; ended < 3; ) {
      await delay(random() * 50);
      const gone =
        await app.query(`select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()
        and application_name = '${database.schema}' and state <> 'idle'`);
      ended += gone.length;
    }
    await equal(found);
    const log = await readToHead(store.source('observations'), 0, 10_000);
    expect(log.map(({ position }) => position)).toEqual(log.map((_, index) => index + 1));
    expect(new Set(log.map(({ id }) => id)).size).toBe(1_500);
    expect(alarms.length).toBeGreaterThan(0);
    expect(alarms.filter(({ code }) => code !== 'move_failed' && code !== 'move_resumed')).toEqual([]);
  });

  test('a key that another row of the statement takes over is not gone', async () => {
    await using found = await attached(undefined, {}, async (app) => {
      await app.query(insert(app, '1, 2, 3'));
      await app.query(`create function ${app.schema}.follow() returns trigger language plpgsql as $$
        begin
          if pg_trigger_depth() = 1 and OLD.id = 2 then
            update ${app.table} set id = 3 where id = 1;
            update ${app.table} set station = 'nested' where id = 13;
          end if;
          return null;
        end $$;
        create trigger a_follow after update on ${app.table} for each row execute function ${app.schema}.follow()`);
    });
    const { app, store } = found;
    // Row 1 becomes row 3 while the trigger of the old row 3 has not fired yet.
    await app.query(`update ${app.table} set id = id + 10 where id > 1`);
    await equal(found);
    expect((await recordsOf(store)).map(([id]) => id)).toEqual(['12', '13', '3']);
  });

  test('attach twice changes nothing; with other columns it reads the table again', async () => {
    await using found = await attached(undefined, {}, (app) => app.query(insert(app, '1, 2')));
    const { app, store, mover, alarms } = found;
    expect(await attachTable(store, 'observations', app.source)).toMatchObject({
      outcome: 'unchanged',
      did: [],
    });
    await app.query(`update ${app.table} set height = 7`);
    await equal(found);
    const columns = ['station', { column: 'rev', member: 'revision' }];
    const report = await attachTable(store, 'observations', { ...app.source, columns });
    expect(report).toMatchObject({ outcome: 'changed', table: app.table });
    expect(report.did[0]).toContain('was attached in another way');
    await vi.waitFor(() => {
      expect(alarms).toMatchObject([
        { code: 'attachment_stopped', message: expect.stringContaining('run attach') },
      ]);
    });
    await mover.close();
    await using again = startMover(store, { observations: { ...app.source, columns } }, QUICK);
    await following(again);
    const [[, first] = []] = await recordsOf(store);
    expect(first).toEqual({ id: '1', station: 'one', revision: 1 });
  });

  test('deletes records that have no row when it is attached', async () => {
    await using database = postgres();
    await using app = await appTable(database);
    await app.query(insert(app, '1'));
    await using store = await database.open({ resources: [observations] });
    const ids = ['1', '01', '2', 'x', '99999999999999999999', '-0'];
    await store.apply(
      ids.map((id) => ({ resource: 'observations', op: 'put', record: { id, station: 'old', revision: 0 } })),
    );
    await attachTable(store, 'observations', app.source);
    await using mover = startMover(store, { observations: app.source }, QUICK);
    await following(mover);
    expect(await recordsOf(store)).toEqual(await app.expected());
  });

  test('a row that the resource refuses is quarantined; the others go on, and it comes back when it fits', async () => {
    await using found = await attached(undefined, {}, (app) => app.query(insert(app, '1, 2')));
    const { app, store, alarms, database, mover } = found;
    const quarantined = () => app.query(`select id, reason from ${database.schema}.quarantine`);
    await app.query(`begin; update ${app.table} set station = repeat('x', 101), height = 1 where id = 1;
      update ${app.table} set height = 'Infinity' where id = 2; ${insert(app, '3')}; commit`);
    await vi.waitFor(() => {
      expect(mover.status).toMatchObject([{ refusedRows: 2, state: 'following' }]);
    });
    expect(alarms).toMatchObject([{ code: 'rows_quarantined', resource: 'observations' }]);
    expect(alarms[0]?.message).toContain('the row "1" and 1 more of');
    expect(alarms[0]?.message).toContain('/station');
    expect(alarms[0]?.message).not.toContain('xxx');
    expect(await quarantined()).toHaveLength(2);
    // What was accepted last stays.
    expect(
      (await recordsOf(store)).map(([id, record]) => [id, (record as { station: string }).station]),
    ).toEqual([
      ['1', 'one'],
      ['2', 'one'],
      ['3', 'one'],
    ]);
    await app.query(`update ${app.table} set station = 'two', height = 3 where id = 1`);
    await app.query(`delete from ${app.table} where id = 2`);
    await equal(found);
    expect(await quarantined()).toEqual([]);
    // What the row is when it is moved counts, not what it was before.
    await mover.close();
    await app.query(`update ${app.table} set station = repeat('x', 101) where id = 3`);
    await app.query(`update ${app.table} set station = 'three' where id = 3`);
    await app.query(`update ${app.table} set station = repeat('x', 101) where id = 1`);
    await using again = startMover(store, { observations: app.source }, QUICK);
    await vi.waitFor(() => {
      expect(again.status).toMatchObject([{ refusedRows: 1, state: 'following' }]);
    });
    expect(await quarantined()).toMatchObject([{ id: '1' }]);
  });

  test('detach leaves the table as it was, and nothing in the store but the records', async () => {
    await using database = postgres();
    await using app = await appTable(database);
    await app.query(insert(app, '1'));
    await using store = await database.open({ resources: [observations] });
    const catalogOf = async () => [
      await app.query(`select tgname from pg_trigger where tgrelid = '${app.table}'::regclass`),
      await app.query(`select proname from pg_proc where pronamespace = '${database.schema}'::regnamespace`),
      await app.query(
        `select relname from pg_class where relnamespace = '${database.schema}'::regnamespace order by 1`,
      ),
      await app.query(
        `select classid, objid, refobjid from pg_depend where refobjid = '${app.table}'::regclass order by 1, 2`,
      ),
    ];
    const before = await catalogOf();
    await attachTable(store, 'observations', app.source);
    expect(await catalogOf()).not.toEqual(before);
    const mover = startMover(store, { observations: app.source }, QUICK);
    await following(mover);
    await mover.close();
    await app.query(insert(app, '2'));
    const report = await detachTable(store, 'observations');
    expect(report.table).toBe(app.table);
    expect(report.did.join('\n')).toContain('with 1 changes that had not been moved');
    expect(await catalogOf()).toEqual(before);
    for (const table of ['attachment', 'quarantine']) {
      expect(await app.query(`select * from ${database.schema}.${table}`)).toEqual([]);
    }
    expect((await recordsOf(store)).map(([id]) => id)).toEqual(['1']);
    expect(await detachTable(store, 'observations')).toEqual({
      resource: 'observations',
      table: undefined,
      did: [],
    });
    await attachTable(store, 'observations', app.source);
    // As after a restore of the whole database, where tables have other oids.
    await app.query(`update ${database.schema}.attachment set table_oid = 1`);
    expect(await attachTable(store, 'observations', app.source)).toMatchObject({ outcome: 'changed' });
    await using again = startMover(store, { observations: app.source }, QUICK);
    await following(again);
    await equal({ app, store });
  });
});
