/** One of the changes that a row of the inbox tells of. */
export interface InboxRow {
  readonly number: number;
  readonly kind: 'w' | 't' | 'e';
  /** Id that no row has any more. */
  readonly gone: string | null;
  readonly id: string | null;
  /** JSON text of the row's image. */
  readonly image: string | null;
}

/** What a transaction left behind under one id: an image, or nothing. */
export interface NetChange {
  readonly id: string;
  /** Undefined: the row is gone. */
  readonly image: string | undefined;
}

export interface NetEffect {
  /** Whether all rows of before the transaction are gone, but for those of `changes`. */
  readonly isTruncated: boolean;
  /** One per id, in the order of the last touch. */
  readonly changes: readonly NetChange[];
}

/** What a transaction did in the end: states that nobody else could see are left out. */
export function coalesce(rows: readonly InboxRow[]): NetEffect {
  const last = new Map<string, NetChange>();
  let isTruncated = false;
  const touch = (change: NetChange) => {
    last.delete(change.id);
    last.set(change.id, change);
  };
  for (const { kind, gone, id, image } of rows) {
    if (kind === 't') {
      isTruncated = true;
      last.clear();
      continue;
    }
    if (gone !== null) touch({ id: gone, image: undefined });
    if (id !== null && image !== null) touch({ id, image });
  }
  return { isTruncated, changes: [...last.values()] };
}
