import Sqlite from 'better-sqlite3';
import type { JsonObject } from 'rostack-core';
import { expect, vi } from 'vitest';
import {
  type AttachReport,
  attachTable,
  type Mover,
  type ResourceDefinition,
  type Store,
  type StoreAlarm,
  startMover,
  type TableSource,
} from '../../src/index.ts';
import { following, QUICK, recordsOf } from './attached.ts';
import { type OpenOptions, sqliteFile, type TestDatabase } from './databases.ts';
import { readToHead } from './log-states.ts';

export const boats: ResourceDefinition = {
  name: 'boats',
  idPointer: '/id',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['id', 'name'],
    properties: {
      id: { type: 'string' },
      name: { type: 'string', maxLength: 20 },
      length: { type: ['number', 'null'] },
    },
  },
  events: [
    { name: 'boat.made', transition: 'create' },
    { name: 'boat.changed', transition: 'update' },
    { name: 'boat.gone', transition: 'delete' },
  ],
};
export const source: TableSource = {
  table: 'boats',
  key: 'id',
  columns: ['name', { column: 'length_m', member: 'length' }],
};
export const TABLE =
  'create table boats (id integer primary key, name text not null, length_m real, secret text)';

export interface Setting extends AsyncDisposable {
  readonly database: TestDatabase;
  readonly app: Sqlite.Database;
  readonly store: Store;
  readonly alarms: StoreAlarm[];
  attach(changed?: Partial<TableSource>): Promise<AttachReport>;
  follow(changed?: Partial<TableSource>): Promise<Mover>;
}

/** An application with a table in the store's file. */
export async function setting(
  ddl = TABLE,
  definition: ResourceDefinition = boats,
  options: Partial<OpenOptions> = {},
): Promise<Setting> {
  const stack = new AsyncDisposableStack();
  const database = stack.use(sqliteFile());
  const alarms: StoreAlarm[] = [];
  const onAlarm = (alarm: StoreAlarm) => alarms.push(alarm);
  const store = stack.use(await database.open({ resources: [definition], onAlarm, ...options }));
  const app = new Sqlite(database.url.slice('sqlite:'.length), { timeout: 20_000 });
  stack.defer(() => void app.close());
  app.exec(ddl);
  const { name } = definition;
  return {
    database,
    app,
    store,
    alarms,
    attach: (changed) => attachTable(store, name, { ...source, ...changed }),
    follow: async (changed) => {
      await attachTable(store, name, { ...source, ...changed });
      const mover = stack.use(startMover(store, { [name]: { ...source, ...changed } }, QUICK));
      await following(mover);
      return mover;
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

export async function becomes(store: Store, expected: readonly JsonObject[]): Promise<void> {
  await vi.waitFor(async () => {
    const records = await recordsOf(store, 'boats');
    expect(records.map(([, record]) => record)).toEqual(expected);
  });
}

export const transitions = async (store: Store) =>
  (await readToHead(store.source('boats'), 0)).map(({ id, transition }) => `${transition} ${id}`);
