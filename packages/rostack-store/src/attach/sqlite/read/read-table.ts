import type { Work } from '../../../drivers/database.ts';
import { quoteName } from '../../../drivers/dialect/sql.ts';
import type { Attachment } from '../../attachment/attachment.ts';
import type { AttachedResource } from '../../batch/attached-resource.ts';
import { type Chunk, chunkOf } from '../../batch/batch.ts';
import { carriedBytes, countWithin } from '../../row/carried-bytes.ts';
import { collated, hasKey, sqliteId, storageOf } from '../../row/sqlite-row.ts';
import { keyFault, keyTexts } from '../../row/table-key.ts';
import { qualified, query } from '../../source/query.ts';
import { readState } from './read-state.ts';
import { sqliteRowBytes } from './row-bytes.ts';
import { changeOf, type FoundRow, MAX_KEY_BYTES, type RefusedRow, tableOf, values } from './rows.ts';

/** The size that a row adds to a chunk. */
interface RowSize {
  readonly bytes: number;
  readonly isRefused: number;
}

/** Reads the next chunk of the attachment's phase; undefined if the table is not as it was attached. */
export function readChunk(resource: AttachedResource, limit: number): Promise<Chunk | undefined> {
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

/**
 * Reads the next rows by key: first their sizes, which reads no value, then as many of them as may be read at once. Rows whose key cannot
 * be an id, because of its type or its length, are left out until their key is noted.
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

/** SQL: a value of the key, from its text. */
function valueOf(column: Attachment['key'][number], text: string): string {
  return storageOf(column) === 'integer' ? `cast(${text} as integer)` : text;
}
