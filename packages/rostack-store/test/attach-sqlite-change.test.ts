import { describe, expect, test, vi } from 'vitest';
import { readAttachment } from '../src/attach/attachment/attachment.ts';
import { DeposedError, takeOver } from '../src/attach/attachment/leader-lease.ts';
import { storePartsFor } from '../src/attach/source/store-parts.ts';
import { readInbox } from '../src/attach/sqlite/read/read-inbox.ts';
import { readChunk } from '../src/attach/sqlite/read/read-table.ts';
import { readQuarantine, type Store, type TableSource } from '../src/index.ts';
import { following, recordsOf } from './support/attached.ts';
import { becomes, boats, setting, TABLE } from './support/boats.ts';
import { takenOver } from './support/taken-over.ts';

describe('a table of SQLite that changes', () => {
  test('a new column, an index and another table do not matter; a dropped column stops the resource', async () => {
    await using at = await setting();
    const { app, store, alarms } = at;
    const mover = await at.follow();
    app.exec(`alter table boats add column more text; create index boats_name on boats (name); create table other (a);
      insert into boats (id, name, more) values (1, 'a', 'm'); alter table boats drop column secret`);
    await becomes(store, [{ id: '1', name: 'a', length: null }]);
    expect(alarms).toEqual([]);
    // Writes and changes of the table go on: only keys are named in the triggers.
    app.exec(`alter table boats drop column length_m; insert into boats (id, name) values (2, 'b')`);
    await vi.waitFor(() => expect(mover.status).toMatchObject([{ state: 'stopped' }]));
    expect(mover.status[0]?.reason).toContain('column length_m: gone, was REAL');
    expect(alarms.map(({ code }) => code)).toEqual(['attachment_stopped']);
    await mover.close();
    await at.follow({ columns: ['name'] });
    await becomes(store, [
      { id: '1', name: 'a' },
      { id: '2', name: 'b' },
    ]);
  });

  test.each([
    ['renamed', 'alter table boats rename to ships', 'is gone'],
    ['dropped', 'drop table boats', 'is gone'],
    ['without a trigger', 'drop trigger rostack_1_update', 'trigger rostack_1_update: gone'],
  ])('%s, it stops until it is attached again', async (_name, ddl, reason) => {
    await using at = await setting();
    const { app, store } = at;
    const mover = await at.follow();
    app.exec(`insert into boats (id, name) values (1, 'a')`);
    await becomes(store, [{ id: '1', name: 'a', length: null }]);
    app.exec(ddl);
    await vi.waitFor(() => expect(mover.status).toMatchObject([{ state: 'stopped' }]));
    expect(mover.status[0]?.reason).toContain(reason);
  });

  test('writers go on after the greatest number was given to a note, under any conflict clause', async () => {
    await using at = await setting();
    const { app, store } = at;
    app.exec(`insert into boats (id, name) values (1, 'a')`);
    const mover = await at.follow();
    await becomes(store, [{ id: '1', name: 'a', length: null }]);
    await mover.close();
    app.exec('insert into inbox_1 (number, k1) values (9223372036854775807, 1)');
    for (const clause of ['abort', 'fail', 'ignore', 'replace', 'rollback']) {
      app.exec(`insert or ${clause} into boats (id, name) values (2, '${clause}') on conflict (id) do update set name = excluded.name;
        update or ${clause} boats set name = '${clause}' where id = 1`);
    }
    await at.follow();
    await becomes(store, [
      { id: '1', name: 'rollback', length: null },
      { id: '2', name: 'rollback', length: null },
    ]);
    await vi.waitFor(() => expect(app.prepare('select count(*) from inbox_1').pluck().get()).toBe(0));
  });

  test('a type of another form in its definition does not stop it', async () => {
    await using at = await setting();
    const { app, store, alarms } = at;
    const mover = await at.follow();
    app.unsafeMode(true);
    app.exec(`pragma writable_schema = on; update sqlite_schema set sql = replace(sql, 'name text', 'name varchar(50)') where name = 'boats';
      update sqlite_schema set sql = replace(sql, 'name TEXT', 'name varchar(50)') where name = 'boats'; pragma writable_schema = reset`);
    app.unsafeMode(false);
    app.exec(`create table other (a); insert into boats (id, name) values (1, 'a')`);
    expect(app.pragma('table_info(boats)')).toContainEqual(
      expect.objectContaining({ name: 'name', type: 'varchar(50)' }),
    );
    await becomes(store, [{ id: '1', name: 'a', length: null }]);
    await following(mover);
    expect(alarms).toEqual([]);
  });

  test('a new unique index stops the resource: it is another way to replace rows', async () => {
    await using at = await setting();
    const { app, store } = at;
    const mover = await at.follow();
    app.exec(
      `insert into boats (id, name) values (1, 'a'), (2, 'b'); create unique index named on boats (name)`,
    );
    await vi.waitFor(() => expect(mover.status).toMatchObject([{ state: 'stopped' }]));
    expect(mover.status[0]?.reason).toContain(
      'unique columns: (id BINARY) and (name BINARY), was (id BINARY)',
    );
    app.exec(`replace into boats (id, name) values (3, 'b')`);
    await at.attach();
    app.exec(`replace into boats (id, name) values (4, 'a')`);
    await becomes(store, [
      { id: '3', name: 'b', length: null },
      { id: '4', name: 'a', length: null },
    ]);
  });

  test('made again under its name, it has lost its triggers, and is compared once it is attached again', async () => {
    await using at = await setting();
    const { app, store } = at;
    const mover = await at.follow();
    app.exec(`insert into boats (id, name) values (1, 'a'), (2, 'b')`);
    await vi.waitFor(async () => expect(await recordsOf(store, 'boats')).toHaveLength(2));
    app.exec(`create table b2 (id integer primary key, name text, length_m real);
      insert into b2 select id, 'moved', length_m from boats where id = 1; drop table boats; alter table b2 rename to boats`);
    await vi.waitFor(() => expect(mover.status).toMatchObject([{ state: 'stopped' }]));
    expect(mover.status[0]?.reason).toContain('trigger rostack_1_delete: gone');
    expect(await at.attach()).toMatchObject({ outcome: 'changed' });
    await becomes(store, [{ id: '1', name: 'moved', length: null }]);
    await following(mover);
  });
});

