import { describe, expect, test, vi } from 'vitest';
import { detachTable, type ResourceDefinition, readQuarantine } from '../src/index.ts';
import { recordsOf } from './support/attached.ts';
import { becomes, setting, transitions } from './support/boats.ts';
import { readToHead } from './support/log-states.ts';

// oxlint-disable vitest/expect-expect -- the expectations are in becomes

describe('a table of SQLite that is attached', () => {
  test('is copied, then followed; attaching again changes nothing, detaching leaves nothing behind', async () => {
    await using at = await setting();
    const { app, store } = at;
    app.exec(`insert into boats values (1, 'Ara', 12.5, 'x'), (2, 'Bada', null, 'y')`);
    const before = app.prepare('select name, sql from sqlite_schema order by name').all();
    const report = await at.attach();
    expect(report).toMatchObject({ outcome: 'attached', table: 'main.boats' });
    expect(report.columns).toEqual([
      { column: 'id', type: 'INTEGER', member: 'id' },
      { column: 'name', type: 'TEXT', member: 'name' },
      { column: 'length_m', type: 'REAL', member: 'length' },
    ]);
    expect(await at.attach()).toMatchObject({ outcome: 'unchanged', did: [] });
    const mover = await at.follow();
    await becomes(store, [
      { id: '1', name: 'Ara', length: 12.5 },
      { id: '2', name: 'Bada', length: null },
    ]);
    app.exec(`insert into boats (id, name) values (3, 'Chorok');
      update boats set name = 'Ara 2', secret = 'z' where id = 1; delete from boats where id = 2;
      update boats set id = 4 where id = 3; insert into boats (id, name) values (5, 'gone'); delete from boats where id = 5`);
    await becomes(store, [
      { id: '1', name: 'Ara 2', length: 12.5 },
      { id: '4', name: 'Chorok', length: null },
    ]);
    const { position } = await store.source('boats').head();
    app.exec(`update boats set secret = 'nobody sees this'`);
    await vi.waitFor(() => expect(mover.status[0]?.movedRows).toBeGreaterThan(6));
    await vi.waitFor(() => expect(app.prepare('select count(*) from inbox_1').pluck().get()).toBe(0));
    expect((await store.source('boats').head()).position).toBe(position);
    expect(mover.status[0]?.state).toBe('following');
    await mover.close();
    const { did } = await detachTable(store, 'boats');
    expect(did).toContain('dropped the trigger "rostack_1_insert"');
    expect(app.prepare('select name, sql from sqlite_schema order by name').all()).toEqual(before);
    expect(await recordsOf(store, 'boats')).toHaveLength(2);
  });

  test('what a transaction did is seen at once and as it was left, and a rollback not at all', async () => {
    await using at = await setting();
    const { app, store } = at;
    await at.follow();
    app.exec(`begin; insert into boats (id, name) values (1, 'a'), (2, 'b'); update boats set name = 'c' where id = 1;
      delete from boats where id = 2; commit`);
    await becomes(store, [{ id: '1', name: 'c', length: null }]);
    app.exec(
      `begin; insert into boats (id, name) values (9, 'x'); savepoint s; update boats set name = 'y' where id = 1; rollback`,
    );
    app.exec(`begin; delete from boats; insert into boats (id, name) values (1, 'd'); commit`);
    await becomes(store, [{ id: '1', name: 'd', length: null }]);
    expect(await transitions(store)).toEqual(['create 1', 'update 1']);
  });

  test('a lock that others hold for too long does not divide a transaction', async () => {
    await using at = await setting(undefined, undefined, { writeTimeoutMs: 50 });
    const { app, store } = at;
    const mover = await at.follow();
    const values = Array.from({ length: 8 }, (_, index) => `(${index}, 'x')`);
    app.exec(`insert into boats (id, name) values ${values.join(', ')}`);
    // In the same turn, so that nothing is moved in between.
    app.exec('begin immediate');
    await vi.waitFor(() => expect(mover.status).toMatchObject([{ state: 'failing' }]));
    app.exec('rollback');
    await vi.waitFor(async () => expect(await recordsOf(store, 'boats')).toHaveLength(values.length));
    const tags = (await readToHead(store.source('boats'), 0)).map(({ tag }) => tag);
    expect(new Set(tags).size).toBe(1);
  });

  test.each([
    ['off', 'rowid'],
    ['on', 'rowid'],
    ['off', 'without rowid'],
  ])(
    'rows that replace others are told, with recursive triggers %s, in a table %s',
    async (recursive, kind) => {
      const options = kind === 'rowid' ? '' : 'without rowid';
      await using at = await setting(
        `create table boats (id text not null primary key, name text not null unique, length_m real, a int, b text collate nocase, unique (a, b)) ${options};
      create unique index boats_named on boats (name) where a > 5`,
      );
      const { app, store } = at;
      await at.follow();
      app.pragma(`recursive_triggers = ${recursive}`);
      app.exec(
        `insert into boats values ('1', 'one', 1, 1, 'x'), ('2', 'two', 2, 1, 'y'), ('3', 'three', 3, 2, 'x'), ('4', 'four', 4, 2, 'y')`,
      );
      // Each takes the place of one row by its key, of another by its name, or of a third by a and b.
      app.exec(`insert or replace into boats values ('1', 'two', 5, 9, 'z')`);
      await becomes(store, [
        { id: '1', name: 'two', length: 5 },
        { id: '3', name: 'three', length: 3 },
        { id: '4', name: 'four', length: 4 },
      ]);
      app.exec(`update or replace boats set a = 2, b = 'X' where id = '1'`);
      app.exec(
        `insert into boats values ('4', 'more', 6, 7, 'q') on conflict (id) do update set name = excluded.name`,
      );
      app.exec(`insert or ignore into boats values ('5', 'more', 6, 7, 'q')`);
      await becomes(store, [
        { id: '1', name: 'two', length: 5 },
        { id: '4', name: 'more', length: 4 },
      ]);
    },
  );

  test('a row that replaces one by its rowid, or by its integer primary key, is told', async () => {
    await using at = await setting(
      'create table boats (number integer primary key, id text not null unique, name text not null, length_m real)',
    );
    const { app, store } = at;
    await at.follow();
    app.exec(`insert into boats values (1, 'a', 'one', 1), (2, 'b', 'two', 2)`);
    app.exec(`replace into boats values (1, 'c', 'three', 3)`);
    app.exec(`replace into boats (rowid, id, name) values (2, 'd', 'four')`);
    await becomes(store, [
      { id: 'c', name: 'three', length: 3 },
      { id: 'd', name: 'four', length: null },
    ]);
  });

  test('cascades of foreign keys and triggers of the application are followed', async () => {
    await using at = await setting(`create table owners (id integer primary key);
      create table boats (id integer primary key, name text not null, length_m real, owner int references owners on delete cascade on update set null);
      create trigger longer after update of name on boats begin update boats set length_m = coalesce(length_m, 0) + 1 where id = new.id; end`);
    const { app, store } = at;
    await at.follow();
    app.pragma('foreign_keys = on');
    app.exec(`insert into owners values (1), (2); insert into boats values (1, 'a', 1, 1), (2, 'b', 2, 2);
      update boats set name = 'c' where id = 2; delete from owners where id = 1`);
    await becomes(store, [{ id: '2', name: 'c', length: 3 }]);
  });
});

