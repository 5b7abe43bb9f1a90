import { sql } from 'kysely';
import type { Sql } from '../database/dialect.ts';
import { indexedExpression } from '../schema/tables.ts';
import { type Access, rangesByField } from './access.ts';
import { inRange, inRanges } from './filter-to-sql.ts';
import { type Entries, type PageBuilder, whereAll } from './page-builder.ts';
import { tableOf } from './walk.ts';

/** How many entries an access has, as far as they are few. */
export function countOf(builder: PageBuilder, access: Access): Sql {
  const { limits } = builder.scope;
  const counts = scans(builder, access).map((entries) => {
    const few = builder.take(sql`1`, entries, limits.collected + 1);
    return sql`(select count(*) from (${few}) as entries)`;
  });
  return sql.join(counts, sql` + `);
}

/** The first rows of an access in the order of the page. */
export function collectedRows(builder: PageBuilder, access: Access, isFew: Sql): Sql {
  const { condition, limits } = builder.scope;
  const visible = builder.at === undefined ? [] : [sql`position <= ${builder.at}`];
  const tested = condition === undefined || builder.plan.isAccessExact ? [] : [condition];
  const tests = [...visible, ...tested, ...builder.isBeyondPlace()];
  const selects = scans(builder, access).map((entries) => {
    const all = builder.take(builder.raw.record, { ...entries, onlyIf: isFew }, limits.collected);
    return sql`select ${builder.columns} from (${all}) as entries ${whereAll(tests)}`;
  });
  const rows = sql`select * from (${sql.join(selects, sql` union `)}) as every_row order by ${builder.order} limit ${sql.lit(builder.want)}`;
  return builder.define('c', rows);
}

/**
 * The entries of an access, by field. PostgreSQL is led to the index by its order, which several ranges together do not have: there
 * each of a few is a scan of its own.
 */
function scans(builder: PageBuilder, access: Access): Entries[] {
  const { dialect, limits } = builder.scope;
  return [...rangesByField(access)].flatMap(([field, ranges]) => {
    const key = indexedExpression(dialect, field);
    const table = tableOf(builder.scope, field, 'record');
    if (dialect.name === 'sqlite' || ranges.length > limits.mergedWalks)
      return [{ table, conditions: [inRanges(key, ranges)] }];
    return ranges.map((range) => ({ table, conditions: [inRange(key, range)], order: sql`${key}, id` }));
  });
}
