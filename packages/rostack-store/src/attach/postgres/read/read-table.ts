import { parseTrustedJson } from 'rostack-core';
import { quoteName } from '../../../drivers/dialect/sql.ts';
import type { Attachment, KeyColumn } from '../../attachment/attachment.ts';
import { installedNames } from '../../attachment/installation.ts';
import { describeChange } from '../../attachment/layout.ts';
import type { AttachedResource } from '../../batch/attached-resource.ts';
import { type Chunk, chunkOf } from '../../batch/write-batch.ts';
import { CHUNK_BYTES, carriedBytes } from '../../row/carried-bytes.ts';
import type { NetChange } from '../../row/net-change.ts';
import { imageExpression } from '../../row/row-image.ts';
import { idExpression, isKeyOf, keyFault, keyFields, keyTexts, keyValues } from '../../row/table-key.ts';
import { qualified } from '../../source/query.ts';
import { read, readWithLooks } from './read.ts';
import { rowBytes, unreadBytes } from './row-bytes.ts';
import { readAround, unread } from './unreadable-row.ts';

/** Reads the next chunk of the attachment's phase; undefined if the table is not as it was attached. */
export function readChunk(resource: AttachedResource, limit: number): Promise<Chunk | undefined> {
  if (resource.attachment.phase !== 'load') return readRecords(resource, limit);
  return readAround(limit, (rows, unreadable) => readRows(resource, rows, unreadable));
}

/**
 * Reads the next rows by key. Rows with a change in the inbox are left out: their state comes from there, or from an inbox row that is
 * moved later. All others are as this snapshot shows them, and later changes to them go to the inbox. So a chunk never overwrites anything
 * newer, provided that nothing is moved between its snapshot and its writing.
 *
 * The chunk ends where its rows become too many bytes. Only the rows of the chunk are made images: up to there, rows are carried along as
 * they are stored, where what is stored apart from them stays.
 */
async function readRows(
  resource: AttachedResource,
  limit: number,
  unreadable: string | undefined,
): Promise<Chunk | undefined> {
  const { attachment, parts } = resource;
  const { source, place, key } = attachment;
  const reached = place === null ? [] : (keyTexts(key.length, place) ?? []);
  const fields = keyFields(attachment, 't').join(', ');
  const values = keyValues(
    attachment,
    reached.map((_, index) => `$${index + 1}::text`),
  );
  const beyond = reached.length === 0 ? '' : `where (${fields}) > (${values.join(', ')})`;
  const maxBytes = carriedBytes(parts.options.maxRecordBytes);
  const { table, columns } = renamed(attachment);
  const bytes = unreadable === undefined ? rowBytes(table, 'r', maxBytes) : unreadBytes(maxBytes);
  const id = idExpression(table, keyFields(table, 'r'));
  const isMeasured = `(r.measured is null or r.measured < ${CHUNK_BYTES})`;
  const found = await select(
    resource,
    `select c.id, c.place, c.is_in,
        case when c.is_in and w.id is null and not c.is_refused then array_to_json(${imageExpression(table, 'c')}) end as image,
        case when w.id is null and c.is_refused then c.record end as refused, w.id is not null as is_waiting
      from (select r.*, r.bytes is not null and (r.place = 1 or
            sum(octet_length(r.id) + case when r.is_refused then 0 else r.bytes end) over (rows unbounded preceding) <= ${CHUNK_BYTES}) as is_in
        from (select r.*, r.record > ${maxBytes} as is_refused
          from (select r.*, ${id} as id, case when ${isMeasured} then ${bytes.image} end as bytes, case when ${isMeasured} then ${bytes.record} end as record
            from (select r.*, row_number() over (rows unbounded preceding) as place,
                sum(${bytes.measured}) over (rows between unbounded preceding and 1 preceding) as measured
              from (select ${columns} from only ${qualified(source.schema, source.table)} t ${beyond} order by ${fields} limit ${limit}) r
            ) r offset 0) r) r) c
      left join (${waitingIds(resource)}) as w on w.id = c.id`,
    reached,
  );
  if (found === undefined) return undefined;
  const { rows, isCut } = found;
  const changes = rows
    .filter((row) => !row.isWaiting)
    .map(({ id, image, refusedBytes }) => ({ id, image, refusedBytes }));
  return chunkOf(
    resource,
    unreadable === undefined ? changes : unread(changes, unreadable),
    { rows: rows.length, isCut, isLast: !isCut && rows.length < limit },
    rows.at(-1)?.id,
  );
}

