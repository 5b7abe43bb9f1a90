import { type AttachedResource, read } from './attached-resource.ts';
import type { NetChange } from './coalesce.ts';
import { installedNames } from './installation.ts';
import { describeChange, type LayoutLook, layoutQuery } from './layout.ts';
import { qualified } from './query.ts';
import { imageExpression } from './row-image.ts';
import { idExpression, isKeyOf, keyFault, keyFields, keyTexts, keyValues } from './table-key.ts';
import { type Chunk, chunkOf } from './write-batch.ts';

/** Reads the next chunk of the attachment's phase; undefined if, in the same snapshot, the table is not as it was attached. */
export function readChunk(resource: AttachedResource, limit: number): Promise<Chunk | undefined> {
  return resource.attachment.phase === 'load' ? readRows(resource, limit) : readRecords(resource, limit);
}

/**
 * Reads the next rows by key. Rows with a change in the inbox are left out: their state comes from there, or from an inbox row that is
 * moved later. All others are as this snapshot shows them, and later changes to them go to the inbox. So a chunk never overwrites anything
 * newer, provided that nothing is moved between its snapshot and its writing.
 */
async function readRows(resource: AttachedResource, limit: number): Promise<Chunk | undefined> {
  const { attachment } = resource;
  const { source, place, key } = attachment;
  const fields = keyFields(attachment, 't');
  const columns = fields.join(', ');
  const reached = place === null ? [] : (keyTexts(key.length, place) ?? []);
  const values = keyValues(
    attachment,
    reached.map((_, index) => `$${index + 1}::text`),
  );
  const beyond = reached.length === 0 ? '' : `where (${columns}) > (${values.join(', ')})`;
  const found = await select(
    resource,
    `select c.id, case when w.id is null then c.image end as image, c.place
      from (select r.*, row_number() over () as place from (
        select ${idExpression(attachment, fields)} as id, array_to_json(${imageExpression(attachment, 't')}) as image
          from only ${qualified(source.schema, source.table)} t ${beyond} order by ${columns} limit ${limit}) r) c
      left join (${waitingIds(resource)}) as w on w.id = c.id`,
    reached,
  );
  if (found === undefined) return undefined;
  const { rows, characters } = found;
  const changes = rows.filter(({ image }) => image !== null);
  return chunkOf(resource, changes, characters, rows.length < limit, rows.at(-1)?.id);
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
    `select c.id, null as image, c.id as place
      from (select texts, texts ->> 0 as id from json_array_elements($1) as e (texts)) as c
      where not exists (select from only ${qualified(source.schema, source.table)} t
        where ${isKeyOf(attachment, 't', values, 'c.id')})
      and not exists (select from (${waitingIds(resource)}) as w where w.id = c.id)`,
    [JSON.stringify(keys)],
  );
  if (missing === undefined) return undefined;
  return chunkOf(resource, missing.rows, missing.characters, ids.length < limit, ids.at(-1));
}

/** SQL: the ids of rows in the inbox. Join it: with `in` the server may go through all of them for each row. */
function waitingIds({ attachment }: AttachedResource): string {
  return `select distinct u.id from ${installedNames(attachment).inbox} i, pg_catalog.unnest(i.rows[:][1:1]) u (id)`;
}

/** Rows of a query over the attached table, in the order of their places; undefined if the table is not as it was attached. */
async function select(
  resource: AttachedResource,
  text: string,
  parameters: readonly unknown[],
): Promise<{ readonly rows: readonly NetChange[]; readonly characters: number } | undefined> {
  const { attachment } = resource;
  const [found] = await read<LayoutLook & { readonly rows: string }>(
    resource,
    `select look.*, (select coalesce(json_agg(json_build_object('id', c.id, 'image', c.image) order by c.place), '[]')::text
        from (${text}) as c) as rows from (${layoutQuery(attachment)}) as look`,
    parameters,
  );
  if (found === undefined || found.stamp !== attachment.stamp) return undefined;
  if (describeChange(attachment.layout, found.layout) !== undefined) return undefined;
  return { rows: JSON.parse(found.rows) as readonly NetChange[], characters: found.rows.length };
}
