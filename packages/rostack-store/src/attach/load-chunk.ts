import { run, type Work } from '../database/database.ts';
import { once } from '../database/dialect.ts';
import { sql } from '../database/sql.ts';
import { type AttachedResource, DeposedError } from './attached-resource.ts';
import type { Phase } from './attachment.ts';
import type { NetChange } from './coalesce.ts';
import { waitingIds } from './inbox.ts';
import { qualified } from './installation.ts';
import { isUntouched, type LayoutLook, layoutQuery } from './layout.ts';
import { lockAttachment } from './move-batch.ts';
import { imageExpression, type RowImage } from './row-image.ts';
import { findsKey, idExpression, keyColumns, keyFault, keyFields, keyTexts, keyValues } from './table-key.ts';
import type { TableReader } from './table-reader.ts';
import { type WrittenChanges, writeNetChanges } from './write-net-changes.ts';

/** Some rows of the table, or some records that have no row, as one snapshot shows them. */
export interface Chunk {
  readonly phase: 'load' | 'sweep';
  /** What the attachment's place was when the chunk was read. */
  readonly from: string | null;
  readonly to: string | null;
  readonly isLast: boolean;
  readonly changes: readonly NetChange[];
  /** Of the text that it was read as. */
  readonly characters: number;
}

/** A row of the table: id, image unless the inbox tells of it; or a record without a row. */
type ChunkRow = readonly [id: string, image: RowImage | null];

/**
 * Reads the next chunk of the attachment's phase, and in the same snapshot whether the table is as it was attached; undefined when it is
 * not. Each statement is a transaction of its own: a process that hangs here holds no lock that an application could wait for.
 */
export function readChunk(
  reader: TableReader,
  resource: AttachedResource,
  limit: number,
): Promise<Chunk | undefined> {
  return resource.attachment.phase === 'load'
    ? readLoadChunk(reader, resource, limit)
    : readSweepChunk(reader, resource, limit);
}

/**
 * Reads the next rows by key. Rows with a change in the inbox are left out: what they are is told there, or by a row that is moved
 * later. All others are as this snapshot shows them, and what changes them from now on comes to the inbox. So a chunk never
 * writes over anything newer, as long as nothing is moved between its snapshot and its writing.
 */
async function readLoadChunk(
  reader: TableReader,
  resource: AttachedResource,
  limit: number,
): Promise<Chunk | undefined> {
  const { attachment } = resource;
  const { source, place } = attachment;
  const fields = keyFields(attachment, 't');
  const key = fields.join(', ');
  const places = fields.map((field, index) => `${field} as p${index}`);
  const order = fields.map((_, index) => `c.p${index}`).join(', ');
  const reached = place === null ? [] : (keyTexts(fields.length, place) ?? []);
  const values = keyValues(attachment, textParameters(reached.length));
  const beyond = reached.length === 0 ? '' : `where (${key}) > (${values.join(', ')})`;
  const found = await selectRows(
    reader,
    resource,
    `select ${places.map((_, index) => `c.p${index}, `).join('')}c.id, case when w.id is null then c.image end as image
    from (select ${places.join(', ')}, ${idExpression(attachment, fields)} as id, array_to_json(${imageExpression(attachment, 't')}) as image
      from only ${qualified(source.schema, source.table)} t ${beyond} order by ${key} limit ${limit}) as c
    left join (${waitingIds(resource)}) as w on w.id = c.id`,
    order,
    reached,
  );
  if (found === undefined) return undefined;
  const { rows, characters } = found;
  return {
    phase: 'load',
    from: place,
    to: rows.at(-1)?.[0] ?? place,
    isLast: rows.length < limit,
    changes: rows.flatMap(([id, image]) => (image === null ? [] : [{ id, image }])),
    characters,
  };
}

/** Reads the next records by id, and keeps those without a row, unless the inbox is about to tell of their id. */
async function readSweepChunk(
  reader: TableReader,
  resource: AttachedResource,
  limit: number,
): Promise<Chunk | undefined> {
  const { schema, attachment, target } = resource;
  const { source, place } = attachment;
  const records = await reader.query<{ id: string }>(
    `select id from ${qualified(schema, target.tables.record)} where id > $1 order by id limit ${limit}`,
    [place ?? ''],
  );
  const ids = records.map(({ id }) => id);
  const fields = keyFields(attachment, 't');
  const types = keyColumns(attachment).map(({ typeName }) => typeName);
  const keys = ids.map((id) => (keyFault(types, id) === undefined ? keyTexts(types.length, id) : undefined));
  const texts = types.map((_, index) => `k${index}`);
  const values = keyValues(
    attachment,
    texts.map((text) => `c.${text}`),
  );
  const missing = await selectRows(
    reader,
    resource,
    `select c.id, null as image
      from unnest(${['$1', ...texts.map((_, index) => `$${index + 2}`)].map((text) => `${text}::text[]`).join(', ')}) as c (id, ${texts.join(', ')})
      where not exists (select from only ${qualified(source.schema, source.table)} t
        where ${findsKey(fields, values)} and ${idExpression(attachment, fields)} = c.id)
      and not exists (select from (${waitingIds(resource)}) as w where w.id = c.id)`,
    'c.id',
    [ids, ...types.map((_, index) => keys.map((key) => key?.[index] ?? null))],
  );
  if (missing === undefined) return undefined;
  return {
    phase: 'sweep',
    from: place,
    to: ids.at(-1) ?? place,
    isLast: ids.length < limit,
    changes: missing.rows.map(([id]) => ({ id, image: undefined })),
    characters: missing.characters,
  };
}

/** Rows of a query over the attached table, in order; undefined when the table is not as it was attached. */
async function selectRows(
  reader: TableReader,
  { names, attachment }: AttachedResource,
  query: string,
  order: string,
  values: readonly unknown[],
): Promise<{ readonly rows: readonly ChunkRow[]; readonly characters: number } | undefined> {
  const [found] = await reader.query<LayoutLook & { readonly rows: string }>(
    `select look.*, (select coalesce(json_agg(json_build_array(c.id, c.image) order by ${order}), '[]')::text from (${query}) as c) as rows
      from (${layoutQuery({ names, ...attachment })}) as look`,
    values,
  );
  if (found === undefined || !isUntouched(found, attachment)) return undefined;
  const { rows } = found;
  return { rows: JSON.parse(rows) as readonly ChunkRow[], characters: rows.length };
}

/** SQL: the first parameters, as texts. */
function textParameters(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `$${index + 1}::text`);
}

/** What became of a chunk. */
export interface WrittenChunk extends WrittenChanges {
  readonly phase: Phase;
  readonly place: string | null;
}

/** Writes a chunk and remembers its place. @throws DeposedError when this process leads no more, or the table is being read again */
export function* writeChunk(resource: AttachedResource, chunk: Chunk): Work<WrittenChunk> {
  const { dialect } = resource;
  const attachment = yield* lockAttachment(resource);
  if (attachment.phase !== chunk.phase || attachment.place !== chunk.from) {
    throw new DeposedError('the table is being read again');
  }
  const written = yield* writeNetChanges(resource, chunk.changes);
  const next = chunk.phase === 'load' ? 'sweep' : 'live';
  const phase = chunk.isLast ? next : chunk.phase;
  const place = chunk.isLast ? null : chunk.to;
  yield* run(
    once(
      dialect,
      sql`update ${dialect.table('attachment')} set phase = ${phase}, place = ${place} where name = ${attachment.name}`,
    ),
  );
  return { ...written, phase, place };
}
