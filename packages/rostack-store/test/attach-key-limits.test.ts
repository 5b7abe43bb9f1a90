import { describePostgres } from 'test-support/postgres';
import { expect, test, vi } from 'vitest';
import { attachTable, startMover, type TableSource } from '../src/index.ts';
import { following, QUICK, recordsOf } from './support/attached.ts';
import { postgres } from './support/databases.ts';
import { KEY_CASES, type KeyRow, noted } from './support/key-cases.ts';
import { appTable } from './support/observations.ts';

/** Keys of the types that no id can say, and the ids under which quarantine knows them. */
const refused: readonly (readonly [columns: string, key: TableSource['key'], values: readonly KeyRow[]])[] = [
  [
    'k date primary key',
    'k',
    [
      [`'-infinity'`, '-infinity'],
      [`'infinity'`, 'infinity'],
      [`'0044-03-15 BC'`, '0044-03-15 BC'],
      [`'10000-01-01'`, '10000-01-01'],
    ],
  ],
  [
    'k timestamptz primary key',
    'k',
    [
      [`'-infinity'`, '-infinityZ'],
      [`'infinity'`, 'infinityZ'],
      [`'0044-03-15 00:00:00+00 BC'`, '0044-03-15T00:00:00 BCZ'],
    ],
  ],
  ['k numeric(9) primary key', 'k', [[`'NaN'`, 'NaN']]],
  [
    'k text primary key',
    'k',
    [
      [`'.'`, '.'],
      [`'..'`, '..'],
    ],
  ],
  [
    'a text, b date, primary key (a, b)',
    ['a', 'b'],
    [
      [`'x', 'infinity'`, 'x,infinity'],
      [`'x,', '0044-03-15 BC'`, 'x~1,0044-03-15 BC'],
    ],
  ],
];

/** A hundred rows in front of those that fit: the first chunk of the copy ends with one that no id can say. */
const BOUNDARIES: Readonly<Record<string, string>> = {
  'date primary key': `select date '0200-01-01 BC' + n from generate_series(1, 100) n`,
  'timestamptz primary key': `select timestamptz '0200-01-01 00:00:00+00 BC' + interval '1.5s' * n from generate_series(1, 100) n`,
  'numeric(9) primary key': 'select n from generate_series(1, 100) n',
};

/** Kinds of keys whose ids are read as values when records without a row are looked for. */
const PARSED = new Set([
  'bigint',
  'uuid',
  'date',
  'timestamptz',
  'timestamp',
  'numeric without a fraction',
  'a station and a day',
  'all kinds of columns',
]);

/** Records that were there before the table was attached, with ids that are no keys of it. */
const FOREIGN_IDS = [
  'x',
  '2026-02-30',
  '0000-01-01',
  '2026-02-28T24:00:00Z',
  '2026-02-28T12:00:60Z',
  '2026-02-28T12:00:00.10Z',
  '99999999999999999999',
  '-0',
  '01',
  '1e3',
  'NaN',
  'infinity',
  ',',
  'a,b',
  'a,2026-02-30',
  '~2,2026-02-28',
  'a,2026-02-28,',
  'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11',
  '1234567890'.repeat(51),
];

describePostgres('what no key of a table can be', () => {
  test.each(refused)(
    '%s: rows that no id can say are in quarantine until they are others',
    async (columns, key, rows) => {
      await using database = postgres();
      await using app = await appTable(database);
      const table = `${app.schema}.keyed`;
      const names = typeof key === 'string' ? key : key.join(', ');
      await app.query(`create table ${table} (note text not null default 'x', ${columns})`);
      const boundary = BOUNDARIES[columns.slice(2)];
      if (boundary !== undefined) await app.query(`insert into ${table} (k) ${boundary}`);
      const [[first] = [''], ...others] = rows;
      await app.query(`insert into ${table} (${names}) values (${first})`);
      await using store = await database.open({ resources: [noted] });
      const source = { table, key, columns: ['note'] };
      await attachTable(store, 'observations', source);
      await using mover = startMover(store, { observations: source }, QUICK);
      await following(mover);
      for (const [values] of others) await app.query(`insert into ${table} (${names}) values (${values})`);
      const quarantine = () =>
        app.query(
          `select regexp_replace(id, '[.]{3} [0-9a-f]{64}$', '') as id, reason from ${database.schema}.quarantine where id not like '0200-%' and id not like '0199-%' order by id`,
        );
      const ids = rows.map(([, id]) => ({ id, reason: expect.stringContaining('/id: ') as unknown }));
      await vi.waitFor(async () => {
        expect(await quarantine()).toEqual(ids.sort((a, b) => (a.id < b.id ? -1 : 1)));
      });
      const accepted = (await recordsOf(store)).length;
      expect(accepted).toBe(columns.startsWith('k numeric') ? 100 : 0);
      await app.query(`truncate ${table}`);
      await vi.waitFor(async () => {
        expect([await quarantine(), await recordsOf(store)]).toEqual([[], []]);
      });
    },
  );

  test('a record goes whose id is equal to a key for the server alone', async () => {
    await using database = postgres();
    await using app = await appTable(database);
    const { schema } = app;
    await app.query(`create collation ${schema}.folding (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
      create table ${schema}.blank (note text not null default 'x', k char(4) primary key); insert into ${schema}.blank (k) values ('a');
      create table ${schema}.folded (note text not null default 'x', k text collate ${schema}.folding primary key); insert into ${schema}.folded (k) values ('a')`);
    for (const name of ['blank', 'folded']) {
      await using own = postgres();
      await using store = await own.open({ resources: [noted] });
      const ids = ['a', 'a ', 'A'];
      await store.apply(
        ids.map((id) => ({ resource: 'observations', op: 'put', record: { id, note: 'x' } })),
      );
      const source = { table: `${schema}.${name}`, key: 'k', columns: ['note'] };
      await attachTable(store, 'observations', source);
      await using mover = startMover(store, { observations: source }, QUICK);
      await following(mover);
      expect((await recordsOf(store)).map(([id]) => id)).toEqual(['a']);
    }
  });

  test.each(Object.entries(KEY_CASES).filter(([name]) => PARSED.has(name)))(
    '%s: records of before go, whatever their ids are',
    async (_name, { columns, key = 'k' }) => {
      await using database = postgres();
      await using app = await appTable(database);
      const table = `${app.schema}.keyed`;
      await app.query(`create table ${table} (note text not null default 'x', ${columns})`);
      await using store = await database.open({ resources: [noted] });
      await store.apply(
        FOREIGN_IDS.map((id) => ({ resource: 'observations', op: 'put', record: { id, note: 'old' } })),
      );
      const source = { table, key, columns: ['note'] };
      await attachTable(store, 'observations', source);
      await using mover = startMover(store, { observations: source }, QUICK);
      await following(mover);
      expect(await recordsOf(store)).toEqual([]);
    },
  );
});
