import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import { openStore, type ResourceDefinition, type Store, type TableSource } from 'rostack-store';
import { connectPostgres, hasPostgres, postgresSchema, queryPostgres } from 'test-support/postgres';

/** Seven columns, as an application's table of readings may have them. */
export const appReadings: ResourceDefinition = {
  name: 'readings',
  idPointer: '/id',
  schema: {
    type: 'object',
    required: ['id', 'station', 'value', 'amount', 'taken_at', 'note', 'is_valid'],
    properties: {
      id: { type: 'string' },
      station: { type: 'string' },
      value: { type: 'number' },
      amount: { type: 'number' },
      taken_at: { type: 'string', format: 'date-time' },
      note: { type: 'string' },
      is_valid: { type: 'boolean' },
    },
  },
  events: [
    { name: 'reading.created', transition: 'create' },
    { name: 'reading.updated', transition: 'update' },
    { name: 'reading.removed', transition: 'delete' },
  ],
  filterableFields: { '/station': ['eq'] },
  sortableFields: ['/value'],
};

/** A store and an application's schema beside it, gone when it is disposed of. */
export interface AppDatabase extends AsyncDisposable {
  readonly store: Store;
  readonly schema: string;
  readonly client: Client;
  /** Makes a table with so many rows. */
  createTable(name: string, rows: number): Promise<TableSource>;
}

/** Undefined where no PostgreSQL answers. */
export async function appDatabase(): Promise<AppDatabase | undefined> {
  if (!hasPostgres) return undefined;
  await using stack = new AsyncDisposableStack();
  const database = stack.use(postgresSchema());
  const { url, schema } = database;
  const app = `${schema}_app`;
  stack.defer(async () => void (await queryPostgres(`drop schema ${app} cascade`)));
  const client = stack.use(await connectPostgres());
  await client.query(`create schema ${app}`);
  const store = stack.use(await openStore({ url, schema, resources: [appReadings] }));
  const held = stack.move();
  return {
    store,
    schema: app,
    client,
    createTable: async (name, rows) => {
      await client.query(`create table ${app}.${name} (
        id bigint primary key, station text not null, value float8 not null, amount numeric(12,3) not null,
        taken_at timestamptz not null, note text not null, is_valid boolean not null)`);
      await client.query(`insert into ${app}.${name} select i, 'station-' || i % 500, i * 1.5, i * 1.125, now(),
        'a note as long as such notes usually are, number ' || i, true from generate_series(1, ${rows}) i`);
      await client.query(`vacuum analyze ${app}.${name}`);
      return { table: `${app}.${name}`, key: 'id' };
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

/** Waits until a condition holds; what it costs to look is taken from what is measured. */
export async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await delay(20);
}
