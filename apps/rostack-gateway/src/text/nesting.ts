/** How deep lists and maps of a configuration may be nested. */
export const MAX_LEVELS = 64;

export const TOO_DEEP = `Lists and maps are nested more than ${MAX_LEVELS} levels deep`;

/**
 * Whether objects and lists are nested deeper than so many levels, which one that is inside of itself always is. Goes level by level: a
 * function that calls itself would fail where a value is deep enough.
 */
export function isDeeperThan(levels: number, value: unknown): boolean {
  const isHolder = (item: unknown): item is object => typeof item === 'object' && item !== null;
  let level = new Set([value].filter(isHolder));
  for (let depth = 0; level.size > 0; depth += 1) {
    if (depth >= levels) return true;
    level = new Set([...level].flatMap((item) => (Object.values(item) as unknown[]).filter(isHolder)));
  }
  return false;
}
