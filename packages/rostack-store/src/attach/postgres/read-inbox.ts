import { parseTrustedJson } from 'rostack-core';
import { send, type Work } from '../../drivers/database.ts';
import { type Attachment, attachmentTable } from '../attachment/attachment.ts';
import { installedNames } from '../attachment/installation.ts';
import { describeChange, type LayoutLook } from '../attachment/layout.ts';
import { DeposedError } from '../attachment/leader-lease.ts';
import { type AttachedResource, read, readWithLooks } from '../batch/attached-resource.ts';
import type { Batch, TableChange } from '../batch/write-batch.ts';
import { CHUNK_BYTES, carriedBytes } from '../row/carried-bytes.ts';
import type { NetChange } from '../row/net-change.ts';
import { imageExpression } from '../row/row-image.ts';
import { isKeyOf, keyFault, keyTexts, keyTextsOf, keyValues } from '../row/table-key.ts';
import { readAround, unread } from '../row/unreadable-row.ts';
import { qualified } from '../source/query.ts';
import { renamed } from './read-table.ts';
import { rowBytes, unreadBytes } from './row-bytes.ts';

/** The most that one batch brings of what triggers have noted; a row at least. */
export interface BatchLimits {
  /** Rows of the table. */
  readonly maxRows: number;
  /** Bytes of their ids and texts. */
  readonly maxBytes: number;
  /** Why the values of these rows cannot be read, so that they are not. */
  readonly unreadable?: string | undefined;
}

export const MOVE_LIMITS: BatchLimits = { maxRows: 2_000, maxBytes: CHUNK_BYTES };

const MAX_INT = 2_147_483_647;
/** The most notes that are looked at. */
const MAX_NOTES = 4_000;
/** The most records that are compared with a truncated table at once. */
const MAX_RECORDS = 4_000;

/**
 * Reads what to move next; undefined if nothing is waiting. The inbox has only ids, and the rows are read as they are now, in the snapshot
 * that shows the notes. So a batch takes the records from one committed state of the table to another, or part of the way
 * if more has changed than fits into it.
 */
export async function readInbox(
  resource: AttachedResource,
  limits: BatchLimits = MOVE_LIMITS,
): Promise<Batch | TableChange | undefined> {
  try {
    return await readAround(limits.maxRows, (maxRows, unreadable) =>
      readNext(resource, { ...limits, maxRows, unreadable }),
    );
  } catch (error) {
    // What names something that is no longer there, or is of another form, fails before it can say so.
    const instead = error instanceof DeposedError ? undefined : await insteadOfNotes(resource);
    if (instead === undefined) throw error;
    return instead;
  }
}

async function readNext(
  resource: AttachedResource,
  limits: BatchLimits,
): Promise<Batch | TableChange | undefined> {
  const { attachment, target } = resource;
  const { look, kinds, batch: noted } = await readNoted(resource, limits, 'w', []);
  const change = describeChange(attachment.layout, look.layout);
  if (change !== undefined) return { change };
  if (isReadAgain(attachment, look, kinds)) return readAgain(resource, look.stamp);
  if (kinds.size === 0) return undefined;
  if (!kinds.has('t')) return noted;
  // Other records may have ids that no key makes, before they are compared with the table for the first time.
  if (attachment.phase !== 'live') return readAgain(resource, look.stamp);
  const records = await read<{ id: string }>(
    resource,
    `select id from ${qualified(attachment.schema, target.tables.record)} limit ${MAX_RECORDS + 1}`,
  );
  if (records.length > MAX_RECORDS) return readAgain(resource, look.stamp);
  const compared = await readNoted(resource, limits, 'wt', records);
  return compared.look.stamp === attachment.stamp && compared.batch.isWhole === true
    ? { ...compared.batch, emptiesQuarantine: true }
    : readAgain(resource, look.stamp);
}

/** What is to be done where notes cannot be read; undefined if they should be. */
async function insteadOfNotes(resource: AttachedResource): Promise<Batch | TableChange | undefined> {
  const { attachment } = resource;
  const [look] = (await readWithLooks(resource, [attachment], 'select')).looks;
  if (look === undefined) return undefined;
  const change = describeChange(attachment.layout, look.layout);
  if (change !== undefined) return { change };
  const [row] = await read<{ readonly kinds: string | null }>(
    resource,
    `select (${kindsQuery(attachment)}) as kinds`,
  );
  return isReadAgain(attachment, look, new Set(row?.kinds)) ? readAgain(resource, look.stamp) : undefined;
}

/** Whether notes add nothing, since the whole table has to be read: it was changed, or what happened could not be captured. */
function isReadAgain({ stamp }: Attachment, look: LayoutLook, kinds: ReadonlySet<string>): boolean {
  return look.stamp !== stamp || kinds.has('e');
}

