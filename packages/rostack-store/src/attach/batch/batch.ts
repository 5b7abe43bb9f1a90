import type { Work } from '../../drivers/database.ts';
import type { Progress } from '../attachment/attachment.ts';
import type { NetChange } from '../row/net-change.ts';
import type { AttachedResource } from './attached-resource.ts';

/** What a leader has read from the table or the inbox and writes in one transaction. */
export interface Batch {
  readonly changes: readonly NetChange[];
  /** Removes the notes that it completes from the inbox. */
  readonly settle?: () => Work<void>;
  /** Whether to forget refused rows, because they are gone or will come back. */
  readonly emptiesQuarantine: boolean;
  readonly progress: Progress;
  /** Row changes from the inbox that this batch completes. */
  readonly movedRows: number;
  /** Whether the inbox is empty after it; undefined if that was not checked. */
  readonly isWhole?: boolean;
}

/** Some rows of the table, or some records that have no row, as one snapshot shows them. */
export interface Chunk extends Batch {
  /** How many were read. */
  readonly rows: number;
  /** Whether more rows were wanted, but would have exceeded the limit of bytes. */
  readonly isCut: boolean;
}

/** The table is not as it was attached. */
export interface TableChange {
  readonly change: string;
}

/** A row that the resource refuses. */
export interface Refusal {
  readonly id: string;
  readonly reason: string;
}

/** @param isLast whether the phase ends with this chunk */
export function chunkOf(
  { attachment, copy }: AttachedResource,
  changes: readonly NetChange[],
  { rows, isCut, isLast }: Pick<Chunk, 'rows' | 'isCut'> & { readonly isLast: boolean },
  lastId: string | undefined,
): Chunk {
  const { phase, place, stamp } = attachment;
  const progress = isLast
    ? {
        phase: phase === 'load' && copy?.wasEmpty !== true ? ('sweep' as const) : ('live' as const),
        place: null,
        stamp,
      }
    : { phase, place: lastId ?? place, stamp };
  return { changes, emptiesQuarantine: false, progress, movedRows: 0, rows, isCut };
}
