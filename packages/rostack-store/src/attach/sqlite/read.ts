import type { Work } from '../../drivers/database.ts';
import type { Row } from '../../drivers/query.ts';
import { quoteName } from '../../drivers/sql.ts';
import { type Attachment, attachmentTable } from '../attachment/attachment.ts';
import { installedNames } from '../attachment/installation.ts';
import { describeChange } from '../attachment/layout.ts';
import { DeposedError } from '../attachment/leader-lease.ts';
import type { AttachedResource } from '../batch/attached-resource.ts';
import { type Batch, type Chunk, chunkOf, type TableChange } from '../batch/write-batch.ts';
import { carriedBytes, countWithin } from '../row/carried-bytes.ts';
import type { NetChange } from '../row/net-change.ts';
import type { RowImage } from '../row/row-image.ts';
import { collated, hasKey, sqliteId, storageOf, storedText } from '../row/sqlite-row.ts';
import { keyFault, keyTexts } from '../row/table-key.ts';
import { qualified, query } from '../source/query.ts';
import { lookAtSqlite } from './layout.ts';
import { sqliteRowBytes } from './row-bytes.ts';

/** Of longer keys only the beginning is read: no id has as many bytes. */
const MAX_KEY_BYTES = 65_536;

/** How much a row of the table adds to a chunk. */
interface RowSize {
  readonly bytes: number;
  readonly isRefused: number;
}

/** A note of the inbox. SQLite gives it a number that is free, also when there is no greater one, so it may be too large for JavaScript. */
interface Note {
  readonly number: string;
}

const NUMBER = 'cast(i.number as text)';

/** A row that no record can hold. */
interface RefusedRow {
  readonly id: string;
  readonly refusedBytes: number;
}

/** One row of the table, or of the records, as the queries here return it. */
type FoundRow = Row & { readonly id: string; readonly isThere: number };

/**
 * Reads what to move next. The inbox has only keys, and the rows are read as they are now, in the same snapshot. So a batch takes the
 * records from one committed state of the table to another, or part of the way if more rows have changed than fit into it.
 */
export function readSqliteInbox(
  resource: AttachedResource,
  maxRows = 2_000,
): Promise<Batch | TableChange | undefined> {
  return resource.parts.database.transaction(() => readInbox(resource, maxRows));
}

/** Reads the next chunk of the attachment's phase; undefined if the table is not as it was attached. */
export function readSqliteChunk(resource: AttachedResource, limit: number): Promise<Chunk | undefined> {
  const { attachment, parts, target } = resource;
  return parts.database.transaction(function* (): Work<Chunk | undefined> {
    if ((yield* readState(attachment)).stamp !== attachment.stamp) return undefined;
    if (attachment.phase === 'load') return yield* readRows(resource, limit);
    const rows = yield* readRecords(attachment, target.tables.record, limit);
    const changes = rows.filter(({ isThere }) => isThere === 0).map(({ id }) => ({ id, image: null }));
    const isLast = rows.length < limit;
    return chunkOf(resource, changes, { rows: rows.length, isCut: false, isLast }, rows.at(-1)?.id);
  });
}

function* readInbox(resource: AttachedResource, maxRows: number): Work<Batch | TableChange | undefined> {
  const { attachment } = resource;
  const { stamp } = yield* readState(attachment);
  const { phase, place } = attachment;
  const batch = { changes: [], emptiesQuarantine: false, movedRows: 0 };
  if (stamp !== attachment.stamp) {
    const look = yield* lookAtSqlite(attachment);
    const change = describeChange(attachment.layout, look.layout);
    if (change !== undefined) return { change };
    // Reads everything again: the triggers may have been missing for a while.
    return { ...batch, emptiesQuarantine: true, progress: { phase: 'load', place: null, stamp } };
  }
  const { inbox } = installedNames(attachment);
  const notes = yield* query<Note>(
    `select ${NUMBER} as number from ${inbox} i order by i.number limit ${maxRows}`,
  );
  if (notes.length === 0) return undefined;
  const { changes, end } = yield* readNoted(resource, maxRows);
  const done =
    end === undefined
      ? notes
      : notes.slice(
          0,
          notes.findIndex(({ number }) => number === end),
        );
  return {
    ...batch,
    changes,
    settle: () => settle(inbox, done),
    progress: { phase, place, stamp },
    movedRows: done.length,
    isWhole: end === undefined && notes.length < maxRows,
  };
}