/** SQL: the kinds of the notes that wait, as one text. */
function kindsQuery(attachment: Attachment): string {
  return `select string_agg(distinct w.kind::text, '') from (
    select kind from ${installedNames(attachment).inbox} order by noted limit ${MAX_NOTES}) w`;
}

/** A note, told from all others by its mark; its place finds it. */
type Note = readonly [place: string, mark: string, ids: number];

interface Noted {
  readonly notes: readonly Note[];
  /** The number of the first id that did not fit, counted from 1 through all notes; null if all did. */
  readonly cut: number | null;
  /** Whether these are all notes that wait. */
  readonly isAll: boolean;
  readonly rows: readonly NetChange[];
  /** Records that have no row. */
  readonly missing: readonly string[];
}

interface ReadNotes {
  /** Moves the notes, if the table is as it was attached. */
  readonly batch: Batch;
  /** How the table was. */
  readonly look: LayoutLook;
  /** The kinds of the notes that wait, also of those that were not to be read. */
  readonly kinds: ReadonlySet<string>;
}

/**
 * Reads the rows that the oldest notes name. The batch ends where its rows become too many bytes; see `readRows`.
 * @param kinds of notes: those of others wait for the next time
 * @param records all there are if the table was truncated
 * @throws DeposedError if this process no longer leads
 */
async function readNoted(
  resource: AttachedResource,
  limits: BatchLimits,
  kinds: 'w' | 'wt',
  records: readonly { readonly id: string }[],
): Promise<ReadNotes> {
  const { attachment } = resource;
  const keys = records.map(({ id }) => [id, ...(idTexts(attachment, id) ?? [])]);
  const found = await readWithLooks<{ term: number | null; kinds: string | null; noted: string }>(
    resource,
    [attachment],
    `select (select term from ${attachmentTable(attachment.schema)} where name = $2) as term,
        (${kindsQuery(attachment)}) as kinds, (${notedQuery(resource, limits, kinds)})::text as noted`,
    [JSON.stringify(keys), attachment.name],
    // However small the table was when its statistics were made, its rows are found by the key's index.
    ['enable_seqscan = off', 'jit = off'],
  );
  const [[row], [look]] = [found.rows, found.looks];
  if (row?.term !== attachment.term || look === undefined)
    throw new DeposedError(`term ${attachment.term} is over`);
  const { notes, cut, isAll, rows, missing } = parseTrustedJson(row.noted) as Noted;
  const done = takeUntil(notes, cut ?? Number.POSITIVE_INFINITY);
  const { phase, place, stamp } = attachment;
  const batch: Batch = {
    changes: [
      ...missing.map((id) => ({ id, image: null })),
      ...(limits.unreadable === undefined ? rows : unread(rows, limits.unreadable)),
    ],
    settle: () => settle(attachment, done, cut !== null),
    emptiesQuarantine: false,
    progress: { phase, place, stamp },
    movedRows: done.reduce((sum, [, , ids]) => sum + ids, 0),
    isWhole: isAll && cut === null,
  };
  return { batch, look, kinds: new Set(row.kinds) };
}

function idTexts({ key }: Attachment, id: string): readonly string[] | undefined {
  return keyFault(key, id) === undefined ? keyTexts(key.length, id) : undefined;
}

/** The notes of which all or the first ids come before a number, with how many of them do. */
function takeUntil(notes: readonly Note[], end: number): readonly Note[] {
  let next = 1;
  const done: Note[] = [];
  for (const [place, mark, ids] of notes) {
    const count = Math.min(ids, end - next);
    if (count > 0 || next < end) done.push([place, mark, count]);
    next += ids;
  }
  return done;
}

