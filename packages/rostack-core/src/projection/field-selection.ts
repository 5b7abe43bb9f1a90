/** Reference tokens to keep, each with what to keep of its value; no tokens means all of it. */
export type FieldTree = ReadonlyMap<string, FieldTree>;

/** Which parts of a record to keep. */
export interface FieldSelection {
  /** Equal for selections that keep the same: JSON Pointers, sorted, none inside another one. */
  readonly pointers: readonly string[];
  readonly tree: FieldTree;
}
