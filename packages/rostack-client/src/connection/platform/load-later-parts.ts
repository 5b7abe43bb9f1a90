import { loadPart } from './load-part.ts';

/** What an order, chosen fields, a store, large pages, pages read ahead, and URL templates with more than `{id}` need. @throws NetworkError */
export const loadLaterParts = () => loadPart(() => import('../../client/later-parts.ts'));