/** Takes the lead under a mapping, or under that of the leader before, and gives it up. */
const leadOf = (store: Store) => (mapping: string | undefined) => {
  const { database, schema } = storePartsFor(store, 'boats');
  return database.write(function* () {
    const present = yield* readAttachment(schema, 'boats');
    return present && (yield* takeOver(database.dialect, present, mapping ?? present.mapping, 0));
  });
};

test.each([
  ['by its rowid', 'id text primary key', `replace into boats (rowid, id, name) values (1, 'b', 'new')`, 'b'],
  [
    'by a key in other letters',
    'id text collate nocase primary key',
    `replace into boats (id, name) values ('A', 'new')`,
    'A',
  ],
])('a row that another one replaces %s is gone', async (_how, key, replace, id) => {
  await using at = await setting(`create table boats (${key}, name text not null, length_m real)`);
  await at.follow();
  at.app.exec(`insert into boats (rowid, id, name) values (1, 'a', 'old')`);
  await becomes(at.store, [{ id: 'a', name: 'old', length: null }]);
  at.app.exec(replace);
  const replaced = becomes(at.store, [{ id, name: 'new', length: null }]);
  await expect(replaced).resolves.toBeUndefined();
});

test('a copy continues where it was under the same mapping, and starts again under another one', async () => {
  await using at = await setting();
  await at.attach();
  at.app.exec(`update attachment set phase = 'load', place = '7'`);
  const lead = leadOf(at.store);
  expect(await lead(undefined)).toMatchObject({ phase: 'load', place: '7' });
  expect(await lead('another')).toMatchObject({ phase: 'load', place: null });
});

