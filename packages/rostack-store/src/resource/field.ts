/**
 * How a field is indexed: `whole` serves sorting and every comparison, `prefix` comparisons only (of strings of any length),
 * `none` is for operators that no index serves.
 */
export type FieldIndex = 'whole' | 'prefix' | 'none';

/** A field whose values the store keeps beside the body. */
export interface Field {
  /** JSON Pointer. */
  readonly pointer: string;
  readonly path: readonly string[];
  readonly index: FieldIndex;
  /** Its strings are decimals: their keys are those of `decimalKey`. */
  readonly isDecimal?: true;
}

/** A field with its place in the tables: columns `k<number>` (order key) and `x<number>` (detail key). */
export interface StoredField extends Field {
  readonly number: number;
}

/** Bytes of the order key that a `prefix` index holds. */
export const INDEX_PREFIX_BYTES = 256;

/** Greatest order key of a sortable field in bytes, tag included; PostgreSQL indexes nothing above 2,704. */
export const MAX_SORT_KEY_BYTES = 1_025;
