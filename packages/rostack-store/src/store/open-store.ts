import { type ImplementationTypes, isSourceUnavailable } from 'rostack-core';
import type { Database, Work } from '../drivers/database.ts';
import { loadPostgres, loadSqlite } from '../drivers/load-driver.ts';
import { PostgresDatabase } from '../drivers/postgres/database.ts';
import { SqliteDatabase } from '../drivers/sqlite/database.ts';
import { faultOfWal } from '../drivers/sqlite/file/wal-fault.ts';
import { StoreOptionsError, StoreUnavailableError } from '../errors/index.ts';
import { noteOrigin } from '../log/origin/note-origin.ts';
import { type PreparedTables, readTables } from '../log/replica/read-tables.ts';
import { watchFailed } from '../log/watch/watch-failed.ts';
import { PAGE_LIMITS, type PageLimits } from '../page/plan/page-limits.ts';
import { defineResource } from '../schema/define-resource.ts';
import { readHeads } from '../schema/heads.ts';
import { migrate } from '../schema/migrate.ts';
import { resolveResource } from '../schema/resource/resolve-resource.ts';
import type { Resource } from '../schema/resource/resource.ts';
import { toResourceDefinition } from '../schema/resource/to-resource-definition.ts';
import type { StoredResource } from '../schema/stored-resource.ts';
import type { StoreChange } from '../write/apply/change.ts';
import { isSqliteUrl, sqliteFileOf } from './options/sqlite-url.ts';
import { resolveStoreOptions } from './resolve-store-options.ts';
import { Store } from './store.ts';
import type { ResolvedStoreOptions, StoreOptions } from './store-options.ts';

/**
 * Opens a store, creating or upgrading its tables under a lock. With an implementation, the store is typed by it: names of resources and
 * events, and records.
 * @throws StoreOptionsError `store_options_invalid` for an unusable URL, option or resource definition
 * @throws SchemaTooNewError `schema_too_new` if a newer release has written the database
 * @throws DriverMissingError `driver_missing` without the package of the database: better-sqlite3 or pg
 * @throws StoreUnavailableError `store_unavailable` if the database cannot be reached or opened, or a replica does not have the tables of
 * these resources yet
 */
export function openStore<Types extends ImplementationTypes = ImplementationTypes>(
  options: StoreOptions<Types>,
): Promise<Store<StoreChange<Types>>> {
  return openStoreWithin(options, undefined);
}

/** `openStore` with other limits on the work of pages, so that tests need few records. */
export async function openStoreWithin<Types extends ImplementationTypes = ImplementationTypes>(
  options: StoreOptions<Types>,
  pageLimits: PageLimits | undefined,
): Promise<Store<StoreChange<Types>>> {
  const resolved = resolveStoreOptions(options);
  const resources = resolveResources(options);
  const database = await connect(options.url, resolved);
  try {
    const { epoch, stored } = await tablesOf(database, resources, resolved);
    return new Store(database, stored, epoch, resolved, pageLimits ?? PAGE_LIMITS);
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** On a replica, writers have already created the tables and noted the origin. */
async function tablesOf(
  database: Database,
  resources: readonly Resource[],
  options: ResolvedStoreOptions,
): Promise<PreparedTables> {
  if (options.role === 'replica') {
    const reading = database.transaction(() => readTables(database.dialect, resources));
    return reading.catch((error: unknown) => {
      throw isSourceUnavailable(error) ? new StoreUnavailableError(error.message, { cause: error }) : error;
    });
  }
  const prepared = await database.write(() => prepareTables(database, resources, options));
  await noteOrigin(database, options.onAlarm);
  return prepared;
}

function resolveResources(options: StoreOptions): readonly Resource[] {
  const definitions =
    options.resources ?? Object.values(options.implementation.resources).map(toResourceDefinition);
  const compositeIndexes = new Map(Object.entries(options.compositeIndexes ?? {}));
  const resolved = definitions.map((definition) =>
    resolveResource(definition, compositeIndexes.get(definition.name)),
  );
  const names = new Set<string>();
  for (const { name } of resolved) {
    if (names.has(name)) throw new StoreOptionsError(`the resource ${name} is repeated`);
    names.add(name);
  }
  const unknown = [...compositeIndexes.keys()].find((name) => !names.has(name));
  if (unknown !== undefined)
    throw new StoreOptionsError(`compositeIndexes names ${unknown}, which is not a resource of the store`);
  return resolved;
}

/** The database that a URL names; nothing is read yet. */
async function connect(url: string, options: ResolvedStoreOptions): Promise<Database> {
  if (isSqliteUrl(url)) {
    if (options.directUrl !== undefined) {
      throw new StoreOptionsError('directUrl is for PostgreSQL: leave it out with SQLite');
    }
    const file = sqliteFileOf(url);
    if (file === '')
      throw new StoreOptionsError('the URL names no file: use sqlite:<file> or sqlite::memory:');
    const fault = faultOfWal(file);
    if (fault !== undefined)
      options.onAlarm({ code: 'wal_damaged', message: fault, resource: undefined, cause: undefined });
    return new SqliteDatabase(await loadSqlite(), file, {
      ...options,
      onThreadFailure: (cause) => {
        const message = `a thread of SQLite ended, another one takes its place: ${cause.message}`;
        options.onAlarm({ code: 'reader_failed', message, resource: undefined, cause });
      },
    });
  }
  return new PostgresDatabase(await loadPostgres(), url, {
    ...options,
    isReadOnly: options.role === 'replica',
    notifies: options.hints === undefined && options.role === 'primary',
    onWatchFailure: watchFailed(options.onAlarm),
  });
}

/** Brings the schema and the resources' tables up to date. */
export function* prepareTables(
  database: Database,
  resources: readonly Resource[],
  options: ResolvedStoreOptions,
): Work<PreparedTables> {
  const { dialect } = database;
  const epoch = yield* migrate(dialect, options.randomId);
  const heads = yield* readHeads(dialect);
  const stored = new Map<string, StoredResource>();
  for (const resource of resources) {
    const tables = yield* defineResource(dialect, resource, heads.get(resource.name));
    stored.set(resource.name, { resource, tables });
  }
  return { epoch, stored };
}
