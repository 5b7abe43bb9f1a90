import { quoteName } from '../../drivers/sql.ts';
import { type AttachedResource, read } from '../batch/attached-resource.ts';
import { qualified, query } from '../source/query.ts';
import { readColumns } from '../sqlite/layout.ts';

/** Up to so many rows are counted. */
const COUNTED_ROWS = 10_000;

interface Counted {
  readonly rows: number;
}

/** About how many rows a table of PostgreSQL has: counted if they are few, else by its size and how many of those are in a page. */
export async function estimateRows(resource: AttachedResource): Promise<number | undefined> {
  const { source, tableOid } = resource.attachment;
  const [counted] = await read<Counted & { readonly all: number }>(
    resource,
    `select count(*)::float8 as rows, count(*) / greatest(count(distinct (t.ctid::text::point)[0]), 1)
        * pg_relation_size(${tableOid}) / current_setting('block_size')::float8 as "all"
      from (select ctid from only ${qualified(source.schema, source.table)} limit ${COUNTED_ROWS + 1}) t`,
  );
  if (counted === undefined || counted.rows <= COUNTED_ROWS) return counted?.rows;
  return Math.round(Math.max(counted.rows, counted.all));
}

/** About how many rows a table of SQLite has: counted if they are few, else the highest rowid; undefined if it has none. */
export function estimateSqliteRows({ attachment, parts }: AttachedResource): Promise<number | undefined> {
  const { schema, table: name } = attachment.source;
  const table = qualified(schema, name);
  return parts.database.transaction(function* () {
    const [counted] = yield* query<Counted>(
      `select count(*) as rows from (select 1 from ${table} limit ${COUNTED_ROWS + 1}) t`,
    );
    if (counted !== undefined && counted.rows <= COUNTED_ROWS) return counted.rows;
    const [kind] = yield* query<{ readonly wr: number }>(
      `select wr from pragma_table_list where schema = 'main' and name = $1`,
      [name],
    );
    const taken = new Set((yield* readColumns(name)).map(({ column }) => column.toLowerCase()));
    const rowid = ['rowid', '_rowid_', 'oid'].find((each) => !taken.has(each));
    if (kind?.wr !== 0 || rowid === undefined) return undefined;
    const [last] = yield* query<Counted>(`select max(${quoteName(rowid)}) as rows from ${table}`);
    return last?.rows;
  });
}
