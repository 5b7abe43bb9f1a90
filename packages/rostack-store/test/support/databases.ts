import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { describe } from 'vitest';
import type { ResourceDefinition, Store, StoreSettings } from '../../src/index.ts';
import { openStoreWithin } from '../../src/open-store.ts';
import type { PageLimits } from '../../src/page/page-limits.ts';

export const POSTGRES_URL = process.env['TEST_POSTGRES_URL'] ?? 'postgres://root@127.0.0.1:5432/test';

/** How to open a store in a database that is known. */
export type OpenOptions = StoreSettings & { readonly resources: readonly ResourceDefinition[] };

/** A database of its own for one test; gone at the end of it. */
export interface TestDatabase extends AsyncDisposable {
  readonly url: string;
  /** The PostgreSQL schema; SQLite ignores it. */
  readonly schema: string;
  /** Opens (or opens again) the store in it. */
  open(options: OpenOptions, limits?: PageLimits): Promise<Store>;
}

export function sqliteMemory(): TestDatabase {
  return testDatabase('sqlite::memory:', 'main', async () => {});
}

export function sqliteFile(): TestDatabase & { readonly file: string } {
  const folder = mkdtempSync(join(tmpdir(), 'rostack-store-'));
  const file = join(folder, 'store.db');
  const database = testDatabase(`sqlite:${file}`, 'main', () => rm(folder, { recursive: true, force: true }));
  return { ...database, file };
}

/** Its connections bear the schema's name. @param through where else the same database answers */
export function postgres(through = POSTGRES_URL): TestDatabase {
  const schema = `test_${randomBytes(8).toString('hex')}`;
  const url = new URL(through);
  url.searchParams.set('application_name', schema);
  return testDatabase(url.href, schema, () =>
    queryPostgres(`drop schema if exists ${schema} cascade`).then(() => {}),
  );
}

function testDatabase(url: string, schema: string, remove: () => Promise<void>): TestDatabase {
  return {
    url,
    schema,
    open: (options, limits) => openStoreWithin({ url, schema, onAlarm: () => {}, ...options }, limits),
    [Symbol.asyncDispose]: remove,
  };
}

/** Limits that make every page of a few records take all the ways that pages of many take. */
export const TINY_LIMITS: PageLimits = {
  looked: 5,
  collected: 6,
  comparisons: 20,
  spare: 0,
  past: 3,
  mergedWalks: 2,
  briefMs: 5,
  sliceRows: { first: 5, most: 20 },
};

/** Runs one statement on a connection of its own. */
export async function queryPostgres(
  text: string,
  url = POSTGRES_URL,
): Promise<readonly Record<string, unknown>[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

const hasPostgres = await queryPostgres('select 1').then(
  () => true,
  () => false,
);
if (!hasPostgres && process.env['CI'] !== undefined) {
  throw new Error(`no PostgreSQL answers at ${POSTGRES_URL}: set TEST_POSTGRES_URL`);
}

/** For tests of PostgreSQL alone: skipped, and seen to be, where no server answers. */
export function describePostgres(name: string, suite: () => void): void {
  const describeHere = hasPostgres ? describe : describe.skip;
  describeHere(name, suite);
}

/** One suite on both databases. */
export function describeBoth(name: string, suite: (create: () => TestDatabase) => void): void {
  describe(`${name}: SQLite`, () => {
    suite(sqliteFile);
  });
  describePostgres(`${name}: PostgreSQL`, () => {
    suite(postgres);
  });
}
