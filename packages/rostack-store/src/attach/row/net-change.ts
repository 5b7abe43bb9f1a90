import type { RowImage } from './row-image.ts';

/** The change of one id in a batch: the row's image, or none. */
export interface NetChange {
  readonly id: string;
  /** Null if the row is gone or was not read. */
  readonly image: RowImage | null;
  /** For a row that was not read, since no record can hold it: the least bytes of such a record; otherwise null or undefined. */
  readonly refusedBytes?: number | null | undefined;
  /** Why an existing row was not read; otherwise absent. */
  readonly fault?: string;
  /** Age of its note when it was read, in ms by the database's clock; null or undefined if it was not noted. */
  readonly waitedMs?: number | null | undefined;
}
