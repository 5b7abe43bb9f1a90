import { type AttachedResource, read } from './attached-resource.ts';
import { attachmentTable } from './attachment.ts';
import { type BatchLimits, chooseBatch, type InboxEntry, sizeOf } from './choose-batch.ts';
import { coalesce, type InboxRow } from './coalesce.ts';
import { installedNames } from './installation.ts';
import { describeChange, type LayoutLook, layoutQuery } from './layout.ts';
import { DeposedError } from './leader-lease.ts';
import { qualified } from './query.ts';
import type { Batch, TableChange } from './write-batch.ts';

export const MOVE_LIMITS: BatchLimits = { maxRows: 2_000, fillRows: 500, maxBytes: 16 * 1_048_576 };

/** How many rows of the inbox are looked at, to keep transactions together. */
const LOOK_AHEAD_ROWS = 4_000;

/**
 * Reads what to move next from the inbox; undefined if nothing is waiting. The layout and the rows are read in one snapshot, so rows
 * written after a change of the table are never seen without that change.
 */
export async function readInbox(
  resource: AttachedResource,
  limits: BatchLimits = MOVE_LIMITS,
): Promise<Batch | TableChange | undefined> {
  const { attachment } = resource;
  const look = await lookAhead(resource);
  const change = describeChange(attachment.layout, look.layout);
  if (change !== undefined) return { change };
  if (look.stamp !== attachment.stamp || look.entries.some(({ kind }) => kind === 'e')) {
    return readAgain(look);
  }
  if (look.entries.length === 0) return undefined;
  const { phase, place, stamp } = attachment;
  const groups = chooseBatch(look.entries, limits);
  const numbers = groups.flat().map(({ number }) => number);
  const batch = { numbers, emptiesQuarantine: false, progress: { phase, place, stamp } };
  const rows = await read<InboxRow>(
    resource,
    `select number, kind, array_to_json(gone)::text as gone, array_to_json(rows)::text as rows
      from ${installedNames(attachment).inbox} where number = any($1::bigint[])`,
    [numbers],
  );
  const byNumber = new Map(rows.map((row) => [row.number, row]));
  const effects = groups.map((group) => coalesce(group.flatMap(({ number }) => byNumber.get(number) ?? [])));
  const changes = effects.flatMap((effect) => effect.changes);
  const movedRows = sizeOf(groups.flat());
  // A transaction that truncates is alone in its batch.
  if (effects[0]?.isTruncated !== true) return { ...batch, changes, movedRows };
  const records = await readRecordIds(resource, limits.maxRows + 1);
  // More than can be written at once: the rest follows when the inbox is read again.
  const isUnfinished = records.length > limits.maxRows;
  const kept = new Set(isUnfinished ? [] : changes.map(({ id }) => id));
  const gone = records.filter((id) => !kept.has(id)).map((id) => ({ id, image: null }));
  if (isUnfinished) return { ...batch, changes: gone, numbers: [], movedRows: 0 };
  return { ...batch, changes: [...gone, ...changes], emptiesQuarantine: true, movedRows };
}

interface Look extends LayoutLook {
  readonly entries: readonly InboxEntry[];
}

/** What is waiting, read as a text, which takes a third of the time of an array. @throws DeposedError if this process no longer leads */
async function lookAhead(resource: AttachedResource): Promise<Look> {
  const { attachment } = resource;
  const [row] = await read<LayoutLook & { readonly term: number | null; readonly entries: string | null }>(
    resource,
    `select look.*, (select term from ${attachmentTable(attachment.schema)} where name = $1) as term,
        (select string_agg(concat_ws(' ', number, xid, kind, size,
          coalesce(pg_column_size(gone), 0) + coalesce(pg_column_size(rows), 0)), ',' order by number)
        from (select * from ${installedNames(attachment).inbox} order by number limit ${LOOK_AHEAD_ROWS}) w) as entries
      from (${layoutQuery(attachment)}) as look`,
    [attachment.name],
  );
  if (row?.term !== attachment.term) throw new DeposedError(`term ${attachment.term} is over`);
  const entries = (row.entries?.split(',') ?? []).map((text): InboxEntry => {
    const [number, xid = '', kind, size, bytes] = text.split(' ');
    return {
      number: Number(number),
      xid,
      kind: kind as InboxEntry['kind'],
      size: Number(size),
      bytes: Number(bytes),
    };
  });
  return { ...row, entries };
}

/**
 * Starts reading the whole table again. The rows that wait in the inbox add nothing then and may have another layout, so they are dropped
 * first, a limited number at a time. An empty stamp means that dropping is not finished.
 */
function readAgain({ entries, stamp }: Look): Batch {
  const isDone = entries.length < LOOK_AHEAD_ROWS;
  return {
    changes: [],
    numbers: entries.map(({ number }) => number),
    emptiesQuarantine: true,
    progress: { phase: 'load', place: null, stamp: isDone ? stamp : '' },
    movedRows: 0,
  };
}

async function readRecordIds(resource: AttachedResource, limit: number): Promise<readonly string[]> {
  const { attachment, target } = resource;
  const table = qualified(attachment.schema, target.tables.record);
  const rows = await read<{ id: string }>(resource, `select id from ${table} limit ${limit}`);
  return rows.map(({ id }) => id);
}
