import type { Database } from '../drivers/database.ts';
import { StoreOptionsError } from '../errors/index.ts';
import type { MovedLog } from '../log/watch/moved-log.ts';
import type { StoredResource } from '../schema/stored-resource.ts';
import type { ResolvedStoreOptions } from './store-options.ts';

/** The parts of an open store that only other modules of this package need. */
export interface StoreInternals {
  readonly database: Database;
  readonly resources: ReadonlyMap<string, StoredResource>;
  readonly options: ResolvedStoreOptions;
  /** Call it with what was moved by a committed transaction outside the queue. */
  readonly onMoved: (logs: readonly MovedLog[]) => void;
}

const internals = new WeakMap<object, StoreInternals>();

export function registerInternals(store: object, parts: StoreInternals): void {
  internals.set(store, parts);
}

export function internalsOf(store: object | null): StoreInternals {
  const parts = typeof store === 'object' && store !== null ? internals.get(store) : undefined;
  if (parts === undefined) throw new StoreOptionsError('the store was not made by openStore');
  return parts;
}
