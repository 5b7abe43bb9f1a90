import { receive, send, type Work } from '../../drivers/database.ts';
import type { MovedLog } from '../../log/watch/moved-log.ts';
import { noneStored } from '../../write/apply/stored-versions.ts';
import { writeAlone } from '../../write/apply/write-batches.ts';
import { type Attachment, emptyQuarantine } from '../attachment/attachment.ts';
import { advance } from '../attachment/leader-lease.ts';
import { quarantineId } from '../attachment/quarantine.ts';
import { qualified } from '../source/query.ts';
import type { StoreParts } from '../source/store-parts.ts';
import type { AttachedResource } from './attached-resource.ts';
import type { Refusal } from './batch.ts';
import { type CheckedBatch, type CheckedChange, refusalsOf } from './check-batch.ts';

export interface WrittenBatch {
  readonly moved: readonly MovedLog[];
  readonly refused: readonly Refusal[];
}

/**
 * Writes a batch to the log, as `apply` would. A record that is unchanged takes no position. A row that the resource refuses is put into
 * quarantine: its record stays as it was last accepted, until the row is accepted or gone.
 * @throws DeposedError if this process no longer leads
 */
export function writeBatch(resource: AttachedResource, batch: CheckedBatch): Work<WrittenBatch> {
  return advance(resource.attachment, batch.progress, () => writeChanges(resource, batch));
}

function* writeChanges(
  { parts, attachment, copy }: AttachedResource,
  batch: CheckedBatch,
): Work<WrittenBatch> {
  const { schema, name } = attachment;
  if (batch.emptiesQuarantine) yield* emptyQuarantine(schema, name);
  const quarantined = yield* send({
    kind: 'once',
    sql: `select 1 from ${qualified(schema, 'quarantine')} where name = $1 limit 1`,
    parameters: [name],
    isNumbered: true,
  });
  const accepted = batch.checked.flatMap((change) => change.accepted ?? []);
  const { nowMs, newTag } = parts.options;
  const { moved } = yield* writeAlone(parts.database.dialect, accepted, nowMs(), newTag(), {
    known: copy?.isAlone === true ? noneStored() : undefined,
  });
  const refused = refusalsOf(batch.checked);
  const wereSome = (yield* receive(quarantined)).length > 0;
  if (wereSome || refused.length > 0) yield* keepQuarantine(parts, attachment, batch.checked);
  if (batch.settle !== undefined) yield* batch.settle();
  return { moved, refused };
}

function* keepQuarantine(
  parts: StoreParts,
  attachment: Attachment,
  checked: readonly CheckedChange[],
): Work<void> {
  const table = qualified(attachment.schema, 'quarantine');
  // By id, why its last change was refused; undefined if it was accepted.
  const reasons = new Map(checked.map(({ id, reason }) => [id, reason]));
  const entries = [...reasons].map(([id, reason]) => ({ id: quarantineId(id), reason }));
  const settled = entries.filter(({ reason }) => reason === undefined).map(({ id }) => id);
  if (settled.length > 0) {
    const { dialect } = parts.database;
    yield* send({
      kind: 'once',
      sql: `delete from ${table} where name = $1 and ${dialect.isAmong('id', '$2')}`,
      parameters: [attachment.name, dialect.listOf(settled)],
      isNumbered: true,
      isKept: true,
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