describe('values of SQLite', () => {
  const values: ResourceDefinition = {
    name: 'boats',
    idPointer: '/id',
    schema: {
      type: 'object',
      properties: {
        id: { type: 'integer' },
        wide: { type: 'string' },
        flag: { type: 'boolean' },
        parts: { type: 'array' },
        price: { type: 'string', format: 'decimal', pattern: '^-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?$' },
        note: { type: 'string' },
        any: {},
      },
    },
  };
  const columns = [
    'wide',
    'flag',
    'parts',
    { column: 'price', as: 'decimal-string' as const },
    'note',
    'any',
  ];

  test('become what the schema wants, or are refused', async () => {
    await using at = await setting(
      'create table boats (id integer primary key, wide int, flag int, parts text, price text, note text, any)',
      values,
    );
    const { app, store, alarms } = at;
    await at.follow({ columns });
    app.exec(`insert into boats values
      (1, 9223372036854775807, 1, '[1,{"a":"한"}]', '12.50', null, x'00ff'),
      (2, -7, 0, '[]', '-0.1', '', 0.1), (3, 1.5, 1, '[]', '3', 'it''s', 9007199254740991),
      (-9007199254740991, 0, 1, '[]', '1', 'x', 1e300)`);
    await becomes(store, [
      { id: -9_007_199_254_740_991, wide: '0', flag: true, parts: [], price: '1', note: 'x', any: 1e300 },
      {
        id: 1,
        wide: '9223372036854775807',
        flag: true,
        parts: [1, { a: '한' }],
        price: '12.50',
        any: 'AP8=',
      },
      { id: 2, wide: '-7', flag: false, parts: [], price: '-0.1', note: '', any: 0.1 },
      { id: 3, wide: '1.5', flag: true, parts: [], price: '3', note: "it's", any: 9_007_199_254_740_991 },
    ]);
    app.exec(`insert into boats (id, any) values (10, 9007199254740993); insert into boats (id, any) values (11, 9e999);
      insert into boats (id, parts) values (12, 'no json'); insert into boats (id, price) values (13, x'01');
      insert into boats (id, flag) values (14, 2); insert into boats (id) values (9007199254740993);
      insert into boats (id, parts) values (15, '[{"n":12345678901234567890}]'), (16, '[{"a":1,"a":2}]')`);
    await vi.waitFor(async () => expect(await readQuarantine(store, 'boats')).toMatchObject({ rows: 8 }));
    const reasons = app.prepare('select id, reason from quarantine order by cast(id as integer)').raw().all();
    expect(reasons).toEqual([
      ['10', expect.stringContaining('/any: has more digits')],
      ['11', expect.stringContaining('/any: is not a finite number')],
      ['12', expect.stringContaining('/parts: is not JSON')],
      ['13', expect.stringContaining('/price: is not a decimal')],
      ['14', expect.stringContaining('/flag')],
      ['15', expect.stringContaining('/parts: in its JSON, /0/n has more digits')],
      ['16', expect.stringContaining('/parts: in its JSON, /0/a is repeated')],
      ['9007199254740993', expect.stringContaining('/id: is not from')],
    ]);
    // Reported after the rows are stored.
    await vi.waitFor(() => expect(alarms.map(({ code }) => code)).toContain('rows_quarantined'));
    app.exec(
      `update boats set any = 1 where id = 10; update boats set price = '1' where id = 13; delete from boats where id > 10 and id <> 13`,
    );
    await vi.waitFor(async () => expect(await readQuarantine(store, 'boats')).toMatchObject({ rows: 0 }));
    expect(await recordsOf(store, 'boats')).toHaveLength(6);
  });
});

