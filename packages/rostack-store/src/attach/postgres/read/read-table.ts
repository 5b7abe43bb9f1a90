import { quoteName } from '../../../drivers/dialect/sql.ts';
import type { Attachment, KeyColumn } from '../../attachment/attachment.ts';
import { installedNames } from '../../attachment/installation.ts';
import { describeChange } from '../../attachment/layout.ts';
import type { AttachedResource } from '../../batch/attached-resource.ts';
import { type Chunk, chunkOf } from '../../batch/batch.ts';
import { CHUNK_BYTES, carriedBytes } from '../../row/carried-bytes.ts';
import type { NetChange } from '../../row/net-change.ts';
import { columnText } from '../../row/row-image.ts';
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
 * newer, provided that nothing is moved between its snapshot and its writing. The chunk ends where its rows exceed the limit of bytes.
 * Images are made only of the chunk's rows: before that, rows are passed on as they are stored, without reading the values that are stored
 * out of line.
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
  const texts = table.columns.map(
    (column, index) => `case when c.has_image then ${columnText(column, 'c')} end as t${index}`,
  );
  const rows = await select<PlacedRow>(
    resource,
    `select ${['c.place', 'c.is_in as "isIn"', 'case when c.is_in then c.id end as id', 'c.has_image as "hasImage"', 'c.refused as "refusedBytes"', 'c.is_waiting as "isWaiting"', ...texts].join(', ')}
      from (select c.*, c.is_in and w.id is null and not c.is_refused as has_image, w.id is not null as is_waiting,
          case when c.is_in and w.id is null and c.is_refused then c.record end as refused
        from (select r.*, r.bytes is not null and (r.place = 1 or
              sum(octet_length(r.id) + case when r.is_refused then 0 else r.bytes end) over (rows unbounded preceding) <= ${CHUNK_BYTES}) as is_in
          from (select r.*, r.record > ${maxBytes} as is_refused
            from (select r.*, ${id} as id, case when ${isMeasured} then ${bytes.image} end as bytes, case when ${isMeasured} then ${bytes.record} end as record
              from (select r.*, row_number() over (rows unbounded preceding) as place,
                  sum(${bytes.measured}) over (rows between unbounded preceding and 1 preceding) as measured
                from (select ${columns} from only ${qualified(source.schema, source.table)} t ${beyond} order by ${fields} limit ${limit}) r
              ) r offset 0) r) r) c
        left join (${waitingIds(resource)}) as w on w.id = c.id offset 0) c`,
    reached,
  );
  if (rows === undefined) return undefined;
  const found = rows.filter(({ isIn }) => isIn).sort((a, b) => a.place - b.place);
  const names = table.columns.map((_, index) => `t${index}` as const);
  const changes = found
    .filter(({ isWaiting }) => !isWaiting)
    .map((row): NetChange => {
      const { id, hasImage, refusedBytes } = row;
      return { id, image: hasImage ? [id, ...names.map((name) => row[name] ?? null)] : null, refusedBytes };
    });
  const isCut = found.length < rows.length;
  return chunkOf(
    resource,
    unreadable === undefined ? changes : unread(changes, unreadable),
    { rows: found.length, isCut, isLast: !isCut && found.length < limit },
    found.at(-1)?.id,
  );
}

/** The table as a subquery with unambiguous column names. */
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
  const missing = await select<{ readonly id: string }>(
    resource,
    `select c.id from (select texts, texts ->> 0 as id from json_array_elements($1) as e (texts)) as c
      where not exists (select from only ${qualified(source.schema, source.table)} t
        where ${isKeyOf(attachment, 't', values, 'c.id')})
      and not exists (select from (${waitingIds(resource)}) as w where w.id = c.id)`,
    [JSON.stringify(keys)],
  );
  if (missing === undefined) return undefined;
  const changes = missing.map(({ id }) => ({ id, image: null }));
  return chunkOf(
    resource,
    changes,
    { rows: ids.length, isCut: false, isLast: ids.length < limit },
    ids.at(-1),
  );
}

/** SQL: the ids of rows in the inbox. Use it in a join: with `in` the server may scan all of them for each row. */
function waitingIds({ attachment }: AttachedResource): string {
  return `select distinct u.id from ${installedNames(attachment).inbox} i, pg_catalog.unnest(i.ids) u (id)`;
}

/** A row of the table as it is read: each column of its image is a text by itself, which costs the server a quarter of what JSON does. */
interface PlacedRow extends Readonly<Record<`t${number}`, string | null>> {
  readonly place: number;
  /** Whether it is still in the chunk; nothing is read of the other rows. */
  readonly isIn: boolean;
  readonly id: string;
  readonly hasImage: boolean;
  readonly refusedBytes: number | null;
  /** Whether the inbox has a change for it. */
  readonly isWaiting: boolean;
}

/** Rows of a query over the attached table; undefined if the table is not as it was attached. */
async function select<T extends object>(
  resource: AttachedResource,
  text: string,
  parameters: readonly unknown[],
): Promise<readonly T[] | undefined> {
  const { attachment } = resource;
  const { rows, looks } = await readWithLooks<T>(resource, [attachment], text, parameters);
  const [look] = looks;
  if (look?.stamp !== attachment.stamp) return undefined;
  return describeChange(attachment.layout, look.layout) === undefined ? rows : undefined;
}
