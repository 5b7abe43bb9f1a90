import { expect, test } from 'vitest';
import {
  AttachRefusedError,
  attachTable,
  StoreOptionsError,
  startMover,
  type TableSource,
} from '../src/index.ts';
import { describePostgres, postgres, sqliteFile } from './support/databases.ts';
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
    ['', { columns: ['station'] }, 'the schema requires "revision", but no column gives it'],
    ['', { columns: undefined }, 'the schema has no "secret": add it, or choose columns without secret'],
    ['', { columns: ['station', { column: 'station', member: 'revision' }] }, 'wants integer'],
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
    ['alter table T add k int unique', { key: 'k', columns: ['station'] }, 'not null'],
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

  test('a store over SQLite, and a resource that the store does not have', async () => {
    await using file = sqliteFile();
    await using sqlite = await file.open({ resources: [observations] });
    const source = { table: 'observations', key: 'id' };
    await expect(attachTable(sqlite, 'observations', source)).rejects.toBeInstanceOf(StoreOptionsError);
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
