import { run, type Work } from '../database/database.ts';
import { once } from '../database/dialect.ts';
import { sql } from '../database/sql.ts';
import { type AttachedResource, DeposedError } from './attached-resource.ts';
import { type Attachment, readAttachment } from './attachment.ts';
import { type BatchLimits, chooseBatch, type InboxEntry, type InboxGroup, sizeOf } from './choose-batch.ts';
import { coalesce, type InboxRow, type NetChange } from './coalesce.ts';
import { inboxOf } from './inbox.ts';
import { describeChange, type LayoutLook, layoutQuery } from './layout.ts';
import { emptyQuarantine } from './quarantine.ts';
import { type WrittenChanges, writeNetChanges } from './write-net-changes.ts';

/** How much of the inbox is moved at once. */
export interface MoveLimits extends BatchLimits {
  /** Rows of the inbox that are looked at to keep transactions together. */
  readonly lookAheadRows: number;
}

export const MOVE_LIMITS: MoveLimits = {
  maxRows: 2_000,
  fillRows: 500,
  maxBytes: 16 * 1_048_576,
  lookAheadRows: 4_000,
};

/** Rows of the inbox that one transaction drops when the table is read again. */
const DROPPED_ROWS = 20_000;

export type MoveOutcome =
  | (WrittenChanges & {
      readonly kind: 'moved';
      /** Row changes that are done with. */
      readonly rows: number;
      /** Whether rows were left. */
      readonly hasMore: boolean;
      readonly attachment: Attachment;
    })
  /** The table is not as it was attached: nothing was moved. */
  | { readonly kind: 'stopped'; readonly reason: string };

/**
 * Moves committed rows of the inbox into the log, in one transaction. The layout and the rows are seen in one snapshot: rows that
 * were written after a change of the table are never seen without it.
 * @throws DeposedError when this process leads no more
 */
export function* moveBatch(resource: AttachedResource, limits: MoveLimits): Work<MoveOutcome> {
  const attachment = yield* lockAttachment(resource);
  const look = yield* lookAhead(resource, limits);
  const reason = describeChange(attachment.layout, look.layout);
  if (reason !== undefined) return { kind: 'stopped', reason };
  if (look.stamp !== attachment.stamp || look.entries.some(({ kind }) => kind === 'e')) {
    const read = yield* readAgain(resource, attachment, look.stamp);
    return { kind: 'moved', rows: 0, moved: [], refused: [], hasMore: true, attachment: read };
  }
  const groups = chooseBatch(look.entries, limits);
  const { changes, isUnfinished } = yield* readChanges(resource, groups, limits);
  const written = yield* writeNetChanges(resource, changes);
  if (!isUnfinished) yield* dropRows(resource, groups);
  const taken = groups.flat();
  return {
    kind: 'moved',
    ...written,
    rows: isUnfinished ? 0 : sizeOf(taken),
    hasMore:
      isUnfinished || taken.length < look.entries.length || look.entries.length >= limits.lookAheadRows,
    attachment,
  };
}

/** Begins a transaction of the leader. @throws DeposedError when somebody else has taken over */
export function* lockAttachment({ dialect, attachment }: AttachedResource): Work<Attachment> {
  const present = yield* readAttachment(dialect, attachment.name, true);
  if (present?.term === attachment.term) return present;
  throw new DeposedError(`term ${attachment.term} is over`);
}

interface Look extends LayoutLook {
  readonly entries: readonly InboxEntry[];
}

/** What waits. */
function* lookAhead(resource: AttachedResource, { lookAheadRows }: MoveLimits): Work<Look> {
  const { names, attachment } = resource;
  const [row] = yield* run<LayoutLook & { readonly entries: string | null }>({
    kind: 'once',
    sql: `select look.*, (select string_agg(concat_ws(' ', number, xid, kind, size,
        coalesce(pg_column_size(gone), 0) + coalesce(pg_column_size(rows), 0)), ',' order by number)
      from (select * from ${inboxOf(resource)} order by number limit ${lookAheadRows}) w) as entries
      from (${layoutQuery({ names, ...attachment })}) as look`,
    parameters: [],
  });
  const entries = (row?.entries?.split(',') ?? []).map(toEntry);
  return { layout: row?.layout ?? null, stamp: row?.stamp ?? '', entries };
}

