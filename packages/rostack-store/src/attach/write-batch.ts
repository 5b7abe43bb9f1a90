import type { StoreChange } from '../apply/change.ts';
import { type PreparedChange, prepareChanges } from '../apply/prepare-change.ts';
import { writeBatches } from '../apply/write-batches.ts';
import type { Work } from '../database/database.ts';
import { ChangeInvalidError, RecordInvalidError } from '../errors/index.ts';
import { faultOfId } from '../resource/record-id.ts';
import type { AttachedResource } from './attached-resource.ts';
import { emptyQuarantine, type Progress } from './attachment.ts';
import type { NetChange } from './coalesce.ts';
import { installedNames } from './installation.ts';
import { advance } from './leader-lease.ts';
import { quarantineId } from './quarantine.ts';
import { qualified, query } from './query.ts';
import { decodeImage } from './row-image.ts';

/** What a leader has read, of the table or of the inbox, and is to write in one transaction. */
export interface Batch {
  readonly changes: readonly NetChange[];
  /** Rows of the inbox that are done with. Others with smaller numbers may be committed at any time. */
  readonly numbers: readonly number[];
  /** Whether refused rows are forgotten: they are gone, or come back. */
  readonly emptiesQuarantine: boolean;
  readonly progress: Progress;
  /** Row changes that the inbox told of and are done with. */
  readonly movedRows: number;
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
 * Writes a batch to the log, as `apply` would. A record that is so already takes no position. A row that the resource refuses is
 * put into quarantine: its record stays as it was last accepted, until the row is accepted again or gone.
 * @throws DeposedError when this process leads no more
 */
export function* writeBatch(resource: AttachedResource, batch: Batch): Work<WrittenBatch> {
  const { parts, attachment } = resource;
  yield* advance(attachment, batch.progress);
  if (batch.emptiesQuarantine) yield* emptyQuarantine(attachment.schema, attachment.name);
  const prepared: PreparedChange[] = [];
  const refused: Refusal[] = [];
  // By id, what came of its last change: why it was refused, or nothing.
  const reasons = new Map<string, string | undefined>();
  for (const change of batch.changes) {
    const result = prepare(resource, change);
    const isRefused = result !== undefined && 'reason' in result;
    reasons.set(change.id, isRefused ? result.reason : undefined);
    if (isRefused) refused.push(result);
    else if (result !== undefined) prepared.push(result);
  }
  yield* keepQuarantine(resource, reasons);
  const { nowMs, newTag } = parts.options;
  const { outcomes, moved } = yield* writeBatches(parts.database.dialect, [prepared], nowMs(), newTag());
  for (const outcome of outcomes) {
    if ('error' in outcome) throw outcome.error;
  }
  if (batch.numbers.length > 0) {
    const { inbox } = installedNames(attachment);
    yield* query(`delete from ${inbox} where number = any($1::bigint[])`, [batch.numbers]);
  }
  return { moved, refused };
}

/** Undefined: a deletion of what can be no record. */
function prepare(
  { parts, target, mapping }: AttachedResource,
  { id, image }: NetChange,
): PreparedChange | Refusal | undefined {
  const { name } = target.resource;
  const prepareOne = (change: StoreChange) =>
    prepareChanges([change], parts.resources, parts.options.maxRecordBytes)[0];
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
    yield* query(`delete from ${table} where name = $1 and id = any($2::text[])`, [attachment.name, settled]);
  }
  const refused = entries.filter(({ reason }) => reason !== undefined);
  if (refused.length === 0) return;
  yield* query(
    `insert into ${table} (name, id, reason, since_ms)
      select $1, q.id, q.reason, $2 from unnest($3::text[], $4::text[]) as q (id, reason)
      on conflict (name, id) do update set reason = excluded.reason`,
    [
      attachment.name,
      parts.options.nowMs(),
      refused.map(({ id }) => id),
      refused.map(({ reason }) => reason),
    ],
  );
}
