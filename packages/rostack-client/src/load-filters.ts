import { loadPart } from './platform/load-part.ts';

/** Loaded with the first filter. @throws NetworkError */
export const loadFilters = () => loadPart(() => import('./filters.ts'));

/** What checks filters and knows what matches them. */
export type Filters = Awaited<ReturnType<typeof loadFilters>>;
