import type { SortKey } from 'rostack-core';
import { followKey } from '../follow/follow-key.ts';
import { followView, viewText } from '../follow/follow-view.ts';
import { FollowedSet } from '../follow/followed-set.ts';
import { WindowSet } from '../follow/window-set.ts';
import { filterHash } from '../list/filters.ts';
import type { StateStore } from '../state/state-store.ts';
import { loadOrder, storeOrder } from '../state/stored-order.ts';
import type { FollowQuery } from './follow-query.ts';

/**
 * What a store holds for a query, before there is a client. What cannot be shown is left to the follow, which knows the server.
 * @returns undefined if there is nothing to show
 */
export async function restoredRecords<T>(
  store: StateStore,
  resource: string,
  query: FollowQuery<T>,
): Promise<ReadonlyMap<string, T> | undefined> {
  const view = followView(query);
  const key = followKey(resource, query, view);
  const state = await store.load(key);
  const order = await loadOrder(store, key);
  if (state === undefined || (order.length === 0 && (view?.sort.length ?? 0) > 0)) return undefined;
  const hash = query.filter === undefined ? undefined : filterHash(query.filter);
  const filter = view === undefined ? hash : `${hash ?? 'all'}~${viewText(view)}`;
  if (state.scope.resource !== resource || state.scope.filter !== filter) return undefined;
  const options = { schema: query.schema, resource, isFiltered: false };
  // The state decides: everything in it is held.
  const held = view && { ...view, fields: undefined, margin: Number.POSITIVE_INFINITY };
  const set = held === undefined ? new FollowedSet<T>(options) : new WindowSet<T>(options, held);
  const { cursor, eventId } = state;
  const records = new Map(Array.from(state.records, ({ id, record }) => [id, record]));
  return set.replace('restored', { records, cursor, eventId, order, isWhole: true }).records;
}

/** Keeps the order of a query next to its state, for `restoredRecords`. */
export function keepOrder(
  store: StateStore,
  resource: string,
  query: FollowQuery,
  order: readonly SortKey[],
): Promise<void> {
  return storeOrder(store, followKey(resource, query, followView(query)), order);
}
