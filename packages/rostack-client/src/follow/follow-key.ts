import type { JsonObject } from 'rostack-core';
import { filterHash } from '../list/filters.ts';
import { type FollowView, keyOf } from './follow-view.ts';

/** The value of `Follow.key`. @throws FilterError of rostack-core */
export function followKey(
  resource: string,
  { key, filter }: { readonly key?: string; readonly filter?: JsonObject },
  view?: FollowView,
): string {
  return key ?? keyOf(resource, filter === undefined ? undefined : filterHash(filter), view);
}
