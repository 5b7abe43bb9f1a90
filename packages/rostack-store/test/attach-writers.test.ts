import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describePostgres } from 'test-support/postgres';
import { expect, test, vi } from 'vitest';
import { attachTable, startMover } from '../src/index.ts';
import { type Attached, attached, equal, following, QUICK, recordsOf } from './support/attached.ts';
import { postgres } from './support/databases.ts';
import { readToHead } from './support/log-states.ts';
import { type AppTable, appTable, observations } from './support/observations.ts';

/** An attached table of three rows; what is noted from now on waits. */
async function waiting(): Promise<Attached & { readonly inbox: string }> {
  const found = await attached(undefined, {}, (app) =>
    app.query(`insert into ${app.table} (id, station) values (1, 'one'), (2, 'two'), (3, 'three')`),
  );
  await found.mover.close();
  return { ...found, inbox: `${found.database.schema}.inbox_1` };
}

/** Moves what waits, until the records are what the table says. */
async function moved({ app, store }: Pick<Attached, 'app' | 'store'>): Promise<void> {
  await using mover = startMover(store, { observations: app.source }, QUICK);
  await following(mover);
  await equal({ app, store });
}

/** As after a copy of the rows that did not carry the sequences. */
async function setSequencesBack(app: AppTable, schema: string): Promise<void> {
  await app.query(`select setval(format('%I.%I', schemaname, sequencename)::regclass, 1, false) from pg_sequences
    where schemaname = '${schema}'`);
}

async function stopped({ mover }: Attached, reason: string): Promise<void> {
  await vi.waitFor(() => {
    expect(mover.status).toMatchObject([{ state: 'stopped', reason: expect.stringContaining(reason) }]);
  });
}

/** Attached as releases before the fourth form of the inbox did it: its rows have numbers of a sequence, and texts. */
async function installForm3(app: AppTable, schema: string): Promise<void> {
  const hash = createHash('sha256').update(schema).digest('hex').slice(0, 8);
  const installation = readFileSync(new URL('support/inbox-form-3.sql', import.meta.url), 'utf8');
  await app.query(
    installation.replaceAll('STORE', schema).replaceAll('APP', app.schema).replaceAll('HASH', hash),
  );
  await app.query(`update ${schema}.attachment set layout = jsonb_set(layout::jsonb, '{form}', '"3"')::text`);
}

