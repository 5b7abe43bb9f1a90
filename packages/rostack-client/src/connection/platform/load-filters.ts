import { loadPart } from './load-part.ts';

/** Loaded with the first filter. @throws NetworkError */
export const loadFilters = () => loadPart(() => import('../../list/filters.ts'));

/** The code that checks filters and decides what matches them. */
export type Filters = Awaited<ReturnType<typeof loadFilters>>;
