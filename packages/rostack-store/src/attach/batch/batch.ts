import type { Work } from '../../drivers/database.ts';
import type { Progress } from '../attachment/attachment.ts';
import type { NetChange } from '../row/net-change.ts';
import type { AttachedResource } from './attached-resource.ts';

/** What a leader has read from the table or the inbox and will write in one transaction. */
export interface Batch {
  readonly changes: readonly NetChange[];
  /** Takes what it is done with out of the inbox. */
  readonly settle?: () => Work<void>;
  /** Whether to forget refused rows, because they are gone or will come back. */
  readonly emptiesQuarantine: boolean;
  readonly progress: Progress;
  /** Row changes from the inbox that this batch completes. */
  readonly movedRows: number;
  /** Whether nothing is left in the inbox after it; undefined if that was not looked at. */
  readonly isWhole?: boolean;
}

/** Some rows of the table, or some records that have no row, as one snapshot shows them. */
export interface Chunk extends Batch {
  /** How many were read. */
  readonly rows: number;
  /** Whether there are further ones that were asked for, but would have been too many bytes. */
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
