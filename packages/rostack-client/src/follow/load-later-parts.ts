import { loadPart } from '../platform/load-part.ts';
import type * as parts from './later-parts.ts';

/** What follows need that have an order, chosen fields or a store. @throws NetworkError */
export const loadLaterParts = (): Promise<typeof parts> => loadPart(() => import('./later-parts.ts'));