describe('keys of SQLite', () => {
  test.each([
    ['text', 'id text primary key', `'a,b~c'`, 'a,b~c'],
    ['text that compares without case', 'id text collate nocase primary key', `'Ab'`, 'Ab'],
    [
      'a varchar of a table without rowid',
      'id varchar(9) not null unique, other int primary key',
      `'x'`,
      'x',
    ],
    ['a bigint', 'id bigint not null primary key', '9223372036854775807', '9223372036854775807'],
  ])('%s', async (_name, column, literal, id) => {
    await using at = await setting(`create table boats (${column}, name text, length_m real)`);
    const { app, store } = at;
    await at.follow();
    app.exec(`insert into boats (id, name) values (${literal}, 'n')`);
    await becomes(store, [{ id, name: 'n', length: null }]);
    app.exec(`update boats set name = 'm' where id = ${literal}`);
    await becomes(store, [{ id, name: 'm', length: null }]);
    if (/^[A-Z]/.test(id)) {
      // The same key to SQLite, another id.
      app.exec(`update boats set id = upper(id)`);
      await becomes(store, [{ id: id.toUpperCase(), name: 'm', length: null }]);
      app.exec(`replace into boats (id, name) values ('${id.toLowerCase()}', 'r')`);
      await becomes(store, [{ id: id.toLowerCase(), name: 'r', length: null }]);
    }
    app.exec('delete from boats');
    await becomes(store, []);
  });

  test('several columns become one id, from the first copy to the last deletion', async () => {
    await using at = await setting(
      'create table boats (harbour text not null, number int not null, name text, length_m real, primary key (harbour, number)) without rowid',
    );
    const { app, store } = at;
    const insert = app.prepare('insert into boats (harbour, number, name) values (?, ?, ?)');
    app.transaction(() => {
      for (let number = 0; number < 250; number += 1)
        insert.run(number % 2 === 0 ? 'a,b' : 'c~', number, 'x');
    })();
    const key = ['harbour', 'number'];
    await at.follow({ key });
    const ids = async () => (await recordsOf(store, 'boats')).map(([id]) => id);
    expect(await ids()).toHaveLength(250);
    expect(await ids()).toContain('a~1b,248');
    app.exec(
      `update boats set number = number + 1000 where harbour = 'c~'; delete from boats where harbour = 'a,b' and number > 4`,
    );
    await vi.waitFor(async () => expect(await ids()).toHaveLength(128));
    expect(await ids()).toEqual(expect.arrayContaining(['a~1b,4', 'c~0,1249']));
    app.exec('delete from boats');
    await becomes(store, []);
  });

  test('a key that is stored otherwise than its column says is in quarantine', async () => {
    await using at = await setting('create table boats (id int primary key, name text, length_m real)');
    const { app, store } = at;
    await at.follow();
    app.exec(
      `insert into boats (id, name) values (1, 'a'), ('b', 'b'), (null, 'c'), (x'31', 'd'), (1.5, 'e')`,
    );
    await vi.waitFor(async () => expect(await readQuarantine(store, 'boats')).toMatchObject({ rows: 4 }));
    expect(await recordsOf(store, 'boats')).toEqual([['1', { id: '1', name: 'a', length: null }]]);
    await expect(at.attach({ columns: ['name'] })).rejects.toThrow('stored otherwise');
  });
});
