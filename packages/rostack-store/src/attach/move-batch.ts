import { sql } from 'kysely';
import { run, type Work } from '../database/database.ts';
import { once } from '../database/dialect.ts';
import { type AttachedResource, DeposedError } from './attached-resource.ts';
import { type Attachment, readAttachment } from './attachment.ts';
import { type BatchLimits, chooseBatch, type InboxEntry, type InboxGroup, sizeOf } from './choose-batch.ts';
import { coalesce, type InboxRow, type NetChange } from './coalesce.ts';
import { qualified } from './installation.ts';
import { describeChange, type LayoutLook, layoutQuery } from './layout.ts';
import { emptyQuarantine } from './quarantine.ts';
import { keptIdExpression, keptImageExpression } from './row-type.ts';
import { type Refusal, writeNetChanges } from './write-net-changes.ts';

export interface MoveLimits extends BatchLimits {
  /** Rows of the table that are looked at to keep transactions together; the last row of the inbox may tell of some more. */
  readonly lookAheadRows: number;
}

export const MOVE_LIMITS: MoveLimits = { maxRows: 2_000, maxBytes: 16 * 1_048_576, lookAheadRows: 4_000 };

/** Rows of the inbox that one transaction drops when the table is read again. */
const DROPPED_ROWS = 20_000;

/** A transaction that stands still while it holds locks is ended by the server after this time. */
const MAX_PAUSE_MS = 5_000;

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
  const written = yield* moveGroups(resource, groups, limits.maxRows);
  return {
    kind: 'moved',
    rows: written.isPart ? 0 : taken,
    moved: written.moved,
    refused: written.refused,
    hasMore: written.isPart || taken < seen || seen >= limits.lookAheadRows,
    attachment,
  };
}

/** Begins a transaction of the leader. @throws DeposedError when somebody else has taken over */
export function* lockAttachment({ dialect, attachment }: AttachedResource): Work<Attachment> {
  // The texts of a table's columns depend on the last two.
  const settings = `select set_config('idle_in_transaction_session_timeout', '${MAX_PAUSE_MS}', true),
    set_config('extra_float_digits', '1', true), set_config('intervalstyle', 'iso_8601', true)`;
  yield* run({ kind: 'once', sql: settings, parameters: [] });
  const present = yield* readAttachment(dialect, attachment.name, true);
  if (present?.term === attachment.term) return present;
  throw new DeposedError(`term ${attachment.term} is over`);
}

interface Look extends LayoutLook {
  readonly entries: readonly InboxEntry[];
}

function* lookAhead(resource: AttachedResource, { lookAheadRows }: MoveLimits): Work<Look> {
  const { schema, names, attachment } = resource;
  const inbox = qualified(schema, names.inbox);
  const [row] = yield* run<Omit<Look, 'entries'> & { readonly entries: string | null }>({
    kind: 'once',
    sql: `select look.*, (select string_agg(concat_ws(' ', number, xid, kind, size, bytes), ',') from (
        select number, xid, kind, size, coalesce(pg_column_size(gone), 0) + coalesce(pg_column_size(rows), 0) as bytes,
          sum(size) over (order by number rows unbounded preceding) as seen
        from ${inbox} order by number limit ${lookAheadRows}) as i where seen - size < ${lookAheadRows}) as entries
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

interface MovedGroups {
  readonly moved: readonly string[];
  readonly refused: readonly Refusal[];
  /** Whether the rows stay, because a truncation needs more transactions. */
  readonly isPart: boolean;
}

function* moveGroups(
  resource: AttachedResource,
  groups: readonly InboxGroup[],
  maxRows: number,
): Work<MovedGroups> {
  if (groups.length === 0) return { moved: [], refused: [], isPart: false };
  const rows = yield* takeRows(resource, groups);
  const changes: NetChange[] = [];
  for (const group of groups) {
    const effect = coalesce(group.flatMap(({ number }) => rows.get(number) ?? []));
    if (effect.isTruncated) {
      const ids = yield* readIds(resource, maxRows + 1);
      if (ids.length > maxRows)
        return { ...(yield* writeNetChanges(resource, ids.map(toGone))), isPart: true };
      const kept = new Set(effect.changes.map(({ id }) => id));
      changes.push(...ids.filter((id) => !kept.has(id)).map(toGone));
    }
    changes.push(...effect.changes);
  }
  yield* deleteRows(resource, groups);
  return { ...(yield* writeNetChanges(resource, changes)), isPart: false };
}

function toGone(id: string): NetChange {
  return { id, image: undefined };
}

/** By the number of the inbox's row: what it tells, keys that are gone first. */
function* takeRows(
  { schema, names, attachment }: AttachedResource,
  groups: readonly InboxGroup[],
): Work<ReadonlyMap<number, readonly InboxRow[]>> {
  const rows = yield* run<InboxRow>({
    kind: 'once',
    sql: `select i.number, i.kind, c.gone, c.id, c.image
      from ${qualified(schema, names.inbox)} i left join lateral (
        select 1 as part, g.ordinality as place, g.key::text as gone, null as id, null as image
          from unnest(i.gone) with ordinality g (key)
        union all
        select 2, u.ordinality, null, ${keptIdExpression('u')}, array_to_json(${keptImageExpression(attachment.columns, 'u')})::text
          from unnest(i.rows) with ordinality u) c on true
      where i.number = any($1::bigint[]) order by i.number, c.part, c.place`,
    parameters: [numbersOf(groups)],
  });
  return Map.groupBy(rows, ({ number }) => number);
}

/** Exactly the rows that were read: others with smaller numbers may be committed at any time. */
function* deleteRows({ schema, names }: AttachedResource, groups: readonly InboxGroup[]): Work<void> {
  yield* run({
    kind: 'once',
    sql: `delete from ${qualified(schema, names.inbox)} where number = any($1::bigint[])`,
    parameters: [numbersOf(groups)],
  });
}

function numbersOf(groups: readonly InboxGroup[]): number[] {
  return groups.flatMap((group) => group.map(({ number }) => number));
}

function* readIds({ dialect, target }: AttachedResource, limit: number): Work<readonly string[]> {
  const rows = yield* run<{ id: string }>(
    once(dialect, sql`select id from ${dialect.table(target.tables.record)} limit ${limit}`),
  );
  return rows.map(({ id }) => id);
}