/** @param text number, transaction, kind, size and bytes: a text of them is made in a third of the time of an array */
function toEntry(text: string): InboxEntry {
  const [number, xid = '', kind, size, bytes] = text.split(' ');
  return {
    number: Number(number),
    xid,
    kind: kind as InboxEntry['kind'],
    size: Number(size),
    bytes: Number(bytes),
  };
}

/** What chosen transactions did; `isUnfinished`: a truncation does more than is there to be written at once. */
function* readChanges(
  resource: AttachedResource,
  groups: readonly InboxGroup[],
  { maxRows }: MoveLimits,
): Work<{ readonly changes: readonly NetChange[]; readonly isUnfinished: boolean }> {
  const rows = yield* run<InboxRow>({
    kind: 'once',
    sql: `select number, kind, array_to_json(gone)::text as gone, array_to_json(rows)::text as rows
      from ${inboxOf(resource)} where number = any($1::bigint[])`,
    parameters: [numbersOf(groups)],
  });
  const byNumber = new Map(rows.map((row) => [row.number, row]));
  const changes: NetChange[] = [];
  for (const group of groups) {
    const effect = coalesce(group.flatMap(({ number }) => byNumber.get(number) ?? []));
    if (effect.isTruncated) {
      const ids = yield* readIds(resource, maxRows + 1);
      if (ids.length > maxRows) return { changes: ids.map(toGone), isUnfinished: true };
      yield* emptyQuarantine(resource.dialect, resource.attachment.name);
      const kept = new Set(effect.changes.map(({ id }) => id));
      changes.push(...ids.filter((id) => !kept.has(id)).map(toGone));
    }
    changes.push(...effect.changes);
  }
  return { changes, isUnfinished: false };
}

function toGone(id: string): NetChange {
  return { id, image: undefined };
}

function* readIds({ dialect, target }: AttachedResource, limit: number): Work<readonly string[]> {
  const rows = yield* run<{ id: string }>(
    once(dialect, sql`select id from ${dialect.table(target.tables.record)} limit ${limit}`),
  );
  return rows.map(({ id }) => id);
}

/** Exactly the rows that were read: others with smaller numbers may be committed at any time. */
function* dropRows(resource: AttachedResource, groups: readonly InboxGroup[]): Work<void> {
  yield* run({
    kind: 'once',
    sql: `delete from ${inboxOf(resource)} where number = any($1::bigint[])`,
    parameters: [numbersOf(groups)],
  });
}

function numbersOf(groups: readonly InboxGroup[]): number[] {
  return groups.flatMap((group) => group.map(({ number }) => number));
}

/**
 * The table is read as a whole again. What waits in the inbox now tells nothing new then, and may be of another layout: it is dropped
 * first, some rows at a time. An empty stamp means that the drop is not finished.
 */
function* readAgain(resource: AttachedResource, attachment: Attachment, stamp: string): Work<Attachment> {
  const { dialect } = resource;
  const inbox = inboxOf(resource);
  yield* emptyQuarantine(dialect, attachment.name);
  const [dropped] = yield* run<{ rows: number }>({
    kind: 'once',
    sql: `with dropped as (
        delete from ${inbox} where number in (select number from ${inbox} order by number limit ${DROPPED_ROWS}) returning 1)
      select count(*) as rows from dropped`,
    parameters: [],
  });
  const isDone = (dropped?.rows ?? 0) < DROPPED_ROWS;
  const next = { phase: 'load', place: null, stamp: isDone ? stamp : '' } as const;
  yield* run(
    once(
      dialect,
      sql`update ${dialect.table('attachment')} set phase = ${next.phase}, place = null, stamp = ${next.stamp} where name = ${attachment.name}`,
    ),
  );
  return { ...attachment, ...next };
}
