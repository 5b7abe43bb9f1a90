export { fieldCollations, parseSort, parseUriTemplate } from 'rostack-core/records';
export { WindowSet } from './follow/window-set.ts';
export { parseCollectionInPieces } from './http/collection-in-pieces.ts';
export { adviseOnFilter } from './resource/advise-on-filter.ts';
export { ComingPages } from './resource/coming-pages.ts';
export { isNamedIn, learnIds, moveIds } from './resource/elsewhere.ts';
export { findRecordId } from './resource/find-record-id.ts';
export { readRecordSchemas } from './resource/read-record-schemas.ts';
export { StatePlace } from './store/state-place.ts';