/**
 * Reads the rows that the oldest notes name: first how large they are, which reads no value, then as many of them as may be read at once.
 * `end` is the number of the first note that did not fit, if any.
 */
function* readNoted(
  resource: AttachedResource,
  maxNotes: number,
): Work<{ readonly changes: readonly NetChange[]; readonly end: string | undefined }> {
  const { attachment, parts } = resource;
  const { inbox } = installedNames(attachment);
  const keys = attachment.key.map((_, index) => `k${index + 1}`);
  const noted = keys.map((name) => `i.${name}`);
  const isNull = noted.map((name) => `${name} is null`).join(' or ');
  const ofKey = noted.map((name) => `coalesce(octet_length(${name}), 0)`).join(' + ');
  const whole = sqliteId(attachment, noted);
  const id = `case when ${ofKey} > ${MAX_KEY_BYTES} then hex(substr(cast(${whole} as blob), 1, ${MAX_KEY_BYTES})) else ${whole} end`;
  const bytes = sqliteRowBytes(resource, 't');
  const record = `case when ${ofKey} > ${MAX_KEY_BYTES} then ${ofKey} else 0 end + ${bytes.record}`;
  const isRefused = `(${isThere(attachment)} and (${ofKey} > ${MAX_KEY_BYTES} or ${bytes.record} > ${carriedBytes(parts.options.maxRecordBytes)}))`;
  const select = <Found extends object>(columns: string, where: string) =>
    query<Found>(
      `with noted as (select min(number) as number, max(number) as last, min(noted) as noted, ${keys.join(', ')} from (
          select * from ${inbox} order by number limit ${maxNotes}) group by ${keys.join(', ')})
        select ${columns} from noted i left join ${tableOf(attachment)} t on ${hasKey(attachment, 't', noted)}
        where ${where} order by i.number`,
    );
  const sizes = yield* select<Note & { readonly bytes: number; readonly isRefused: number }>(
    `${NUMBER} as number, min(${ofKey}, ${MAX_KEY_BYTES}) + case when ${isRefused} then 0 else ${bytes.image} end as bytes, ${isRefused} as "isRefused"`,
    'true',
  );
  const count = countWithin(sizes.map((size) => size.bytes));
  const end = sizes[count]?.number;
  const isIn = end === undefined ? 'true' : `i.number < ${end}`;
  type Numbered<Found> = Found & { readonly last: number; readonly waitedMs: number | null };
  const waited = `${elapsedMs('i.noted')} as "waitedMs"`;
  const rows = yield* select<Numbered<FoundRow>>(
    `i.last, ${waited}, ${id} as id, ${isNull} or ${isThere(attachment)} as "isThere", ${values(attachment)}`,
    `${isIn} and not ${isRefused}`,
  );
  const isSomeRefused = sizes.slice(0, count).some((size) => size.isRefused === 1);
  const refused = isSomeRefused
    ? yield* select<Numbered<RefusedRow>>(
        `i.last, ${waited}, ${id} as id, ${record} as "refusedBytes"`,
        `${isIn} and ${isRefused}`,
      )
    : [];
  const changes = [
    ...rows.map((row) => ({
      last: row.last,
      change: { ...changeOf(attachment, row), waitedMs: row.waitedMs },
    })),
    ...refused.map(({ last, ...row }) => ({ last, change: { ...row, image: null } })),
  ];
  return { changes: changes.sort((a, b) => a.last - b.last).map(({ change }) => change), end };
}

/** SQL: how long ago a time of the inbox was, in ms. */
export function elapsedMs(noted: string): string {
  return `(julianday('now') - ${noted}) * 86400000`;
}

function* settle(inbox: string, notes: readonly Note[]): Work<void> {
  yield* query(`delete from ${inbox} where number in (select cast(value as integer) from json_each($1))`, [
    JSON.stringify(notes.map(({ number }) => number)),
  ]);
}

/** @throws DeposedError if this process no longer leads */
function* readState({ schema, name, term }: Attachment): Work<{ readonly stamp: string }> {
  const [state] = yield* query<{ term: number | null; stamp: number }>(
    `select (select schema_version from pragma_schema_version) as stamp,
      (select term from ${attachmentTable(schema)} where name = $1) as term`,
    [name],
  );
  if (state?.term !== term) throw new DeposedError(`term ${term} is over`);
  return { stamp: String(state.stamp) };
}

/**
 * Reads the next rows by key: first how large they are, which reads no value, then as many of them as may be read at once. Rows whose key
 * cannot be an id, by its kind or its length, are left out until their key is noted.
 */
