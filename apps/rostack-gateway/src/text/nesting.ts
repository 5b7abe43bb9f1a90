/** How deep lists and maps of a configuration may be nested. */
export const MAX_LEVELS = 64;

export const TOO_DEEP = `Lists and maps are nested more than ${MAX_LEVELS} levels deep`;

/**
 * Whether objects and lists are nested deeper than this many levels; a value that contains itself always is. It goes level by level,
 * because recursion would overflow the stack on a deep value.
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
