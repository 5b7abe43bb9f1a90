/** A row of the inbox, without its content. */
export interface InboxEntry {
  readonly number: number;
  /** The writer's transaction. */
  readonly xid: string;
  readonly kind: 'w' | 't' | 'e';
  /** Number of rows of the table that it is about. */
  readonly size: number;
  readonly bytes: number;
}

export interface BatchLimits {
  /** Rows of the table; a transaction of more comes in pieces. */
  readonly maxRows: number;
  /** Rows of the table after which no further transaction is begun. */
  readonly fillRows: number;
  readonly maxBytes: number;
}

/** Rows of one transaction, or its first ones, in their order. */
export type InboxGroup = readonly InboxEntry[];

/**
 * Chooses what is moved next: whole transactions, in the order of their last numbers, as many as the limits allow and one row of the inbox at least.
 *
 * That order respects every conflict: a transaction that touches what another one wrote does so after that one's commit, so its last
 * number is greater than all of the other's. The order of first numbers, or of transaction ids, does not. A transaction larger than
 * the limits comes in pieces; what preceded these rows has a smaller last number and was moved before.
 * @param entries rows of committed transactions, ascending by number, without a gap among those that can be seen
 * @returns groups in the order to apply; a group that truncates comes alone
 */
export function chooseBatch(entries: readonly InboxEntry[], limits: BatchLimits): readonly InboxGroup[] {
  const chosen: InboxGroup[] = [];
  let rows = 0;
  let bytes = 0;
  for (const group of transactionsOf(entries)) {
    const isFull = rows >= limits.fillRows;
    rows += sizeOf(group);
    bytes += bytesOf(group);
    const fits = rows <= limits.maxRows && bytes <= limits.maxBytes;
    if (chosen.length === 0) {
      if (!fits) return [pieceOf(group, limits)];
      if (truncates(group)) return [group];
    } else if (isFull || !fits || truncates(group)) {
      return chosen;
    }
    chosen.push(group);
  }
  return chosen;
}

/** By last number. */
function transactionsOf(entries: readonly InboxEntry[]): InboxGroup[] {
  const lastNumber = (group: InboxGroup) => group.at(-1)?.number ?? 0;
  return [...Map.groupBy(entries, ({ xid }) => xid).values()].sort((a, b) => lastNumber(a) - lastNumber(b));
}

export function sizeOf(group: InboxGroup): number {
  return group.reduce((sum, { size }) => sum + size, 0);
}

function bytesOf(group: InboxGroup): number {
  return group.reduce((sum, { bytes }) => sum + bytes, 0);
}

function truncates(group: InboxGroup): boolean {
  return group.some(({ kind }) => kind === 't');
}

function pieceOf(group: InboxGroup, { maxRows, maxBytes }: BatchLimits): InboxGroup {
  let rows = 0;
  let bytes = 0;
  const end = group.findIndex((entry, index) => {
    rows += entry.size;
    bytes += entry.bytes;
    return index > 0 && (rows > maxRows || bytes > maxBytes);
  });
  return end === -1 ? group : group.slice(0, end);
}
