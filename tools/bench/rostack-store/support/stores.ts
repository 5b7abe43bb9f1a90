import {
  openStore,
  type ResourceDefinition,
  type RetentionOptions,
  type Store,
  type StoreChange,
} from 'rostack-store';
import { hasPostgres, postgresSchema } from 'test-support/postgres';
import { sqliteFile } from '../../support/gateway/databases.ts';

/** One sortable and one filterable field; a record takes about 200 bytes. */
export const readings: ResourceDefinition = {
  name: 'readings',
  idPointer: '/id',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['id', 'station', 'value', 'at', 'note'],
    properties: {
      id: { type: 'string' },
      station: { type: 'string' },
      value: { type: 'number' },
      at: { type: 'string' },
      note: { type: 'string' },
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

export function reading(index: number, revision: number): StoreChange {
  return {
    resource: 'readings',
    op: 'put',
    record: {
      id: `reading-${String(index).padStart(7, '0')}`,
      station: `station-${index % 500}`,
      value: ((index * 7_919) % 100_003) + revision / 1_000,
      at: '2026-08-13T09:00:00.000Z',
      note: `revision ${revision} of a reading whose note is as long as such notes usually are`,
    },
  };
}

/** A store of its own, gone when it is disposed of. */
export async function sqliteStore(retention: RetentionOptions = {}): Promise<Store> {
  const file = await sqliteFile();
  return disposedWith(await openStore({ url: file.url, resources: [readings], retention }), file);
}

/** Undefined where no PostgreSQL answers. */
export async function postgresStore(): Promise<Store | undefined> {
  if (!hasPostgres) return undefined;
  const database = postgresSchema();
  const { url, schema } = database;
  return disposedWith(await openStore({ url, schema, resources: [readings] }), database);
}

function disposedWith(store: Store, owned: AsyncDisposable): Store {
  const close = store.close.bind(store);
  store[Symbol.asyncDispose] = async () => {
    await close();
    await owned[Symbol.asyncDispose]();
  };
  return store;
}

export async function fill(store: Store, count: number, batchSize = 1_000): Promise<void> {
  for (let from = 0; from < count; from += batchSize) {
    const size = Math.min(batchSize, count - from);
    await store.apply(Array.from({ length: size }, (_, index) => reading(from + index, 0)));
  }
}

/** Milliseconds that the work takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await work();
  return performance.now() - startMs;
}
