import { sql } from 'kysely';
import { run, type Work } from '../database/database.ts';
import { once } from '../database/dialect.ts';
import { type AttachedResource, DeposedError } from './attached-resource.ts';
import { type Attachment, readAttachment } from './attachment.ts';
import { chooseBatch, type InboxEntry, sizeOf } from './choose-batch.ts';
import { qualified } from './installation.ts';
import { describeChange, type LayoutLook, layoutQuery } from './layout.ts';
import { moveGroups } from './move-groups.ts';
import type { MoveLimits } from './move-limits.ts';
import { emptyQuarantine } from './quarantine.ts';
import type { Refusal } from './write-net-changes.ts';

/** Rows of the inbox that one transaction drops when the table is read again. */
const DROPPED_ROWS = 20_000;

export type MoveOutcome =
  | {
      readonly kind: 'moved';
      /** Row changes that are done with. */
      readonly rows: number;
      readonly moved: readonly string[];
      readonly refused: readonly Refusal[];
      /** Whether rows were left. */
      readonly hasMore: boolean;
      readonly attachment: Attachment;
    }
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
  const taken = sizeOf(groups.flat());
  const seen = sizeOf(look.entries);
  const written = yield* moveGroups(resource, groups, limits);
  return {
    kind: 'moved',
    rows: written.isUnfinished ? 0 : taken,
    moved: written.moved,
    refused: written.refused,
    hasMore: written.isUnfinished || taken < seen || seen >= limits.lookAheadRows,
    attachment,
  };
}

/** Begins a transaction of the leader. @throws DeposedError when somebody else has taken over */
export function* lockAttachment({ dialect, attachment }: AttachedResource): Work<Attachment> {
  // The texts of a table's columns depend on them.
  const settings = `select set_config('extra_float_digits', '1', true), set_config('intervalstyle', 'iso_8601', true)`;
  yield* run({ kind: 'once', sql: settings, parameters: [] });
  const present = yield* readAttachment(dialect, attachment.name, true);
  if (present?.term === attachment.term) return present;
  throw new DeposedError(`term ${attachment.term} is over`);
}

interface Look extends LayoutLook {
  readonly entries: readonly InboxEntry[];
}

/** What waits, and how many bytes it is in memory: what is stored compressed is looked into, as far as a batch can reach. */
function* lookAhead(resource: AttachedResource, { lookAheadRows, maxBytes }: MoveLimits): Work<Look> {
  const { schema, names, attachment } = resource;
  const inbox = qualified(schema, names.inbox);
  const raw = `select coalesce(pg_column_size(r.gone), 0) + pg_column_size(array_cat(r.rows, '{}')) from ${inbox} r where r.number = i.number`;
  const [row] = yield* run<Omit<Look, 'entries'> & { readonly entries: string | null }>({
    kind: 'once',
    sql: `select look.*, (select string_agg(concat_ws(' ', number, xid, kind, size,
        case when is_compressed and before < ${maxBytes} then (${raw}) else bytes end), ',')
      from (select w.*, sum(size) over o as seen, sum(bytes) over o - bytes as before from (
          select number, xid, kind, size, coalesce(pg_column_size(gone), 0) + coalesce(pg_column_size(rows), 0) as bytes,
            pg_column_compression(rows) is not null as is_compressed
          from ${inbox} order by number limit ${lookAheadRows}) w
        window o as (order by number rows unbounded preceding)) as i where seen - size < ${lookAheadRows}) as entries
      from (${layoutQuery({ schema, names, ...attachment })}) as look`,
    parameters: [],
  });
  const entries = (row?.entries?.split(',') ?? []).map(toEntry).sort((a, b) => a.number - b.number);
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

/**
 * The table is read as a whole again. What waits in the inbox now tells nothing new then, and may be of another layout: it is dropped
 * first, some rows at a time. An empty stamp stands for a drop that is not finished.
 */
function* readAgain(
  { dialect, schema, names }: AttachedResource,
  attachment: Attachment,
  stamp: string,
): Work<Attachment> {
  const inbox = qualified(schema, names.inbox);
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
