import { describePostgres } from 'test-support/postgres';
import { expect, test, vi } from 'vitest';
import { readChunk } from '../src/attach/postgres/read/read-table.ts';
import type { PostgresDatabase } from '../src/drivers/postgres/database.ts';
import { attachTable, type TableSource } from '../src/index.ts';
import { postgres } from './support/databases.ts';
import { noted } from './support/key-cases.ts';
import { type AppTable, appTable } from './support/observations.ts';
import { takenOver } from './support/taken-over.ts';

const ROWS = 100_000;
const CHUNK = 500;

/** Columns of the key, its values for the row `n`, an id in the middle. */
const tables: Readonly<
  Record<string, readonly [columns: string, key: TableSource['key'], values: string, id: string]>
> = {
  'a text in a folding collation': ['k text collate S.folding primary key', 'k', `'k' || n`, 'k5'],
  'a varchar': ['k varchar(9) primary key', 'k', `'k' || n`, 'k5'],
  'a char': ['k char(9) primary key', 'k', `'k' || n`, 'k5'],
  'a domain over timestamptz': [
    'k S.moment primary key',
    'k',
    `timestamptz '2026-01-01 00:00Z' + interval '1s' * n`,
    '2026-01-01T13:00:00Z',
  ],
  'a numeric': ['k numeric(9) primary key', 'k', 'n', '50000'],
  'a folded text and a date': [
    'a text collate S.folding, b date, primary key (a, b)',
    ['a', 'b'],
    `'k' || n % 100, date '2026-01-01' + n / 100`,
    'k5,2027-06-01',
  ],
  'two columns, descending': [
    'a S.moment not null, b varchar(9) not null',
    ['a', 'b'],
    `timestamptz '2026-01-01Z' + interval '1s' * (n / 9), 'k' || n`,
    '2026-01-01T01:00:00Z,k32400',
  ],
};

/** What is read, and what is run before. Without statistics a sweep may take one look at all rows for cheaper. */
const READS = [
  ['select', 'load', 'start'],
  ['select', 'load', 'middle'],
  ['analyze', 'load', 'middle'],
  ['select', 'sweep', 'start'],
] as const;

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

interface Explained {
  readonly 'QUERY PLAN': readonly { readonly Plan: PlanNode }[];
}

/** Rows of the application's table that a plan went through. */
function rowsRead(node: PlanNode): number {
  const own =
    node['Relation Name'] === 'keyed'
      ? (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
      : 0;
  return (node.Plans ?? []).reduce((sum, child) => sum + rowsRead(child), own);
}

/** Runs what asks for the table as EXPLAIN, and notes how many rows that read. */
function explaining(database: PostgresDatabase): number[] {
  const read: number[] = [];
  const query = database.queryWith.bind(database);
  vi.spyOn(database, 'queryWith').mockImplementation(async (queries, settings) => {
    const [asked, ...others] = queries;
    if (asked?.sql.includes('"keyed"') !== true) return query(queries, settings);
    const explain = { ...asked, sql: `explain (analyze, timing off, format json) ${asked.sql}` };
    const [rows = [], ...rest] = await query([explain, ...others], settings);
    for (const row of rows as unknown as readonly Explained[])
      read.push(...row['QUERY PLAN'].map(({ Plan }) => rowsRead(Plan)));
    return [[], ...rest];
  });
  return read;
}

describePostgres('plans over a hundred thousand rows', () => {
  test.each(Object.entries(tables))('%s', async (_name, [columns, key, values, place]) => {
    await using database = postgres();
    await using app = await appTable(database);
    const names = typeof key === 'string' ? key : key.join(', ');
    const table = `${app.schema}.keyed`;
    await prepare(app, columns, names, values);
    await using store = await database.open({ resources: [noted] });
    await store.apply(
      [...Array(CHUNK).keys()].map((n) => ({
        resource: 'observations',
        op: 'put',
        record: { id: n % 2 === 0 ? `${place}${n}` : `${n}`, note: 'old' },
      })),
    );
    await attachTable(store, 'observations', { table, key, columns: ['note'] });
    const { leader, internals } = await takenOver(store, 0, noted);

    const read = explaining(internals as PostgresDatabase);
    for (const [statement, phase, at] of READS) {
      await app.query(statement === 'analyze' ? `analyze ${table}` : statement);
      const attachment = { ...leader.attachment, phase, place: at === 'start' ? null : place };
      await readChunk({ ...leader, attachment }, CHUNK);
    }
    expect(read.slice(0, 3)).toEqual([CHUNK, CHUNK, CHUNK]);
    expect(read[3]).toBeLessThanOrEqual(CHUNK);

    // A key that changes is looked up by the triggers, within the transaction that these counters tell of.
    await app.query(`begin; set local enable_seqscan = on`);
    await app.query(
      `update ${table} set note = 'y' where (${names}) = (select ${names} from ${table} order by ${names} limit 1 offset 700)`,
    );
    await app.query(
      `delete from ${table} where (${names}) in (select ${names} from ${table} order by ${names} limit 100)`,
    );
    const counted = `select seq_scan from pg_stat_xact_user_tables where relid = '${table}'::regclass`;
    const before = await app.query(counted);
    await app.query(
      `update ${table} set (${names}) = (select ${values} from (values (${ROWS} + 7)) as s (n)) where (${names}) = (select ${names} from ${table} order by ${names} limit 1)`,
    );
    expect(await app.query(counted)).toEqual(before);
    await app.query('commit');
    expect(await app.query(`select distinct kind from ${database.schema}.inbox_1`)).toEqual([{ kind: 'w' }]);
  });
});

async function prepare(app: AppTable, columns: string, names: string, values: string): Promise<void> {
  const { schema } = app;
  await app.query(`create collation ${schema}.folding (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
    create domain ${schema}.moment as timestamptz;
    create table ${schema}.keyed (note text not null default 'x', ${columns.replaceAll(/\bS\b/g, schema)});
    insert into ${schema}.keyed (${names}) select ${values} from generate_series(1, ${ROWS}) n`);
  if (!columns.includes('primary key')) {
    await app.query(`create unique index on ${schema}.keyed (${names.replaceAll(/\w+/g, '$& desc')})`);
  }
}
