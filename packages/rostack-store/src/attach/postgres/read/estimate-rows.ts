import type { AttachedResource } from '../../batch/attached-resource.ts';
import { COUNTED_ROWS, type Counted } from '../../read/counted-rows.ts';
import { qualified } from '../../source/query.ts';
import { read } from './read.ts';

/** Approximate number of rows of a table: counted if there are few, else estimated from its size and the number of rows per page. */
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
