import { sql } from 'kysely';
import type { ClientBase } from 'pg';
import { escapeIdentifier } from 'pg';
import { run, type Work } from '../database/database.ts';
import { once } from '../database/dialect.ts';
import { type AttachedResource, DeposedError } from './attached-resource.ts';
import type { Attachment, Phase } from './attachment.ts';
import { imageExpression, qualified } from './capture-sql.ts';
import type { NetChange } from './coalesce.ts';
import { isUntouched, type LayoutLook, layoutQuery } from './layout.ts';
import { lockAttachment } from './move-batch.ts';
import { type WrittenChanges, writeNetChanges } from './write-net-changes.ts';

/** Some rows of the table, or some records that have no row, as one snapshot shows them. */
export interface Chunk {
  readonly phase: 'load' | 'sweep';
  /** What the attachment's place was when the chunk was read. */
  readonly from: string | null;
  readonly to: string | null;
  readonly isLast: boolean;
  readonly changes: readonly NetChange[];
  readonly bytes: number;
}

/**
 * Reads a chunk, and then whether the table is as it was attached: the chunk's lock keeps it from changing in between.
 * Undefined when it is not. The lock is that of any reader, and short.
 */
export async function readChunk(
  client: ClientBase,
  resource: AttachedResource,
  limit: number,
): Promise<Chunk | undefined> {
  const { schema, names, attachment } = resource;
  const read = attachment.phase === 'load' ? readLoadChunk : readSweepChunk;
  await client.query('begin');
  try {
    const chunk = await read(client, resource, attachment.place, limit);
    const { rows } = await client.query<LayoutLook>(layoutQuery({ schema, names, ...attachment }));
    const [look] = rows;
    return look !== undefined && isUntouched(look, attachment) ? chunk : undefined;
  } finally {
    await client.query('rollback');
  }
}

/**
 * Reads the next rows by key. Rows with a change in the inbox are left out: what they are is told there, or has been told by a row that
 * is moved later. All others are as this snapshot shows them, and whatever changes them from now on comes to the inbox.
 * So a chunk never writes over anything newer, as long as nothing is moved between its snapshot and its writing.
 */
async function readLoadChunk(
  client: ClientBase,
  { schema, names, attachment }: AttachedResource,
  place: string | null,
  limit: number,
): Promise<Chunk> {
  const { source, columns } = attachment;
  const [key] = columns;
  const column = `t.${escapeIdentifier(key?.column ?? source.key)}`;
  const beyond = place === null ? '' : `where ${column} > $1::${keyTypeOf(attachment)}`;
  const { rows } = await client.query<{ id: string; image: string; is_waiting: boolean }>(
    `select ${column}::text as id, array_to_json(${imageExpression(columns, 't')})::text as image,
      ${column}::text collate "C" in (select i.id from ${qualified(schema, names.inbox)} i where i.id is not null) as is_waiting
    from only ${qualified(source.schema, source.table)} t ${beyond} order by ${column} limit ${limit}`,
    place === null ? [] : [place],
  );
  return {
    phase: 'load',
    from: place,
    to: rows.at(-1)?.id ?? place,
    isLast: rows.length < limit,
    changes: rows.filter((row) => !row.is_waiting).map(({ id, image }) => ({ id, image })),
    bytes: rows.reduce((sum, { image }) => sum + image.length, 0),
  };
}

/** Reads the next records by id, and keeps those without a row, unless the inbox is about to tell of their id. */
async function readSweepChunk(
  client: ClientBase,
  resource: AttachedResource,
  place: string | null,
  limit: number,
): Promise<Chunk> {
  const { schema, names, attachment, target } = resource;
  const { source } = attachment;
  const { rows: records } = await client.query<{ id: string }>(
    `select id from ${qualified(schema, target.tables.record)} where id > $1 order by id limit ${limit}`,
    [place ?? ''],
  );
  const ids = records.map(({ id }) => id);
  const type = keyTypeOf(attachment);
  const keys = ids.map((id) => (isKey(type, id) ? id : null));
  const column = `t.${escapeIdentifier(attachment.columns[0]?.column ?? source.key)}`;
  const { rows: missing } = await client.query<{ id: string }>(
    `select c.id from unnest($1::text[], $2::${type}[]) as c (id, key)
      where not exists (select from only ${qualified(source.schema, source.table)} t
        where ${column} = c.key and ${column}::text collate "C" = c.id)
      and c.id not in (select i.id from ${qualified(schema, names.inbox)} i where i.id is not null)`,
    [ids, keys],
  );
  return {
    phase: 'sweep',
    from: place,
    to: ids.at(-1) ?? place,
    isLast: ids.length < limit,
    changes: missing.map(({ id }) => ({ id, image: undefined })),
    bytes: 0,
  };
}

/** What became of a chunk. */
export interface WrittenChunk extends WrittenChanges {
  readonly phase: Phase;
  readonly place: string | null;
}

/** Writes a chunk and remembers its place. @throws DeposedError when this process leads no more, or the table is being read anew */
export function* writeChunk(resource: AttachedResource, chunk: Chunk): Work<WrittenChunk> {
  const { dialect } = resource;
  const attachment = yield* lockAttachment(resource);
  if (attachment.phase !== chunk.phase || attachment.place !== chunk.from) {
    throw new DeposedError('the table is being read anew');
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

function keyTypeOf({ columns }: Attachment): string {
  return columns[0]?.typeName ?? 'text';
}

const INTEGER = /^(?:0|-?[1-9]\d{0,18})$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const INTEGER_BITS: Readonly<Record<string, number>> = { int2: 16, int4: 32, int8: 64 };

/** Whether a text is the text of some value of the key's type. */
function isKey(type: string, text: string): boolean {
  const bits = INTEGER_BITS[type];
  if (bits !== undefined) return INTEGER.test(text) && BigInt.asIntN(bits, BigInt(text)) === BigInt(text);
  return type === 'uuid' ? UUID.test(text) : true;
}
