export type { Collection } from './collection-model.ts';
export { CollectionError, parseCollection } from './parse-collection.ts';
