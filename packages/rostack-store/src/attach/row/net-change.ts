import type { RowImage } from './row-image.ts';

/** What a batch brings of one id: the row's image, or nothing. */
export interface NetChange {
  readonly id: string;
  /** Null if the row is gone or was not read. */
  readonly image: RowImage | null;
  /** Of a row that was not read, since no record can hold it: the bytes that one has at least; null or undefined for all others. */
  readonly refusedBytes?: number | null | undefined;
  /** Why the row that is there was not read; absent for all others. */
  readonly fault?: string;
  /** How long ago it was noted when it was read, in ms by the database's clock; null or undefined if it was not. */
  readonly waitedMs?: number | null | undefined;
}
