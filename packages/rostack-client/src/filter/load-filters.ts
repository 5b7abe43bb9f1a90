import { loadPart } from '../platform/load-part.ts';
import type * as filters from './filters.ts';

/** What checks filters and knows what matches them. */
export type Filters = typeof filters;

/** Loaded with the first filter. @throws NetworkError */
export const loadFilters = (): Promise<Filters> => loadPart(() => import('./filters.ts'));
