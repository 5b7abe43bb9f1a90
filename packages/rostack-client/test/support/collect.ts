import type { Follow, FollowChange } from 'rostack-client';

/** The next changes of a follow, `count` of them. */
export async function take<T>(follow: Follow<T>, count: number): Promise<FollowChange<T>[]> {
  const taken: FollowChange<T>[] = [];
  while (taken.length < count) {
    const { done, value } = await follow.next();
    if (done === true) throw new Error(`the follow ended after ${taken.length} changes`);
    taken.push(value);
  }
  return taken;
}

/** Changes up to and with the first one that fits. */
export async function takeUntil<T>(
  follow: Follow<T>,
  fits: (change: FollowChange<T>) => boolean,
): Promise<FollowChange<T>[]> {
  const taken: FollowChange<T>[] = [];
  for (;;) {
    const change = (await take(follow, 1))[0];
    if (change === undefined) return taken;
    taken.push(change);
    if (fits(change)) return taken;
  }
}

export const isLive = (change: FollowChange<unknown>): boolean => change.kind === 'live';

/** Ids of what changes tell of, snapshots and marks left out. */
export const idsOf = (changes: readonly FollowChange<unknown>[]): string[] =>
  changes.flatMap((change) => ('id' in change ? [change.id] : []));
