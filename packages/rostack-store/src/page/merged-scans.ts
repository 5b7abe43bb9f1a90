import { type Sql, sql } from '../drivers/sql.ts';
import { type IndexScan, isClosedScan, scanSql, tableOf } from './index-scan.ts';
import { pointOf } from './key-range.ts';
import { type Current, type Entries, type Found, type PageBuilder, whereAll } from './page-builder.ts';
import type { PagePlan } from './page-plan.ts';

/** Walks whose order is the page's. */
export function merged(builder: PageBuilder, scans: readonly IndexScan[]): Found {
  const tests = builder.tests(builder.plan.rest);
  const [only] = scans;
  if (only !== undefined && scans.length === 1 && tests.length === 0) {
    // Every entry that is read is on the page: its body can come along.
    const rows = builder.take(sql`body`, ordered(builder, only), builder.want);
    return { rows, have: 'bodies', isWhole: sql`1 = 1` };
  }
  const bounds: Sql[] = [];
  const parts = scans.map((walk, index) => {
    const entries = ordered(builder, walk);
    const part = builder.define(`w${index}`, builder.walkRows(entries, builder.plan.rest));
    if (tests.length > 0) bounds.push(sql`(${builder.isFull([part])} or not ${builder.goesOn(entries)})`);
    return sql`select * from ${part}`;
  });
  const [first] = parts;
  // A record may be on the walks of several fields.
  const rows = parts.length === 1 && first !== undefined ? first : builder.firstOnce(parts);
  return { rows, have: builder.have, isWhole: bounds.length === 0 ? sql`1 = 1` : sql.join(bounds, ' and ') };
}

/**
 * The current rows of a walk in the order of the page that are tested for nothing but their position; undefined for other walks. To
 * read such rows again costs less than to keep them.
 */
export function readAgain(builder: PageBuilder, { scans, isOrdered, rest }: PagePlan): Current | undefined {
  const [only] = scans;
  if (only === undefined || scans.length > 1 || !isOrdered || rest !== undefined) return undefined;
  const entries = ordered(builder, only);
  const tests = whereAll(builder.tests(undefined));
  const rows = (columns: Sql, onlyIf?: Sql): Sql => {
    const looked = builder.take(sql`body, position, ${builder.keys}`, { ...entries, onlyIf }, builder.looked);
    return sql`select ${columns} from (${looked}) as looked ${tests} limit ${sql.lit(builder.want)}`;
  };
  const edge = builder.defineEdge(rows(builder.keys));
  const isWhole = sql`(exists (select 1 from ${edge}) or not ${builder.goesOn(entries)})`;
  return { rows, isKept: false, have: 'bodies', isWhole, edge };
}

function ordered(builder: PageBuilder, walk: IndexScan): Entries {
  const { dialect } = builder.scope;
  const after = builder.after && {
    key: walk.field && (pointOf(walk.range) ?? builder.after.sortKeys[0]),
    id: builder.after.id,
  };
  const { conditions, order } = scanSql(dialect, walk, after, undefined);
  const table = tableOf(builder.scope, walk, 'record');
  return { table, conditions, order, isClosed: isClosedScan(walk) };
}
