import { describePostgres } from 'test-support/postgres';
import { expect, test } from 'vitest';
import {
  AttachRefusedError,
  attachTable,
  StoreOptionsError,
  startMover,
  type TableSource,
} from '../src/index.ts';
import { postgres } from './support/databases.ts';
import { appTable, observations } from './support/observations.ts';

describePostgres('what cannot be attached', () => {
  const refusals: readonly (readonly [string, Partial<TableSource>, string])[] = [
    ['', { table: 'nowhere.observations' }, 'there is no table nowhere.observations'],
    ['', { table: 'a.b.c' }, 'is not schema.table'],
    ['', { key: 'ident', columns: ['amount'] }, 'has no column "ident"; its columns: id, station'],
    ['', { key: 'station', columns: ['amount'] }, 'has to be its primary key'],
    ['', { key: 'height', columns: ['amount'] }, 'is double precision: use a column of int2, int4'],
    ['', { columns: ['station', 'weight'] }, 'has no column "weight"'],
    ['', { columns: ['station', { column: 'secret', member: 'station' }] }, 'become the member "station"'],
    ['', { columns: ['station'] }, 'the schema requires "revision", but no column provides it'],
    ['', { columns: undefined }, 'the schema has no "secret": add it, or choose columns without secret'],
    ['', { columns: ['station', { column: 'station', member: 'revision' }] }, 'wants integer'],
    [
      '',
      { columns: ['station', { column: 'amount', as: 'decimal-string' }] },
      'the column amount is to be a decimal-string, but the schema does not declare one for the member "amount"',
    ],
    ['alter table T add p point', { columns: ['p'] }, 'which no record can hold'],
    ['alter table T add p timestamptz[]', { columns: ['p'] }, 'which no record can hold'],
    ['create view S.seen as select * from T', { table: 'S.seen' }, 'is a view: attach the table behind it'],
    [
      'create table S.seen (id int primary key) partition by range (id)',
      { table: 'S.seen' },
      'is partitioned',
    ],
    ['create unlogged table S.seen (id int primary key)', { table: 'S.seen' }, 'is unlogged'],
    ['create table S.child () inherits (T)', {}, 'has tables that inherit from it'],
    [
      'alter table T add k int not null unique deferrable',
      { key: 'k', columns: ['station'] },
      'not deferrable',
    ],
    [
      'alter table T add k int unique',
      { key: 'k', columns: ['station'] },
      'alter "k" set not null; create unique',
    ],
    [
      'create table S.seen (a int, b int, primary key (b, a) deferrable)',
      { table: 'S.seen', key: ['a', 'b'], columns: [] },
      'primary key (it is (b, a))',
    ],
    [
      'create table S.seen (a int, b int, primary key (a, b)); create unique index on S.seen (b, a desc)',
      { table: 'S.seen', key: ['b', 'a'], columns: [] },
      'create unique index on',
    ],
    [
      'create table S.seen (k text not null); create unique index on S.seen (k collate "und-x-icu")',
      { table: 'S.seen', key: 'k', columns: [] },
      "in the columns' own collations",
    ],
    [
      'create table S.seen (k text not null); create unique index on S.seen (k) where k > $$a$$; create unique index on S.seen (lower(k))',
      { table: 'S.seen', key: 'k', columns: [] },
      'it has none',
    ],
    ['create table S.seen (k int, unique (k))', { table: 'S.seen', key: 'k', columns: [] }, 'set not null'],
    [
      'alter table T add n numeric not null unique',
      { key: 'n', columns: ['station'] },
      'use a column of numeric(n, 0)',
    ],
    [
      'alter table T add n numeric(9, 2) not null unique',
      { key: 'n', columns: ['station'] },
      'is numeric(9,2), which may have digits',
    ],
    [
      'alter table T add n bool not null unique',
      { key: 'n', columns: ['station'] },
      'is boolean: use a column of int2',
    ],
    [
      'alter table T add n interval not null unique',
      { key: 'n', columns: ['station'] },
      'is interval: use a column of int2',
    ],
    [
      'alter table T add n int[] not null unique',
      { key: 'n', columns: ['station'] },
      'is integer[]: use a column of int2',
    ],
    ['', { key: ['station', 'id'], columns: ['id'] }, 'become the member "id"'],
    ['', { key: [] }, 'the key has 1 to 32 columns'],
    ['', { key: ['id', 'id'] }, 'the key has the column "id" twice'],
    ['', { table: 'public.my table' }, 'in double quotes'],
    ['', { table: '"public".""' }, 'in double quotes'],
  ];

  test.each(refusals)('%s %j: %s', async (statement, source, message) => {
    await using database = postgres();
    await using app = await appTable(database);
    const named = (text: string) => text.replaceAll(/\bT\b/g, app.table).replaceAll(/\bS\b/g, app.schema);
    if (statement !== '') await app.query(named(statement));
    await using store = await database.open({ resources: [observations] });
    const whole = { ...app.source, ...source };
    const failure = await attachTable(store, 'observations', { ...whole, table: named(whole.table) }).catch(
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(AttachRefusedError);
    expect(failure).toMatchObject({ code: 'attach_refused', message: expect.stringContaining(message) });
    expect(await app.query(`select * from ${database.schema}.attachment`)).toEqual([]);
  });

  test('a resource that the store does not have', async () => {
    const source = { table: 'observations', key: 'id' };
    await using database = postgres();
    await using store = await database.open({ resources: [observations] });
    await expect(attachTable(store, 'stations', source)).rejects.toBeInstanceOf(StoreOptionsError);
    expect(() => startMover(store, { stations: source })).toThrow(StoreOptionsError);
  });

  test('a resource with two events for one transition', async () => {
    await using database = postgres();
    await using app = await appTable(database);
    const events = [
      ...(observations.events ?? []),
      { name: 'observation.begun', transition: 'create' as const },
    ];
    await using store = await database.open({ resources: [{ ...observations, events }] });
    await expect(attachTable(store, 'observations', app.source)).rejects.toThrow(
      'several are declared for create',
    );
  });
});