describePostgres('what is installed in the way of writers', () => {
  test('has no constraint, and no sequence but the one that says whether the leader sleeps', async () => {
    await using found = await waiting();
    const { app, database, inbox } = found;
    expect(
      await app.query(`select conname from pg_constraint where conrelid = '${inbox}'::regclass
        union all select indexrelid::regclass::text from pg_index where indrelid = '${inbox}'::regclass and indisunique`),
    ).toEqual([]);
    expect(
      await app.query(`select sequencename from pg_sequences where schemaname = '${database.schema}'`),
    ).toEqual([{ sequencename: 'asleep_1' }]);
  });

  test('lets the application write after sequences went back, and the last value of a row is kept', async () => {
    await using found = await waiting();
    const { app, database } = found;
    for (const station of ['first', 'second', 'third']) {
      await app.query(`update ${app.table} set station = '${station}' where id = 1`);
      await setSequencesBack(app, database.schema);
    }
    await moved(found);
    // What was moved has left its numbers to those that come.
    await app.query(`insert into ${app.table} (id, station) values (4, 'four')`);
    await app.query(`update ${app.table} set station = 'fourth' where id = 1`);
    await app.query(`update ${app.table} set station = 'fifth' where id = 1`);
    await setSequencesBack(app, database.schema);
    await app.query(`delete from ${app.table} where id = 2`);
    await moved(found);
    expect(await recordsOf(found.store)).toMatchObject([
      ['1', { station: 'fifth' }],
      ['3', { station: 'three' }],
      ['4', { station: 'four' }],
    ]);
  });

  test('takes what was noted elsewhere, twice or long ago, and the row as it is counts', async () => {
    await using found = await waiting();
    const { app, inbox, store } = found;
    const copy = `create table ${app.schema}.copy as select * from ${inbox}`;
    await app.query(`update ${app.table} set station = 'old' where id = 1`);
    await app.query(`insert into ${app.table} (id, station) values (4, 'old')`);
    await app.query(copy);
    await app.query(`update ${app.table} set station = 'new'; delete from ${app.table} where id = 4`);
    // As a subscription writes them that carries the inbox too, while its rows fire the trigger.
    await app.query(`begin; set local session_replication_role = replica;
      insert into ${inbox} overriding system value select * from ${app.schema}.copy;
      update ${app.table} set station = 'newer' where id = 2; commit`);
    await moved(found);
    await app.query(`insert into ${inbox} overriding system value select * from ${app.schema}.copy`);
    await moved(found);
    const log = await readToHead(store.source('observations'), 3);
    expect(log.filter(({ after }) => after?.includes('old') === true)).toEqual([]);
  });

  test('can be published whole: what was moved is deleted', async () => {
    await using found = await waiting();
    const { app, database, inbox } = found;
    await app.query(`create publication ${database.schema} for table ${inbox}, ${app.table}`);
    try {
      await app.query(`update ${app.table} set station = 'published'`);
      await moved(found);
      await vi.waitFor(async () => expect(await app.query(`select * from ${inbox}`)).toEqual([]));
    } finally {
      await app.query(`drop publication ${database.schema}`);
    }
  });

  test.each([
    ['always', 'all'],
    ['replica', 'all'],
  ])('writers go on with triggers that are set to fire otherwise: %s', async (how) => {
    await using found = await attached(undefined, {}, (app) =>
      app.query(`insert into ${app.table} (id, station) values (1, 'one')`),
    );
    const { app, store, mover } = found;
    const triggers = await app.query(
      `select quote_ident(tgname) as name from pg_trigger where tgrelid = '${app.table}'::regclass and not tgisinternal`,
    );
    const set = triggers.map(({ name }) => `enable ${how} trigger ${String(name)}`);
    await app.query(`alter table ${app.table} ${set.join(', ')}`);
    for (const role of ['origin', 'replica']) {
      await app.query(`begin; set local session_replication_role = ${role};
        update ${app.table} set station = '${role}'; insert into ${app.table} (id, station) values (${role.length}, 'new'); commit`);
    }
    await stopped(found, `enable ${how}, was enable`);
    expect(await attachTable(store, 'observations', app.source)).toMatchObject({ outcome: 'changed' });
    await following(mover);
    await equal(found);
  });

  test('writers go on where the inbox is gone, and the table is followed again once it is attached', async () => {
    await using found = await attached();
    const { app, database, store, mover } = found;
    await app.query(`drop table ${database.schema}.inbox_1`);
    await app.query(`insert into ${app.table} (id, station) values (1, 'one'), (2, 'two')`);
    await app.query(`update ${app.table} set id = id + 10; truncate ${app.table}`);
    await app.query(`insert into ${app.table} (id, station) select i, 'many' from generate_series(1, 500) i`);
    await stopped(found, 'inbox is there: false, was true');
    expect(found.alarms.map(({ code }) => code)).toEqual(['attachment_stopped']);
    expect(await attachTable(store, 'observations', app.source)).toMatchObject({ outcome: 'changed' });
    await following(mover);
    await equal(found);
  });

  test('an installation of the release before is brought up to date with what waited in it', async () => {
    await using database = postgres();
    await using app = await appTable(database);
    await app.query(`insert into ${app.table} (id, station) values (1, 'one'), (2, 'two'), (3, 'three')`);
    await using store = await database.open({ resources: [observations] });
    await attachTable(store, 'observations', app.source);
    await moved({ app, store });
    await app.query(`drop table ${database.schema}.inbox_1;
      do $$ declare f record; begin for f in select oid::regprocedure as name from pg_proc where pronamespace = '${database.schema}'::regnamespace
        loop execute format('drop function %s cascade', f.name); end loop; end $$`);
    await installForm3(app, database.schema);
    await app.query(
      `update ${app.table} set station = 'waits' where id = 1; delete from ${app.table} where id = 2`,
    );
    await app.query(`insert into ${app.table} (id, station) values (4, 'waits')`);
    expect(await app.query(`select count(*)::int as notes from ${database.schema}.inbox_1`)).toEqual([
      { notes: 3 },
    ]);
    await using mover = startMover(store, { observations: app.source }, QUICK);
    await vi.waitFor(() => {
      expect(mover.status).toMatchObject([
        { state: 'stopped', reason: expect.stringContaining('was attached by another release: run attach') },
      ]);
    });
    await app.query(`update ${app.table} set station = 'stopped' where id = 3`);
    const report = await attachTable(store, 'observations', app.source);
    expect(report.did.join('\n')).toContain('with 4 changes that had not been moved');
    await following(mover);
    await equal({ app, store });
    expect((await recordsOf(store)).map(([id]) => id)).toEqual(['1', '3', '4']);
    await app.query(`update ${app.table} set id = id + 10`);
    await equal({ app, store });
    expect(
      await app.query(`select sequencename from pg_sequences where schemaname = '${database.schema}'`),
    ).toEqual([{ sequencename: 'asleep_1' }]);
  });
});
