import type { StoreChange } from '../apply/change.ts';
import { type PreparedChange, prepareChanges } from '../apply/prepare-change.ts';
import { writeBatches } from '../apply/write-batches.ts';
import type { Work } from '../database/database.ts';
import { ChangeInvalidError, RecordInvalidError } from '../errors/index.ts';
import { faultOfId } from '../resource/record-id.ts';
import type { StoredResource } from '../schema/stored-resource.ts';
import type { AttachedResource } from './attached-resource.ts';
import type { NetChange } from './coalesce.ts';
import { decodeImage } from './decode-image.ts';
import { keepQuarantine } from './quarantine.ts';

/** A row that the resource refuses. */
export interface Refusal {
  readonly id: string;
  readonly reason: string;
}

export interface WrittenChanges {
  /** Names of the resources whose head moved. */
  readonly moved: readonly string[];
  readonly refused: readonly Refusal[];
}

/**
 * Writes changes of a table to the log, as `apply` would. A record that is so already takes no position. A row that the resource refuses is
 * put into quarantine: its record stays as it was last accepted, until the row is accepted again or gone.
 */
export function* writeNetChanges(
  resource: AttachedResource,
  changes: readonly NetChange[],
): Work<WrittenChanges> {
  const { dialect, nowMs, newTag, target } = resource;
  const targets = new Map([[target.resource.name, target]]);
  const batch: PreparedChange[] = [];
  const refused: Refusal[] = [];
  // By id, what came of its last change: why it was refused, or nothing.
  const reasons = new Map<string, string | undefined>();
  for (const change of changes) {
    const prepared = prepare(resource, targets, change);
    const isRefused = prepared !== undefined && 'reason' in prepared;
    reasons.set(change.id, isRefused ? prepared.reason : undefined);
    if (isRefused) refused.push(prepared);
    else if (prepared !== undefined) batch.push(prepared);
  }
  yield* keepQuarantine(resource, reasons);
  const { outcomes, moved } = yield* writeBatches(dialect, [batch], nowMs(), newTag());
  for (const outcome of outcomes) {
    if ('error' in outcome) throw outcome.error;
  }
  return { moved, refused };
}

/** Undefined: a deletion of what can be no record. */
function prepare(
  { target, mapping, maxRecordBytes }: AttachedResource,
  targets: ReadonlyMap<string, StoredResource>,
  { id, image }: NetChange,
): PreparedChange | Refusal | undefined {
  const { name } = target.resource;
  const prepareOne = (change: StoreChange) => prepareChanges([change], targets, maxRecordBytes)[0];
  if (image === undefined) {
    return faultOfId(id) === undefined ? prepareOne({ resource: name, op: 'delete', id }) : undefined;
  }
  const decoded = decodeImage(mapping, image);
  if ('fault' in decoded) return { id, reason: `${decoded.fault.pointer}: ${decoded.fault.message}` };
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
