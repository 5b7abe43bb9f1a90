import { recordSourceChecks } from 'rostack-core/testing';
import { describePostgres } from 'test-support/postgres';
import { afterAll, beforeAll, describe, test } from 'vitest';
import type { ResourceDefinition, Store } from '../src/index.ts';
import { postgres, sqliteFile, sqliteMemory, type TestDatabase, TINY_LIMITS } from './support/databases.ts';

/** Takes the records of the checks: any member, of any type. */
const things: ResourceDefinition = {
  name: 'things',
  idPointer: '/id',
  schema: { type: 'object' },
  filterableFields: Object.fromEntries(
    ['/group', '/name', '/rank', '/list', '/nested/x'].map((pointer) => [pointer, ['eq', 'contains']]),
  ),
  sortableFields: ['/group', '/name', '/rank', '/nested/x'],
};

/** One store for all checks, with a resource for each. */
function suite(create: () => TestDatabase, limits?: typeof TINY_LIMITS): void {
  let database: TestDatabase;
  let store: Store;
  let opened = 0;
  const checks = recordSourceChecks<string>({
    open: () => {
      opened += 1;
      return `things-${opened}`;
    },
    source: (resource) => store.source(resource),
    put: (resource, record) => store.apply([{ resource, op: 'put', record }]),
    delete: (resource, id) => store.apply([{ resource, op: 'delete', id }]),
    prune: () => store.prune(),
  });

  beforeAll(async () => {
    database = create();
    store = await database.open(
      {
        resources: checks.map((_, index) => ({ ...things, name: `things-${index + 1}` })),
        retention: { maxChanges: 0, intervalMs: 0 },
        synchronous: 'normal',
        pollIntervalMs: 50,
      },
      limits,
    );
  });

  afterAll(async () => {
    await store.close();
    await database[Symbol.asyncDispose]();
  });

  // oxlint-disable-next-line vitest/expect-expect -- a check throws
  test.for(checks)('keeps the contract of RecordSource: $name', ({ run }) => run());
}

describe('the store on SQLite in memory', () => {
  suite(sqliteMemory);
});
describe('the store on SQLite in a file', () => {
  suite(sqliteFile);
});
describe('the store on SQLite, in the smallest pieces', () => {
  suite(sqliteMemory, TINY_LIMITS);
});
describePostgres('the store on PostgreSQL', () => {
  suite(postgres);
});