/** The table as a subquery gives it: with names of columns that no others can be mistaken for. */
export function renamed(attachment: Attachment): { readonly table: Attachment; readonly columns: string } {
  const rename = <Column extends KeyColumn>(columns: readonly Column[], name: string): Column[] =>
    columns.map((column, index) => ({ ...column, column: `${name}${index}` }));
  const [key, columns] = [rename(attachment.key, 'k'), rename(attachment.columns, 'v')];
  const selected = [...attachment.key, ...attachment.columns].map(
    ({ column }, index) => `t.${quoteName(column)} as ${[...key, ...columns][index]?.column}`,
  );
  return { table: { ...attachment, key, columns }, columns: selected.join(', ') };
}

/** Reads the next records by id, and keeps those without a row, unless the inbox has a change for their id. */
async function readRecords(resource: AttachedResource, limit: number): Promise<Chunk | undefined> {
  const { attachment, target } = resource;
  const { schema, source, place, key } = attachment;
  const records = await read<{ id: string }>(
    resource,
    `select id from ${qualified(schema, target.tables.record)} where id > $1 order by id limit ${limit}`,
    [place ?? ''],
  );
  const ids = records.map(({ id }) => id);
  // Ids that cannot belong to a key have no values and no row.
  const keys = ids.map((id) => [
    id,
    ...((keyFault(key, id) === undefined && keyTexts(key.length, id)) || []),
  ]);
  const values = keyValues(
    attachment,
    key.map((_, index) => `(c.texts ->> ${index + 1})`),
  );
  const missing = await select(
    resource,
    `select c.id, c.id as place, true as is_in, null as image, null as refused, false as is_waiting
      from (select texts, texts ->> 0 as id from json_array_elements($1) as e (texts)) as c
      where not exists (select from only ${qualified(source.schema, source.table)} t
        where ${isKeyOf(attachment, 't', values, 'c.id')})
      and not exists (select from (${waitingIds(resource)}) as w where w.id = c.id)`,
    [JSON.stringify(keys)],
  );
  if (missing === undefined) return undefined;
  const changes = missing.rows.map(({ id }) => ({ id, image: null }));
  return chunkOf(
    resource,
    changes,
    { rows: ids.length, isCut: false, isLast: ids.length < limit },
    ids.at(-1),
  );
}

/** SQL: the ids of rows in the inbox. Join it: with `in` the server may go through all of them for each row. */
function waitingIds({ attachment }: AttachedResource): string {
  return `select distinct u.id from ${installedNames(attachment).inbox} i, pg_catalog.unnest(i.ids) u (id)`;
}

/** What a query over the attached table gives. */
interface FoundRow extends NetChange {
  /** Whether the inbox has a change of it. */
  readonly isWaiting: boolean;
}

interface FoundRows {
  readonly rows: readonly FoundRow[];
  /** Whether there are further rows, which were too many bytes. */
  readonly isCut: boolean;
}

/** Rows of a query over the attached table, in the order of their places; undefined if the table is not as it was attached. */
async function select(
  resource: AttachedResource,
  text: string,
  parameters: readonly unknown[],
): Promise<FoundRows | undefined> {
  const { attachment } = resource;
  const row = `json_build_object('id', c.id, 'image', c.image, 'refusedBytes', c.refused, 'isWaiting', c.is_waiting)`;
  const { rows, looks } = await readWithLooks<{ readonly found: string }>(
    resource,
    [attachment],
    `select json_build_object('isCut', coalesce(bool_or(not c.is_in), false),
        'rows', coalesce(json_agg(${row} order by c.place) filter (where c.is_in), '[]'))::text as found from (${text}) as c`,
    parameters,
  );
  const [[found], [look]] = [rows, looks];
  if (found === undefined || look?.stamp !== attachment.stamp) return undefined;
  if (describeChange(attachment.layout, look.layout) !== undefined) return undefined;
  return parseTrustedJson(found.found) as FoundRows;
}
