import type { FollowOptions } from '../follow/follow.ts';

/** What a component follows. Components with equal queries share one follow, with the functions of the first query. */
export type FollowQuery<T = unknown> = Omit<FollowOptions<T>, 'signal'>;

/** Equal for queries that show the same. */
export function followText(
  resource: string,
  { filter, sort, limit, margin, fields, key, recordId }: FollowQuery,
): string {
  const place = typeof recordId === 'string' ? [recordId] : [];
  return JSON.stringify([resource, filter, sort, limit, margin, fields, key, ...place]);
}
