import { sql } from '../database/sql.ts';
import { indexedExpression } from '../schema/tables.ts';
import { type Access, rangesByField } from './access.ts';
import { inRange, inRanges } from './filter-to-sql.ts';
import { type Entries, type Found, type PageBuilder, whereAll } from './page-builder.ts';
import type { TestedAccess } from './page-plan.ts';
import { tableOf } from './walk.ts';

/** All of an access, if it has few entries, put in the order of the page. */
export function collected(builder: PageBuilder, { access, rest }: TestedAccess): Found {
  const { limits } = builder.scope;
  const tests = builder.tests(rest);
  const selects = scans(builder, access).map((entries) =>
    builder.entries(entries, rest, limits.collected + 1),
  );
  const [only] = selects;
  const all =
    selects.length === 1 && only !== undefined
      ? only
      : sql.join(
          selects.map((select) => sql`select * from (${select}) as part`),
          ' union ',
        );
  const entries = builder.define('entries', all);
  return {
    rows: sql`select ${builder.columns} from ${entries} ${whereAll([...tests, ...builder.isBeyondPlace()])} order by ${builder.order} limit ${sql.lit(builder.want)}`,
    have: 'places',
    isWhole: sql`(select count(*) from ${entries}) <= ${sql.lit(limits.collected)}`,
  };
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
