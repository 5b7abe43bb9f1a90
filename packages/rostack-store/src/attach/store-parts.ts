import { PostgresDatabase } from '../database/postgres-database.ts';
import { StoreOptionsError } from '../errors/index.ts';
import type { StoredResource } from '../schema/stored-resource.ts';
import type { Store } from '../store.ts';
import { internalsOf, type StoreInternals } from '../store-internals.ts';

/** A store over PostgreSQL, taken apart. */
export interface PostgresParts extends StoreInternals {
  readonly database: PostgresDatabase;
  /** The PostgreSQL schema that holds the store's tables. */
  readonly schema: string;
}

/** @throws StoreOptionsError when the store is not PostgreSQL */
export function postgresPartsOf(store: Store): PostgresParts {
  const internals = internalsOf(store);
  const { database, options } = internals;
  if (database instanceof PostgresDatabase) return { ...internals, database, schema: options.schema };
  throw new StoreOptionsError(
    'a table can be attached only where the store is in the same PostgreSQL database',
  );
}

/** @throws StoreOptionsError when the store is not PostgreSQL, or was not opened with the resource */
export function storePartsFor(
  store: Store,
  resource: string,
): PostgresParts & { readonly target: StoredResource } {
  const parts = postgresPartsOf(store);
  const target = parts.resources.get(resource);
  if (target !== undefined) return { ...parts, target };
  throw new StoreOptionsError(`the store was not opened with the resource ${JSON.stringify(resource)}`);
}
