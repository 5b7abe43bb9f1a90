import { send, type Work } from '../../drivers/database.ts';
import { ChangeInvalidError, RecordInvalidError } from '../../errors/index.ts';
import { faultOfId } from '../../schema/resource/record-id.ts';
import type { StoreChange } from '../../write/apply/change.ts';
import { type PreparedChange, prepareChanges } from '../../write/apply/prepare-change.ts';
import { writeAlone } from '../../write/apply/write-batches.ts';
import { emptyQuarantine, type Progress } from '../attachment/attachment.ts';
import { advance } from '../attachment/leader-lease.ts';
import { quarantineId } from '../attachment/quarantine.ts';
import { tooLarge } from '../row/carried-bytes.ts';
import type { NetChange } from '../row/net-change.ts';
import { decodeImage } from '../row/row-image.ts';
import { qualified } from '../source/query.ts';
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

export interface WrittenBatch {
  /** Names of the resources whose head moved. */
  readonly moved: readonly string[];
  readonly refused: readonly Refusal[];
}

/**
 * Writes a batch to the log, as `apply` would. A record that is unchanged takes no position. A row that the resource refuses is put into
 * quarantine: its record stays as it was last accepted, until the row is accepted or gone.
 * @param occurredAtMs when a change occurred, in ms since 1970; undefined for when it is written
 * @throws DeposedError if this process no longer leads
 */
export function writeBatch(
  resource: AttachedResource,
  batch: Batch,
  occurredAtMs?: (change: NetChange) => number | undefined,
): Work<WrittenBatch> {
  return advance(resource.attachment, batch.progress, () => writeChanges(resource, batch, occurredAtMs));
}

function* writeChanges(
  resource: AttachedResource,
  batch: Batch,
  occurredAtMs: ((change: NetChange) => number | undefined) | undefined,
): Work<WrittenBatch> {
  const { parts, attachment } = resource;
  if (batch.emptiesQuarantine) yield* emptyQuarantine(attachment.schema, attachment.name);
  const prepared: PreparedChange[] = [];
  const refused: Refusal[] = [];
  // By id, why its last change was refused; undefined if it was accepted.
  const reasons = new Map<string, string | undefined>();
  for (const change of batch.changes) {
    const result = prepare(resource, change);
    const isRefused = result !== undefined && 'reason' in result;
    reasons.set(change.id, isRefused ? result.reason : undefined);
    if (isRefused) refused.push(result);
    else if (result !== undefined) prepared.push({ ...result, occurredAtMs: occurredAtMs?.(change) });
  }
  yield* keepQuarantine(resource, reasons);
  const { nowMs, newTag } = parts.options;
  const { moved } = yield* writeAlone(parts.database.dialect, prepared, nowMs(), newTag());
  if (batch.settle !== undefined) yield* batch.settle();
  return { moved, refused };
}

/** Undefined for a deletion whose id cannot belong to a record. */
function prepare(
  { parts, target, mapping }: AttachedResource,
  { id, image, refusedBytes, fault }: NetChange,
): PreparedChange | Refusal | undefined {
  const { name } = target.resource;
  const prepareOne = (change: StoreChange) =>
    prepareChanges([change], parts.resources, parts.options.maxRecordBytes)[0];
  if (fault !== undefined) return { id, reason: fault };
  if (refusedBytes != null) return { id, reason: tooLarge(refusedBytes, parts.options.maxRecordBytes) };
  if (image === null) {
    return faultOfId(id) === undefined ? prepareOne({ resource: name, op: 'delete', id }) : undefined;
  }
  const decoded = decodeImage(mapping, image);
  if ('fault' in decoded) return { id, reason: decoded.fault };
  try {
    return prepareOne({ resource: name, op: 'put', record: decoded.record });
  } catch (error) {
    if (error instanceof RecordInvalidError) {
      const faults = error.faults.slice(0, 3).map(({ pointer, message }) => `${pointer}: ${message}`);
      return { id, reason: faults.join('; ') };
    }
    if (error instanceof ChangeInvalidError) return { id, reason: error.message };
    throw error;
  }
}

function* keepQuarantine(
  { parts, attachment }: AttachedResource,
  reasons: ReadonlyMap<string, string | undefined>,
): Work<void> {
  const table = qualified(attachment.schema, 'quarantine');
  const entries = [...reasons].map(([id, reason]) => ({ id: quarantineId(id), reason }));
  const settled = entries.filter(({ reason }) => reason === undefined).map(({ id }) => id);
  if (settled.length > 0) {
    const { dialect } = parts.database;
    yield* send({
      kind: 'once',
      sql: `delete from ${table} where name = $1 and ${dialect.isAmong('id', '$2')}`,
      parameters: [attachment.name, dialect.listOf(settled)],
      isNumbered: true,
    });
  }
  const nowMs = parts.options.nowMs();
  const insert = `insert into ${table} (name, id, reason, since_ms) values ($1, $2, $3, $4)
    on conflict (name, id) do update set reason = excluded.reason`;
  for (const { id, reason } of entries) {
    if (reason === undefined) continue;
    const parameters = [attachment.name, id, reason, nowMs];
    yield* send({ kind: 'once', sql: insert, parameters, isNumbered: true });
  }
}

/** @param isLast whether the phase ends with this chunk */
export function chunkOf(
  { attachment }: AttachedResource,
  changes: readonly NetChange[],
  { rows, isCut, isLast }: Pick<Chunk, 'rows' | 'isCut'> & { readonly isLast: boolean },
  lastId: string | undefined,
): Chunk {
  const { phase, place, stamp } = attachment;
  const progress = isLast
    ? { phase: phase === 'load' ? ('sweep' as const) : ('live' as const), place: null, stamp }
    : { phase, place: lastId ?? place, stamp };
  return { changes, emptiesQuarantine: false, progress, movedRows: 0, rows, isCut };
}
