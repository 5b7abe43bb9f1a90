import { type Sql, sql } from '../database/sql.ts';
import { indexedExpression } from '../schema/tables.ts';
import { type Access, rangesByField } from './access.ts';
import { inRange, inRanges } from './filter-to-sql.ts';
import { isClosed } from './key-range.ts';
import { type Entries, type Found, type PageBuilder, whereAll } from './page-builder.ts';
import type { TestedAccess } from './page-plan.ts';
import { tableOf } from './walk.ts';

/** All of an access, if it has few entries, put in the order of the page. */
export function collected(builder: PageBuilder, { access, rest }: TestedAccess): Found {
  const { collected: most } = builder.scope.limits;
  const all = scans(builder, access);
  const [only] = all;
  const looked = (entries: Entries): Sql => builder.entries(entries, rest, most + 1);
  const matching = (entries: Sql): Sql =>
    sql`select ${builder.columns} from ${entries} ${whereAll([...builder.tests(rest), ...builder.isBeyondPlace()])}`;
  if (only !== undefined && all.length === 1) {
    // To look for an entry beyond them costs less than to keep them until they are counted.
    const rows = builder.first([matching(sql`(${looked(only)}) as looked`)]);
    return { rows, have: builder.have, isWhole: sql`not ${builder.goesOn(only, most)}` };
  }
  const parts = all.map((entries) => sql`select * from (${looked(entries)}) as part`);
  const entries = builder.define('entries', sql.join(parts, ' union all '));
  return {
    rows: builder.firstOnce([matching(entries)]),
    have: builder.have,
    isWhole: sql`(select count(*) from ${entries}) <= ${sql.lit(most)}`,
  };
}

/**
 * The entries of an access, by field. PostgreSQL is led to the index by its order, which several ranges together do not have: there
 * each of a few is a scan of its own.
 */
function scans(builder: PageBuilder, access: Access): Entries[] {
  const { dialect, limits } = builder.scope;
  return [...rangesByField(access)].flatMap(([field, ranges]): Entries[] => {
    const key = indexedExpression(dialect, field);
    const table = tableOf(builder.scope, field, 'record');
    if (dialect.name === 'sqlite' || ranges.length > limits.mergedWalks)
      return [{ table, conditions: [inRanges(key, ranges)] }];
    return ranges.map((range) => ({
      table,
      conditions: [inRange(key, range)],
      order: sql`${key}, id`,
      isClosed: isClosed(range),
    }));
  });
}
