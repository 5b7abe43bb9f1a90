import type { RowImage } from './row-image.ts';

/** A row of the inbox. */
export interface InboxRow {
  readonly number: number;
  readonly kind: 'w' | 't' | 'e';
  /** JSON text: ids that no row has any more. */
  readonly gone: string | null;
  /** JSON text: images of rows as they are. */
  readonly rows: string | null;
}

/** What a transaction left behind under one id: an image, or nothing. */
export interface NetChange {
  readonly id: string;
  /** Null: the row is gone. */
  readonly image: RowImage | null;
}

export interface NetEffect {
  /** Whether all rows of before the transaction are gone, but for those of `changes`. */
  readonly isTruncated: boolean;
  /** One per id, in the order of the last touch. */
  readonly changes: readonly NetChange[];
}

/** What a transaction did in the end: states that nobody else could see are left out. */
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
