/** Far above what any implementation takes, and far below what the call stack of a browser holds. */
const MAX_DEPTH = 256;

/** Filters inside a filter that was found shallow enough: they need no walk of their own. */
const shallow = new WeakSet<object>();

/** Says so when filters are nested too deep for a model that follows them by recursion. */
export function findDepthFault(filter: object): string | undefined {
  if (shallow.has(filter)) return undefined;
  const found: object[] = [];
  let level: object[] = [filter];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return `must not be nested deeper than ${MAX_DEPTH} levels`;
    for (const inner of level) found.push(inner);
    level = level.flatMap(innerFilters);
  }
  for (const inner of found) shallow.add(inner);
  return undefined;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function innerFilters(filter: object): object[] {
  const { $and, $or, $not } = filter as Readonly<Record<'$and' | '$or' | '$not', unknown>>;
  return [$and, $or]
    .flatMap((list) => (Array.isArray(list) ? list : []))
    .concat($not)
    .filter(isObject);
}
