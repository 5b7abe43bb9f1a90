import { setImmediate } from 'node:timers/promises';
import { faultOfId } from '../../schema/resource/record-id.ts';
import { type PreparedChange, prepareOwnRecord } from '../../write/apply/prepare-change.ts';
import { tooLarge } from '../row/carried-bytes.ts';
import type { NetChange } from '../row/net-change.ts';
import { decodeImage } from '../row/row-image.ts';
import type { AttachedResource } from './attached-resource.ts';
import type { Batch, Refusal } from './batch.ts';

/** Changes checked at a time: a few milliseconds, after which the event loop continues. */
const SLICE = 200;

/** A change that was checked: what it writes, why it is refused, or neither, for a deletion whose id cannot belong to a record. */
export interface CheckedChange {
  readonly id: string;
  readonly accepted?: PreparedChange;
  readonly reason?: string;
}

/** A batch that is ready to be written: the work that takes CPU time is done before the transaction begins. */
export type CheckedBatch<B extends Batch = Batch> = B & { readonly checked: readonly CheckedChange[] };

/**
 * Makes records of the rows of a batch and checks them, some at a time.
 * @param occurredAtMs when a change occurred, in ms since 1970; undefined for when it is written
 */
export async function checkBatch<B extends Batch>(
  resource: AttachedResource,
  batch: B,
  occurredAtMs: (change: NetChange) => number | undefined = () => undefined,
): Promise<CheckedBatch<B>> {
  const checked: CheckedChange[] = [];
  for (const change of batch.changes) {
    if (checked.length > 0 && checked.length % SLICE === 0) await setImmediate();
    checked.push(check(resource, change, occurredAtMs(change)));
  }
  return { ...batch, checked };
}

/** The rest of a batch without these ids. */
export function withoutIds<B extends Batch>(
  batch: CheckedBatch<B>,
  ids: ReadonlySet<string>,
): CheckedBatch<B> {
  return ids.size === 0 ? batch : { ...batch, checked: batch.checked.filter(({ id }) => !ids.has(id)) };
}

/** The refusals among the changes. */
export function refusalsOf(checked: readonly CheckedChange[]): readonly Refusal[] {
  return checked.flatMap(({ id, reason }) => (reason === undefined ? [] : { id, reason }));
}

function check(
  { parts, target, mapping }: AttachedResource,
  { id, image, refusedBytes, fault }: NetChange,
  occurredAtMs: number | undefined,
): CheckedChange {
  const { maxRecordBytes } = parts.options;
  const acceptedAs = (id: string, record: PreparedChange['record']): CheckedChange => ({
    id,
    accepted: { index: 0, target, id, record, event: undefined, expectedVersion: undefined, occurredAtMs },
  });
  if (fault !== undefined) return { id, reason: fault };
  if (refusedBytes != null) return { id, reason: tooLarge(refusedBytes, maxRecordBytes) };
  if (image === null) {
    return faultOfId(id) === undefined ? acceptedAs(id, undefined) : { id };
  }
  const decoded = decodeImage(mapping, image);
  if ('fault' in decoded) return { id, reason: decoded.fault };
  const prepared = prepareOwnRecord(decoded.record, target, maxRecordBytes);
  if ('faults' in prepared) {
    const faults = prepared.faults.slice(0, 3).map(({ pointer, message }) => `${pointer}: ${message}`);
    return { id, reason: faults.join('; ') };
  }
  return acceptedAs(prepared.id, prepared.record);
}
