import type { Buffer } from 'node:buffer';
import { sql } from 'kysely';
import { type Once, once, type Sql } from '../database/dialect.ts';
import { type HeadRow, headColumns, headTable } from '../log/read-head.ts';
import type { Access } from './access.ts';
import { collectedRows, countOf } from './collected-access.ts';
import { grouped } from './grouped-walk.ts';
import { merged, ordered } from './merged-walks.ts';
import { type Found, PageBuilder, type PageRequest } from './page-builder.ts';
import type { PagePlan } from './page-plan.ts';
import type { PageScope } from './page-scope.ts';
import { past, pastOfWalks } from './past-versions.ts';

/** What a page's statement returns. */
export interface PageRow extends HeadRow {
  /** Whether the page is complete: no bound of the statement was met before it was. If not, the rest of the row tells nothing. */
  readonly is_whole: 0 | 1;
  /** Rows of the page, and one more when there are more. */
  readonly found: number;
  /** The bodies of these rows in order, joined by commas, in UTF-8 where they are bytes; null without rows. */
  readonly bodies: Buffer | string | null;
  /** The length of each body in bytes, joined by commas. */
  readonly sizes: string | null;
}

/**
 * The one statement that reads a page: the head and the page's rows, of one snapshot. Its parts are computed only as far as they are needed:
 * - along walks in the page's order (`w0`...), each bounded in the entries that it looks at; or all of another access, if it has few entries,
 *   put in order (`c`);
 * - as of a position that is not the newest one, the past versions that were current then (`p`).
 * @param access instead of the plan's walks
 */
export function pageStatement(
  scope: PageScope,
  plan: PagePlan,
  request: PageRequest,
  access: Access | undefined,
): Once {
  const { dialect, target } = scope;
  const { from, where } = headTable(dialect, target.tables);
  const head = headColumns(dialect, target.tables, request.at);
  if (plan.isEmpty) {
    return once(
      dialect,
      sql`select ${head}, 1 as is_whole, 0 as found, null as bodies, null as sizes from ${from} where ${where}`,
    );
  }
  const builder = new PageBuilder(scope, plan, request);
  const { rows, isWhole } = access === undefined ? walked(builder) : collected(builder, access);
  const bodies = dialect.asBytes(dialect.joinTexts(sql`body`));
  const sizes = dialect.joinTexts(sql`cast(octet_length(body) as text)`);
  return once(
    dialect,
    sql`${builder.definitions()} select ${head}, case when ${isWhole} then 1 else 0 end as is_whole, page.*
      from ${from} cross join (select count(*) as found, ${bodies} as bodies, ${sizes} as sizes from (${rows}) as page_rows) as page
      where ${where}`,
  );
}

/** Along the plan's walks. */
function walked(builder: PageBuilder): Found {
  const { walks, isExact, isOrdered } = builder.plan;
  const [walk] = walks;
  if (walk === undefined) throw new Error('a plan without a walk');
  if (isOrdered && walks.length === 1 && builder.at === undefined) {
    const entries = ordered(builder, walk);
    const tests = builder.tests();
    const isFull = sql`page.found >= ${sql.lit(builder.want)}`;
    return {
      rows: builder.walkRows(entries, tests),
      isWhole: isExact ? sql`1 = 1` : sql`(${isFull} or not ${builder.goesOn(entries)})`,
    };
  }
  const current = isOrdered ? merged(builder, walks) : grouped(builder, walk);
  if (builder.at === undefined) return { ...current, rows: sql`select * from ${current.rows}` };
  return withPast(builder, current, pastOfWalks(builder, walks, current.rows));
}

/** All of an access, if it has few entries. */
function collected(builder: PageBuilder, access: Access): Found {
  const entries = builder.define('n', sql`select ${countOf(builder, access)} as entries`);
  const isFew = sql`(select entries from ${entries}) <= ${sql.lit(builder.scope.limits.collected)}`;
  const current = { rows: collectedRows(builder, access, isFew), isWhole: isFew };
  if (builder.at === undefined) return { ...current, rows: sql`select * from ${current.rows}` };
  return withPast(builder, current, past(builder, access, [isFew]));
}

function withPast(builder: PageBuilder, { rows, isWhole }: Found, past: Sql): Found {
  const isAll = sql`(select count(*) from ${past}) < ${sql.lit(builder.scope.limits.past)}`;
  return {
    rows: builder.first([rows, past].map((part) => sql`select ${builder.columns} from ${part}`)),
    isWhole: sql`${isWhole} and ${isAll}`,
  };
}
