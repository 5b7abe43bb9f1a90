import { StoreOptionsError } from '../../errors/index.ts';
import type { StoredResource } from '../../schema/stored-resource.ts';
import type { Store } from '../../store/store.ts';
import { internalsOf, type StoreInternals } from '../../store/store-internals.ts';

/** The parts of a store. */
export interface StoreParts extends StoreInternals {
  /** The schema that holds the store's tables; `main` on SQLite. */
  readonly schema: string;
}

/** @throws StoreOptionsError if the store was not made by `openStore` */
export function storePartsOf(store: Store): StoreParts {
  const internals = internalsOf(store);
  return { ...internals, schema: internals.database.dialect.schema.name };
}

/** @throws StoreOptionsError if the store was not opened with the resource */
export function storePartsFor(
  store: Store,
  resource: string,
): StoreParts & { readonly target: StoredResource } {
  const parts = storePartsOf(store);
  const target = parts.resources.get(resource);
  if (target !== undefined) return { ...parts, target };
  throw new StoreOptionsError(`the store was not opened with the resource ${JSON.stringify(resource)}`);
}
