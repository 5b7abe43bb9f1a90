import type { FollowOptions } from '../follow/follow.ts';

/** What a component follows. Components whose queries say the same share one follow, with the functions of the first one. */
export type FollowQuery<T = unknown> = Omit<FollowOptions<T>, 'signal'>;

/** The same for queries that show the same. */
export function followText(
  resource: string,
  { filter, sort, limit, margin, fields, key }: FollowQuery,
): string {
  return JSON.stringify([resource, filter, sort, limit, margin, fields, key]);
}