function* readRows(resource: AttachedResource, limit: number): Work<Chunk> {
  const { attachment, parts } = resource;
  const { key, place } = attachment;
  const fields = key.map(({ column }) => `t.${quoteName(column)}`);
  const order = key.map((column) => collated(column, 't'));
  const reached = place === null ? [] : (keyTexts(key.length, place) ?? []);
  const after = key.map((column, index) => valueOf(column, `$${index + 1}`)).join(', ');
  const conditions = [
    ...key.map((column, index) => `typeof(${fields[index]}) = '${storageOf(column)}'`),
    ...fields.map((field) => `octet_length(${field}) <= ${MAX_KEY_BYTES}`),
    ...(reached.length === 0 ? [] : [`(${order.join(', ')}) > (${after})`]),
  ];
  const bytes = sqliteRowBytes(resource, 't');
  const isRefused = `${bytes.record} > ${carriedBytes(parts.options.maxRecordBytes)}`;
  const next = <Found extends object>(columns: string, count: number, only: readonly string[] = []) =>
    query<Found>(
      `select ${columns} from ${tableOf(attachment)} t where ${[...conditions, ...only].join(' and ')} order by ${order.join(', ')} limit ${count}`,
      reached,
    );
  const ofKey = fields.map((field) => `octet_length(${field})`).join(' + ');
  const sizes = yield* next<RowSize>(
    `${ofKey} + case when ${isRefused} then 0 else ${bytes.image} end as bytes, ${isRefused} as "isRefused"`,
    limit,
  );
  const rows = countWithin(sizes.map((size) => size.bytes));
  const refused = sizes.slice(0, rows).filter((size) => size.isRefused === 1).length;
  const id = `${sqliteId(attachment, fields)} as id`;
  const found = yield* next<FoundRow>(`${id}, 1 as "isThere", ${values(attachment)}`, rows - refused, [
    `not (${isRefused})`,
  ]);
  const left = yield* next<RefusedRow>(`${id}, ${bytes.record} as "refusedBytes"`, refused, [isRefused]);
  const changes = [
    ...found.map((row) => changeOf(attachment, row)),
    ...left.map((row) => ({ ...row, image: null })),
  ];
  const last = sizes[rows - 1]?.isRefused === 1 ? left.at(-1) : found.at(-1);
  const isCut = rows < sizes.length;
  return chunkOf(resource, changes, { rows, isCut, isLast: !isCut && rows < limit }, last?.id);
}

/** The next records by id, and whether they have a row. */
function* readRecords(attachment: Attachment, table: string, limit: number): Work<readonly FoundRow[]> {
  const { schema, place, key } = attachment;
  const records = yield* query<{ id: string }>(
    `select id from ${qualified(schema, table)} where id > $1 order by id limit ${limit}`,
    [place ?? ''],
  );
  // Ids that cannot belong to a key have no values and no row.
  const keys = records.map(({ id }) => [
    id,
    ...((keyFault(key, id) === undefined && keyTexts(key.length, id)) || []),
  ]);
  const sought = key.map((column, index) => valueOf(column, `(c.value ->> ${index + 1})`));
  return yield* query<FoundRow>(
    `select c.value ->> 0 as id,
        exists (select 1 from ${tableOf(attachment)} t where ${hasKey(attachment, 't', sought)}) as "isThere"
      from json_each($1) as c order by c.key`,
    [JSON.stringify(keys)],
  );
}

function changeOf({ columns }: Attachment, row: FoundRow): NetChange {
  const { id } = row;
  if (row.isThere === 0) return { id, image: null };
  const texts = columns.map((_, index) => (row[`v${index}`] ?? null) as string | null);
  return { id, image: [id, ...texts] satisfies RowImage };
}

/** SQL: the columns that become members, as `v0`, `v1` ... */
function values({ columns }: Attachment): string {
  const texts = columns.map(({ column }, index) => `${storedText(`t.${quoteName(column)}`)} as v${index}`);
  return texts.length === 0 ? 'null' : texts.join(', ');
}

/** SQL: whether the join has found a row. */
function isThere({ key }: Attachment): string {
  return `t.${quoteName(key[0]?.column ?? '')} is not null`;
}

/** SQL: a value of the key, from its text. */
function valueOf(column: Attachment['key'][number], text: string): string {
  return storageOf(column) === 'integer' ? `cast(${text} as integer)` : text;
}

function tableOf({ source }: Attachment): string {
  return qualified(source.schema, source.table);
}
