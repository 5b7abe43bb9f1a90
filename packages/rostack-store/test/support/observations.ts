import { Client } from 'pg';
import { POSTGRES_URL } from 'test-support/postgres-url';
import type { ResourceDefinition, TableSource } from '../../src/index.ts';
import type { TestDatabase } from './databases.ts';

/** A resource that an application's table feeds: one column is renamed, one is left out. */
export const observations: ResourceDefinition = {
  name: 'observations',
  idPointer: '/id',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['id', 'station', 'revision'],
    properties: {
      id: { type: 'string' },
      station: { type: 'string', maxLength: 100 },
      height: { type: ['number', 'null'] },
      amount: { type: 'number' },
      revision: { type: 'integer' },
    },
  },
  events: [
    { name: 'observation.created', transition: 'create' },
    { name: 'observation.updated', transition: 'update' },
    { name: 'observation.removed', transition: 'delete' },
  ],
  filterableFields: { '/station': ['eq'] },
  sortableFields: ['/revision'],
};

/** The application's side: a schema with one table, gone at the end of the test. */
export interface AppTable extends AsyncDisposable {
  readonly schema: string;
  /** `schema.table`. */
  readonly table: string;
  readonly source: TableSource;
  /** Runs statements as the application. */
  query(text: string): Promise<readonly Record<string, unknown>[]>;
  /** What the records have to be, in the order of their ids. */
  expected(): Promise<readonly (readonly [id: string, record: unknown])[]>;
}

export async function appTable(database: TestDatabase): Promise<AppTable> {
  const schema = `${database.schema}_app`;
  const table = `${schema}.observations`;
  const client = new Client({ connectionString: POSTGRES_URL });
  await client.connect();
  const query = async (text: string) => {
    const results = await client.query<Record<string, unknown>>(text);
    return Array.isArray(results) ? [] : results.rows;
  };
  await query(`create schema ${schema}; create sequence ${schema}.revision;
    create table ${table} (
      id int primary key, station text not null, secret text, height float8, amount numeric(12,3),
      rev bigint not null default nextval('${schema}.revision'))`);
  return {
    schema,
    table,
    source: {
      table,
      key: 'id',
      columns: ['id', 'station', 'height', 'amount', { column: 'rev', member: 'revision' }],
    },
    query,
    expected: async () => {
      const rows = await query(`select id::text, station, height, amount::float8, rev::float8 from ${table}
        order by id::text collate "C"`);
      return rows.map(({ id, station, height, amount, rev }) => [
        String(id),
        { id, station, height, ...(amount !== null && { amount }), revision: rev },
      ]);
    },
    [Symbol.asyncDispose]: async () => {
      await query(`drop schema ${schema} cascade`);
      await client.end();
    },
  };
}

/** Rows of the inbox that are not moved, and what the mover is at. */
export async function backlogOf(
  database: TestDatabase,
  app: AppTable,
): Promise<{ readonly rows: number; readonly phase: string }> {
  const [found] = await app.query(
    `select (select count(*) from ${database.schema}.inbox_1)::int as rows, phase from ${database.schema}.attachment`,
  );
  return found as { rows: number; phase: string };
}
