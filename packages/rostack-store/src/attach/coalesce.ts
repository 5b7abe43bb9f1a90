import type { RowImage } from './row-image.ts';

/** A row of the inbox. */
export interface InboxRow {
  readonly number: number;
  readonly kind: 'w' | 't' | 'e';
  /** JSON text: ids that no row has any more. */
  readonly gone: string | null;
  /** JSON text: images of changed rows. */
  readonly rows: string | null;
}

/** What a transaction left under one id: an image, or nothing. */
export interface NetChange {
  readonly id: string;
  /** Null if the row is gone, or too large to be read. */
  readonly image: RowImage | null;
  /** Of a row that was not read, since no record can hold it: the bytes that one has at least; null or undefined for all others. */
  readonly refusedBytes?: number | null | undefined;
}

export interface NetEffect {
  /** Whether all rows from before the transaction are gone, except for those in `changes`. */
  readonly isTruncated: boolean;
  /** One per id, in the order of the last touch. */
  readonly changes: readonly NetChange[];
}

/** The net effect of a transaction: states that nobody else could see are left out. */
export function coalesce(entries: readonly Omit<InboxRow, 'number'>[]): NetEffect {
  const last = new Map<string, NetChange>();
  const touch = (id: string, image: RowImage | null) => {
    last.delete(id);
    last.set(id, { id, image });
  };
  for (const { kind, gone, rows } of entries) {
    if (kind === 't') last.clear();
    for (const id of JSON.parse(gone ?? '[]') as readonly string[]) touch(id, null);
    for (const image of JSON.parse(rows ?? '[]') as readonly RowImage[]) touch(image[0], image);
  }
  return { isTruncated: entries.some(({ kind }) => kind === 't'), changes: [...last.values()] };
}
