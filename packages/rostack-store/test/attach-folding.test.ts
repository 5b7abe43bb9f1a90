import { describePostgres } from 'test-support/postgres';
import { expect, test, vi } from 'vitest';
import { attachTable, startMover } from '../src/index.ts';
import { following, QUICK, recordsOf } from './support/attached.ts';
import { postgres } from './support/databases.ts';
import { noted } from './support/key-cases.ts';
import { appTable } from './support/observations.ts';

/** Each changes nothing but the case of keys, which the collation of the column does not see. */
const statements: readonly (readonly [name: string, statements: string])[] = [
  ['one row', `update T set k = 'K1' where k = 'k1'`],
  ['many rows', `update T set k = upper(k) where n < 100`],
  ['more rows than a piece has', `update T set k = upper(k)`],
  ['there and back', `begin; update T set k = upper(k); update T set k = lower(k) where n % 2 = 0; commit`],
  [
    'a deletion and an insertion',
    `begin; delete from T where k = 'K1'; insert into T values ('K1', 1); commit`,
  ],
  [
    'on conflict',
    `insert into T values ('K1', 1), ('K600', 600) on conflict (CONFLICT) do update set k = excluded.k, note = 'y'`,
  ],
  [
    'keys that move on',
    `begin; update T set k = 'x', n = 0 where k = 'k1'; update T set k = 'K1', n = 1 where k = 'k2'; commit`,
  ],
  [
    'a trigger of the application',
    `create function S.back() returns trigger language plpgsql as $$ begin
      update T set k = lower(k), note = 'b' where k = new.k and new.n < 3 and k collate "C" <> lower(k) collate "C"; return null; end $$;
    create trigger back after update on T for each row execute function S.back(); alter table T enable always trigger back;
    update T set k = upper(k) where n < 5`,
  ],
];

const keys = [
  ['k', 'k'],
  [['k', 'n'], 'k, n'],
] as const;

describePostgres('keys whose collation takes capital letters for small ones', () => {
  for (const role of ['origin', 'replica']) {
    test.each(
      keys.flatMap(([key, names]) => statements.map(([name, text]) => [names, name, key, text] as const)),
    )(`${role}: %s: %s`, async (names, _name, key, text) => {
      await using database = postgres();
      await using app = await appTable(database);
      const { schema } = app;
      const table = `${schema}.keyed`;
      const named = (sql: string) =>
        sql.replaceAll(/\bS\b/g, schema).replaceAll(/\bT\b/g, table).replace('CONFLICT', names);
      await app.query(`create collation ${schema}.folding (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
          create table ${table} (k text collate ${schema}.folding, n int, note text not null default 'x', primary key (${names}));
          insert into ${table} select 'k' || n, n from generate_series(1, 500) n`);
      await using store = await database.open({ resources: [noted] });
      const source = { table, key, columns: ['note'] };
      await attachTable(store, 'observations', source);
      const copied = startMover(store, { observations: source }, QUICK);
      await following(copied);
      await copied.close();

      await app.query(`set session_replication_role = ${role}`);
      await app.query(named(text));
      expect(await app.query(`select distinct kind from ${database.schema}.inbox_1`)).toEqual([
        { kind: 'w' },
      ]);
      await using mover = startMover(store, { observations: source }, QUICK);
      await following(mover);
      const id = names === 'k' ? 'k' : `k || ',' || n`;
      const rows = await app.query(`select ${id} as id, note from ${table} order by (${id}) collate "C"`);
      await vi.waitFor(async () => {
        expect(await recordsOf(store)).toEqual(rows.map((row) => [row['id'], row]));
      });
    });
  }
});
