import type { SortKey } from 'rostack-core';
import { hasCode } from 'rostack-core/client';
import type { StateGoneError } from '../http/error/errors.ts';
import type { StateStore } from './state-store.ts';

const orderKey = (key: string): string => `${key}~order`;

/**
 * Stores the sort order next to a state. How strings compare is known from the server, and the state may be shown before there is one.
 */
export async function storeOrder(
  store: Pick<StateStore, 'load' | 'replace'>,
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

/** Empty if nothing was stored, or it is gone. */
export async function loadOrder(store: Pick<StateStore, 'load'>, key: string): Promise<readonly SortKey[]> {
  const state = await store.load(orderKey(key)).catch((error: unknown) => {
    if (!hasCode<StateGoneError>(error, 'state_gone')) throw error;
  });
  // Only `storeOrder` writes it.
  return Array.from(state?.records ?? [], ({ record }) => record as unknown as SortKey);
}
