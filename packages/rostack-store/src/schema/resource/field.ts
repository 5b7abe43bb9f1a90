import type { Collation } from 'rostack-core';

/**
 * How a field is indexed: `whole` serves sorting and every comparison, `prefix` comparisons only (of strings of any length), `none` is for
 * operators that no index can serve.
 */
export type FieldIndex = 'whole' | 'prefix' | 'none';

/** A field whose values the store keeps separately, next to the body. */
export interface Field {
  /** JSON Pointer. */
  readonly pointer: string;
  readonly path: readonly string[];
  readonly index: FieldIndex;
  /** Its strings have keys of this collation. */
  readonly collation?: Collation;
}

/** A field with its place in the tables: columns `k<number>` (order key) and `x<number>` (detail key). */
export interface StoredField extends Field {
  readonly number: number;
}

/** Two fields that share an index: pages of one key of the first are read from it in the order of the second. */
export interface FieldPair<Each> {
  readonly equal: Each;
  readonly sort: Each;
}

/** Bytes of the order key that a `prefix` index holds. */
export const INDEX_PREFIX_BYTES = 256;

/** The longest order key of a sortable field in bytes, including the tag; PostgreSQL cannot index more than 2,704. */
export const MAX_SORT_KEY_BYTES = 1_025;
