export { formatEtag, matchesEtag } from './etag.ts';
