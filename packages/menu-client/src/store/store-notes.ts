import type { Vendor } from '../domain/restaurant.ts';
import type { OperatorNotes } from '../operator/operator.ts';
import type { GuardedStore } from './guarded-store.ts';
import { entryKey } from './menu-store.ts';

/** Another process may write at the same time; more often than this it does not. */
const WRITES = 3;

/** An operator's notes in the store: while it is down, nothing is found and nothing kept. */
export function storeNotes(store: GuardedStore, vendor: Vendor): OperatorNotes {
  const keyOf = (name: string) => entryKey('note', vendor, '', '', name);
  return {
    read: async (name) => (await store.read(keyOf(name)))?.body,
    write: async (name, text) => {
      for (let tries = 0; tries < WRITES; tries += 1) {
        const { revision = 0 } = (await store.read(keyOf(name))) ?? {};
        if ((await store.write(keyOf(name), text, revision)) !== undefined) return;
      }
    },
  };
}
