import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describePostgres, POSTGRES_URL, queryPostgres } from 'test-support/postgres';
import { describe } from 'vitest';
import type { ResourceDefinition, Store, StoreSettings } from '../../src/index.ts';
import { PAGE_LIMITS, type PageLimits } from '../../src/page/plan/page-limits.ts';
import { openStoreWithin } from '../../src/store/open-store.ts';
import { checkFileLeft, checkSchemaLeft } from './nothing-left.ts';

/** Pages have all the time that they need, and the way in which one is read does not depend on the machine. */
const PATIENT_MS = 600_000;
const PATIENT_LIMITS: PageLimits = { ...PAGE_LIMITS, briefMs: PATIENT_MS };

/** How to open a store in a database that is known. */
export type OpenOptions = StoreSettings & { readonly resources: readonly ResourceDefinition[] };

/** A database of its own for one test; gone at the end of it, when nothing may be left of the stores that were open in it. */
export interface TestDatabase extends AsyncDisposable {
  readonly url: string;
  /** The PostgreSQL schema; SQLite ignores it. */
  readonly schema: string;
  /** Opens (or opens again) the store in it, patiently. */
  open(options: OpenOptions, limits?: PageLimits): Promise<Store>;
}

export function sqliteMemory(): TestDatabase {
  return testDatabase('sqlite::memory:', 'main', async () => {});
}

export function sqliteFile(): TestDatabase & { readonly file: string } {
  const folder = mkdtempSync(join(tmpdir(), 'rostack-store-'));
  const file = join(folder, 'store.db');
  const database = testDatabase(`sqlite:${file}`, 'main', async () => {
    try {
      checkFileLeft(file);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
  return { ...database, file };
}

/** Its connections bear the schema's name. @param through where else the same database answers */
export function postgres(through = POSTGRES_URL): TestDatabase {
  const schema = `test_${randomBytes(8).toString('hex')}`;
  const url = new URL(through);
  url.searchParams.set('application_name', schema);
  return testDatabase(url.href, schema, async () => {
    try {
      // A pooler keeps sessions for others.
      await checkSchemaLeft(schema, url.host === new URL(POSTGRES_URL).host);
    } finally {
      await queryPostgres(`drop schema if exists ${schema} cascade`);
    }
  });
}

function testDatabase(url: string, schema: string, remove: () => Promise<void>): TestDatabase {
  return {
    url,
    schema,
    open: (options, limits = PATIENT_LIMITS) =>
      openStoreWithin({ url, schema, onAlarm: () => {}, readTimeoutMs: PATIENT_MS, ...options }, limits),
    [Symbol.asyncDispose]: remove,
  };
}

/** Limits that make every page of a few records take all the ways that pages of many take. */
export const TINY_LIMITS: PageLimits = {
  examined: 5,
  materialized: 6,
  comparisons: 20,
  spare: 0,
  past: 3,
  mergedScans: 2,
  briefMs: 5,
  sliceRows: { first: 5, most: 20 },
};

/** One suite on both databases. */
export function describeBoth(name: string, suite: (create: () => TestDatabase) => void): void {
  describe(`${name}: SQLite`, () => {
    suite(sqliteFile);
  });
  describePostgres(`${name}: PostgreSQL`, () => {
    suite(postgres);
  });
}
