import type { SortKey } from 'rostack-core';
import type { IndexedDbStateStore } from './indexeddb-state-store.ts';

const orderKey = (key: string): string => `${key}~order`;

/**
 * Keeps next to a state what it is sorted by. Which fields hold decimals is known to the tab that leads alone, from the server, and the
 * state may be shown before there is one.
 */
export async function storeOrder(
  store: IndexedDbStateStore,
  key: string,
  order: readonly SortKey[],
): Promise<void> {
  if (order.length === 0 || JSON.stringify(await loadOrder(store, key)) === JSON.stringify(order)) return;
  const scope = { implementationId: '', apiVersion: '', resource: '', filter: undefined };
  const records = order.map((sortKey, index) => ({
    id: String(index).padStart(6, '0'),
    record: { ...sortKey },
    version: undefined,
  }));
  await store.replace(orderKey(key), { scope, cursor: 'order', eventId: undefined, records });
}

/** Empty where nothing was stored. */
export async function loadOrder(store: IndexedDbStateStore, key: string): Promise<readonly SortKey[]> {
  const state = await store.load(orderKey(key));
  // Written above, and by nobody else.
  return Array.from(state?.records ?? [], ({ record }) => record as unknown as SortKey);
}
