import type { Finding } from './discovery-check.ts';
import { read } from './reader.ts';

/** A finding for each item whose member `name` (a string) an earlier item has too. */
export function* repeated(
  items: readonly (readonly [index: number, item: unknown])[],
  name: string,
  at: readonly (string | number)[],
): Iterable<Finding> {
  const firstIndex = new Map<string, number>();
  for (const [index, item] of items) {
    const value = read(item, name);
    if (typeof value !== 'string') continue;
    const first = firstIndex.get(value);
    if (first === undefined) firstIndex.set(value, index);
    else
      yield {
        keys: [...at, index, name],
        message: `must stand once: ${JSON.stringify(value)} stands at index ${first} already`,
      };
  }
}
