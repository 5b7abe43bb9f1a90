import { quoteName } from '../../../drivers/dialect/sql.ts';
import type { AttachedResource } from '../../batch/attached-resource.ts';
import { COUNTED_ROWS, type Counted } from '../../read/counted-rows.ts';
import { qualified, query } from '../../source/query.ts';
import { readColumns } from '../install/layout.ts';

/** Approximate number of rows of a table: counted if there are few, else the highest rowid; undefined if it has none. */
export function estimateRows({ attachment, parts }: AttachedResource): Promise<number | undefined> {
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