test('a leader under another mapping begins without the rows that were refused by the last one', async () => {
  await using at = await setting();
  const { app, store } = at;
  const mover = await at.follow();
  app.exec(`insert into boats (id, name) values (1, 'a name that is far too long')`);
  await vi.waitFor(async () => expect(await readQuarantine(store, 'boats')).toMatchObject({ rows: 1 }));
  await mover.close();
  const lead = leadOf(store);
  expect(await lead(undefined)).toMatchObject({ phase: 'live' });
  expect(await readQuarantine(store, 'boats')).toMatchObject({ rows: 1, first: { id: '1' } });
  expect(await lead('another')).toMatchObject({ phase: 'load', place: null });
  expect(await readQuarantine(store, 'boats')).toEqual({ rows: 0, first: undefined });
});

test('a lease that ends in the far future is that of a clock that was put back: another one leads', async () => {
  await using at = await setting();
  await at.attach();
  at.app.exec(`update attachment set leads_until_ms = cast(unixepoch() as integer) * 1000 + 86400000`);
  at.app.exec(`insert into boats (id, name) values (1, 'a')`);
  await at.follow();
  const moved = becomes(at.store, [{ id: '1', name: 'a', length: null }]);
  await expect(moved).resolves.toBeUndefined();
});

test('what is to be moved is not read any more once another leader has taken over', async () => {
  await using at = await setting();
  await at.attach();
  at.app.exec(`insert into boats (id, name) values (1, 'a')`);
  const { leader: first } = await takenOver(at.store, 0, boats);
  const { leader: second } = await takenOver(at.store, 0, boats);
  for (const read of [() => readInbox(first), () => readChunk(first, 10)])
    await expect(read()).rejects.toBeInstanceOf(DeposedError);
  expect(await readInbox(second)).toMatchObject({ movedRows: 1 });
});

describe('attach refuses', () => {
  test.each<[string, string, Partial<TableSource>, string]>([
    [
      'a view',
      'create table t (id integer primary key); create view boats as select * from t',
      {},
      'is a view',
    ],
    ['a virtual table', 'create virtual table boats using fts5(id, name, length_m)', {}, 'is a virtual'],
    ['a table that is not there', TABLE, { table: 'ships' }, 'no table main.ships'],
    ['a table of another file', TABLE, { table: 'other.boats' }, "not in the store's file"],
    ['a column that is not there', TABLE, { columns: ['name', 'nome'] }, 'has no column "nome"'],
    ['a key that is not unique', TABLE, { key: 'name' }, 'create unique index'],
    [
      'a key with a partial index',
      `${TABLE}; create unique index i on boats (name) where id > 1`,
      { key: 'name' },
      'create unique index',
    ],
    [
      'a key without a type',
      'create table boats (id primary key, name text, length_m real)',
      {},
      'declared as INTEGER or TEXT',
    ],
    [
      'a unique index over an expression',
      `${TABLE}; create unique index i on boats (lower(name))`,
      {},
      'over an expression',
    ],
    [
      'a row with no key',
      `create table boats (id text primary key, name text, length_m real); insert into boats values (null, 'a', 1)`,
      {},
      'is NULL',
    ],
    ['what the schema cannot hold', TABLE, { columns: ['length_m', 'secret'] }, 'requires "name"'],
  ])('%s', async (_name, ddl, changed, message) => {
    await using at = await setting(ddl);
    await expect(at.attach(changed)).rejects.toMatchObject({
      code: 'attach_refused',
      message: expect.stringContaining(message) as string,
    });
    expect(
      at.app
        .prepare(`select count(*) from sqlite_schema where name like 'rostack%' or name = 'inbox_1'`)
        .pluck()
        .get(),
    ).toBe(0);
  });
});
