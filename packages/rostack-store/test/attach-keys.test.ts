import { Client } from 'pg';
import { describePostgres, POSTGRES_URL } from 'test-support/postgres';
import { expect, test, vi } from 'vitest';
import { attachTable, detachTable, type ResourceDefinition, type Store, startMover } from '../src/index.ts';
import { following, QUICK, recordsOf } from './support/attached.ts';
import { postgres } from './support/databases.ts';
import { KEY_CASES, noted } from './support/key-cases.ts';
import { type AppTable, appTable } from './support/observations.ts';

/** Settings of a writer that change how PostgreSQL writes and reads dates and times. */
const HOSTILE = `set timezone = 'America/St_Johns'; set datestyle = 'German, DMY'; set search_path = pg_catalog`;

/** The same with a day that is a member. */
const dated: ResourceDefinition = {
  ...noted,
  schema: {
    type: 'object',
    required: ['id', 'note'],
    properties: { id: { type: 'string' }, day: { type: 'string', format: 'date' }, note: { type: 'string' } },
  },
};

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
        await writer.query(`${add(1)} ${remove(1)} ${add(1)} update ${keyed} set note = 'y' ${where(1)}`);
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

  test('another key of the same table: ids change, listed columns of it are members, and detach leaves nothing', async () => {
    await using database = postgres();
    await using app = await appTable(database);
    const table = `${app.schema}.keyed`;
    await app.query(`create table ${table} (n int unique not null, station text, day date, primary key (station, day),
      note text generated always as (station || n) stored)`);
    await app.query(
      `insert into ${table} select n, 's' || n % 7, date '2026-01-01' + n from generate_series(1, 250) n`,
    );
    await using store = await database.open({ resources: [dated] });
    const byNumber = { table, key: 'n', columns: ['note'] };
    await attachTable(store, 'observations', byNumber);
    await using first = startMover(store, { observations: byNumber }, QUICK);
    await following(first);
    expect(await recordsOf(store)).toContainEqual(['250', { id: '250', note: 's5250' }]);
    await first.close();

    const byBoth = { table, key: ['station', 'day'], columns: ['day', 'note'] };
    expect(await attachTable(store, 'observations', byBoth)).toMatchObject({ outcome: 'changed' });
    await using second = startMover(store, { observations: byBoth }, QUICK);
    await following(second);
    await app.query(`update ${table} set n = n + 1000, day = day + 1 where n <= 3`);
    const expected = await app.query(`select station || ',' || day as id, day::text, note from ${table}
      order by (station || ',' || day) collate "C"`);
    await vi.waitFor(async () => {
      expect(await recordsOf(store)).toEqual(expected.map((record) => [record['id'], record]));
    });
    await second.close();

    await detachTable(store, 'observations');
    const left = `select typname from pg_type where typnamespace = '${database.schema}'::regnamespace and typname ~ '^_*(key|row|inbox)_1$'
      union all select proname from pg_proc where pronamespace = '${database.schema}'::regnamespace`;
    expect(await app.query(left)).toEqual([]);
  });
});

async function equals(store: Store, rows: readonly (readonly [string | undefined, string])[]): Promise<void> {
  const expected = rows.map(([id, note]) => [id, { id, note }]);
  await vi.waitFor(async () => {
    const records = await recordsOf(store);
    expect(new Map(records.map(([id, record]) => [id, record]))).toEqual(
      new Map(expected as [string, unknown][]),
    );
  });
}

/** The triggers told of each change, and none of them asked for the table to be read again. */
async function expectCaptured(schema: string, app: AppTable): Promise<void> {
  const kinds = await app.query(`select distinct kind from ${schema}.inbox_1`);
  expect(kinds).toEqual([{ kind: 'w' }]);
}