/** SQL: one JSON value, `Noted`. Only of the rows that fit images are made; see `readRows` of `read-table.ts`. */
function notedQuery(
  { attachment, parts }: AttachedResource,
  { maxRows, maxBytes, unreadable }: BatchLimits,
  kinds: 'w' | 'wt',
): string {
  const { source } = attachment;
  const { inbox } = installedNames(attachment);
  const { table, columns } = renamed(attachment);
  const maxRecordBytes = carriedBytes(parts.options.maxRecordBytes);
  const bytes = unreadable === undefined ? rowBytes(table, 'r', maxRecordBytes) : unreadBytes(maxRecordBytes);
  const values = keyValues(attachment, keyTextsOf(attachment.key.length, 'k.id'));
  const sought = keyValues(
    attachment,
    attachment.key.map((_, index) => `(c.texts ->> ${index + 1})`),
  );
  const from = `only ${qualified(source.schema, source.table)} t`;
  // What is beyond the batch may have values that cannot be read.
  const isMeasured = `(r.number <= ${maxRows} and (r.measured is null or r.measured < ${maxBytes}))`;
  return `with waiting as materialized (select ctid, * from ${inbox} where strpos('${kinds}', kind::text) > 0
        order by noted limit ${MAX_NOTES}),
      note as materialized (select w.* from (select w.*, row_number() over inbox as number,
          sum(cardinality(w.ids)) over before as ids_before, sum(pg_column_size(w.ids)) over before as bytes_before
        from waiting w window inbox as (order by w.noted, w.mark),
          before as (inbox rows between unbounded preceding and 1 preceding)) w
        where coalesce(w.ids_before, 0) < ${maxRows} and coalesce(w.bytes_before, 0) < ${maxBytes}),
      named as materialized (select u.id, min(u.place) as place, max(u.place) as last, min(u.noted) as noted
        from (select u.id, n.noted, row_number() over (order by n.number, u.place) as place from note n, unnest(n.ids) with ordinality u (id, place)) u
        group by u.id),
      fitting as materialized (select r.*, r.bytes is not null and (r.number = 1 or r.number <= ${maxRows} and
            sum(octet_length(r.id) + case when r.is_refused then 0 else r.bytes end) over (order by r.place) <= ${maxBytes}) as is_in
        from (select r.*, coalesce(r.is_there and r.record > ${maxRecordBytes}, false) as is_refused
          from (select r.*, case when ${isMeasured} then ${bytes.image} end as bytes, case when ${isMeasured} then ${bytes.record} end as record
            from (select r.*, row_number() over (order by r.place) as number,
                sum(${bytes.measured}) over (order by r.place rows between unbounded preceding and 1 preceding) as measured
              from (select k.*, r.* from named k left join lateral (
                select true as is_there, ${columns} from ${from} where ${isKeyOf(attachment, 't', values, 'k.id')} offset 0) r on true) r
            ) r offset 0) r) r)
      select json_build_object(
        'notes', (select coalesce(json_agg(json_build_array(n.ctid, n.mark, coalesce(cardinality(n.ids), 0)) order by n.number), '[]') from note n),
        'isAll', (select count(*) < ${MAX_NOTES} from waiting) and (select count(*) from waiting) = (select count(*) from note),
        'cut', (select min(f.place) from fitting f where not f.is_in),
        'rows', (select coalesce(json_agg(json_build_object('id', f.id,
            'image', case when f.is_there and not f.is_refused then array_to_json(${imageExpression(table, 'f')}) end,
            'refusedBytes', case when f.is_refused then f.record end, 'waitedMs', ${elapsedMs('f.noted')}) order by f.last), '[]') from fitting f where f.is_in),
        'missing', (select coalesce(json_agg(c.texts ->> 0), '[]') from json_array_elements($1) as c (texts)
          where not exists (select from ${from} where ${isKeyOf(attachment, 't', sought, '(c.texts ->> 0)')})))`;
}

/** SQL: how long ago a time was, in ms. */
export function elapsedMs(time: string): string {
  return `(extract(epoch from clock_timestamp() - ${time}) * 1000)::float8`;
}

/**
 * Takes ids that are done with out of the inbox, all or the first ones of each note.
 * @param isCut whether there may be a note of which only the first ones are
 */
function* settle({ schema, number }: Attachment, done: readonly Note[], isCut: boolean): Work<void> {
  const { inbox } = installedNames({ schema, number });
  const parameters = [JSON.stringify(done)];
  const found = `from json_array_elements($1) as d (note)
    where i.ctid = any((select array_agg((e.note ->> 0)::tid) from json_array_elements($1) as e (note))::tid[])
      and i.ctid = (d.note ->> 0)::tid and i.mark = (d.note ->> 1)::uuid`;
  const write = (sql: string) => send({ kind: 'once', sql, parameters, isNumbered: true });
  if (isCut)
    yield* write(
      `update ${inbox} i set ids = i.ids[(d.note ->> 2)::int + 1:], size = i.size - (d.note ->> 2)::int
      ${found} and cardinality(i.ids) > (d.note ->> 2)::int`,
    );
  yield* write(
    `delete from ${inbox} i using ${found.slice('from '.length)} and coalesce(cardinality(i.ids), 0) <= (d.note ->> 2)::int`,
  );
}

/**
 * Starts reading the whole table again. The notes that wait add nothing then and may have keys of another form, so they are dropped first,
 * a limited number at a time. An empty stamp means that dropping is not finished.
 */
async function readAgain(resource: AttachedResource, stamp: string): Promise<Batch> {
  const { attachment } = resource;
  const notes = await read<{ place: string; mark: string }>(
    resource,
    `select ctid::text as place, mark from ${installedNames(attachment).inbox} order by noted limit ${MAX_NOTES}`,
  );
  const whole = notes.map(({ place, mark }): Note => [place, mark, MAX_INT]);
  return {
    changes: [],
    settle: () => settle(attachment, whole, false),
    emptiesQuarantine: true,
    progress: { phase: 'load', place: null, stamp: notes.length < MAX_NOTES ? stamp : '' },
    movedRows: 0,
  };
}
