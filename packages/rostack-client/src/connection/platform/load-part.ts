import { NetworkError } from '../../http/error/errors.ts';

/** Loads a part of this package that not everybody needs. @throws NetworkError if its file cannot be read */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    throw new NetworkError('a part of rostack-client', cause);
  }
}

/** Loaded with the first filter. @throws NetworkError */
export const loadFilters = () => loadPart(() => import('../../list/filters.ts'));

/** The code that checks filters and decides what matches them. */
export type Filters = Awaited<ReturnType<typeof loadFilters>>;

/** What an order, chosen fields, a store, large pages, pages read ahead, and URL templates with more than `{id}` need. @throws NetworkError */
export const loadLaterParts = () => loadPart(() => import('../../client/later-parts.ts'));
