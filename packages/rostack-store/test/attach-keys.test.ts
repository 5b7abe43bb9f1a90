import { Client } from 'pg';
import { expect, test, vi } from 'vitest';
import { attachTable, type Store, startMover } from '../src/index.ts';
import { following, QUICK, recordsOf } from './support/attached.ts';
import { describePostgres, POSTGRES_URL, postgres } from './support/databases.ts';
import { KEY_CASES, noted } from './support/key-cases.ts';
import { type AppTable, appTable } from './support/observations.ts';

/** Settings of a writer that change how PostgreSQL writes and reads dates and times. */
const HOSTILE = `set timezone = 'America/St_Johns'; set datestyle = 'German, DMY'; set search_path = pg_catalog`;

describePostgres('keys of attached tables', () => {
  test.each(Object.entries(KEY_CASES))(
    '%s',
    async (_name, { before, columns, table = 'S.keyed', create, ...rest }) => {
      await using database = postgres();
      await using app = await appTable(database);
      const named = (text: string) => text.replaceAll(/\bS\b/gu, () => app.schema);
      const { key = 'k', rows } = rest;
      const names = rest.names ?? (typeof key === 'string' ? key : key.join(', '));
      const keyed = named(table);
      if (before !== undefined) await app.query(named(before));
      const made = create ?? `create table ${table} (note text not null default 'x', gone int, ${columns})`;
      await app.query(named(made));
      if (create === undefined) await app.query(`alter table ${keyed} drop gone`);
      if (columns.startsWith('a text')) await app.query(`create unique index on ${keyed} (a desc, b desc)`);
      const source = { table: keyed, key, columns: ['note'] };
      const ids = rows.map(([, id]) => id);
      const only = (...indexes: number[]) => indexes.map((index) => [ids[index], 'x'] as const);
      const add = (index: number) => `insert into ${keyed} (${names}) values (${rows[index]?.[0]});`;
      const where = (index: number) => `where (${names}) = (${rows[index]?.[0]})`;
      const become = (from: number, to: number) =>
        `update ${keyed} set (${names}) = row(${rows[to]?.[0]}) ${where(from)};`;
      const remove = (index: number) => `delete from ${keyed} ${where(index)};`;

      await app.query(add(0) + add(1));
      await using store = await database.open({ resources: [noted] });
      await attachTable(store, 'observations', source);
      const writer = new Client({ connectionString: POSTGRES_URL });
      await writer.connect();
      try {
        await writer.query(HOSTILE);
        await using first = startMover(store, { observations: source }, QUICK);
        await following(first);
        await equals(store, only(0, 1));
        await writer.query(add(2));
        await equals(store, only(0, 1, 2));
        await writer.query(become(2, 3));
        await equals(store, only(0, 1, 3));
        await writer.query(remove(0));
        await equals(store, only(1, 3));
        await first.close();

        await writer.query(become(3, 2));
        await writer.query(become(1, 0));
        await writer.query(`${add(1)} update ${keyed} set note = 'y' ${where(1)}`);
        await expectCaptured(database.schema, app);
        expect(await attachTable(store, 'observations', source)).toMatchObject({ outcome: 'unchanged' });
        await using second = startMover(store, { observations: source }, QUICK);
        await equals(store, [...only(0, 2), [ids[1], 'y']]);
        await writer.query(`set session_replication_role = replica`);
        await writer.query(`begin; ${remove(1)} ${become(2, 3)} ${add(1)} commit`);
        await equals(store, only(0, 1, 3));
        await writer.query(become(3, 2));
        await equals(store, only(0, 1, 2));
        await writer.query('reset session_replication_role');
        await writer.query(`truncate ${keyed}; ${add(3)}`);
        await equals(store, only(3));
        expect(second.status).toMatchObject([{ state: 'following', refusedRows: 0 }]);
      } finally {
        await writer.end();
        if (table !== 'S.keyed') await app.query(`drop table ${keyed}`);
        if (before?.includes('schema') === true) await app.query(named(before).replace('create', 'drop'));
      }
    },
  );
});

async function equals(store: Store, rows: readonly (readonly [string | undefined, string])[]): Promise<void> {
  const expected = rows.map(([id, note]) => [id, { id, note }]);
  await vi.waitFor(
    async () => {
      const records = await recordsOf(store);
      expect(new Map(records.map(([id, record]) => [id, record]))).toEqual(
        new Map(expected as [string, unknown][]),
      );
    },
    { timeout: 10_000 },
  );
}

/** The triggers told of each change, and none of them asked for the table to be read again. */
async function expectCaptured(schema: string, app: AppTable): Promise<void> {
  const kinds = await app.query(`select distinct kind from ${schema}.inbox_1`);
  expect(kinds).toEqual([{ kind: 'w' }]);
}
