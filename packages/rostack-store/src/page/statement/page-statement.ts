import type { Buffer } from 'node:buffer';
import { type Once, once, type Sql, sql } from '../../drivers/dialect/sql.ts';
import { type HeadRow, headColumns, headTable } from '../../log/read-head.ts';
import { type IndexScan, isClosedScan, scanSql, tableOf } from '../plan/index-scan.ts';
import { pointOf } from '../plan/key-range.ts';
import type { PagePlan, TestedAccess } from '../plan/page-plan.ts';
import type { PageRequest, PageScope } from '../plan/page-scope.ts';
import { grouped } from './grouped-scan.ts';
import { materialized } from './materialized-access.ts';
import {
  type Current,
  type Entries,
  type Found,
  PageBuilder,
  type Source,
  whereAll,
} from './page-builder.ts';
import { past, pastBody, pastOfScans } from './past-versions.ts';

/** A page of more than a few records has at most this many bytes of bodies, or one record. */
export const PAGE_BYTES = 16 * 1_048_576;
/** Adding up the bytes of so few records would take a tenth of the time of their page, and such pages are common. */
const FEW_RECORDS = 64;

/** What a page's statement returns. */
export interface PageRow extends HeadRow {
  /** Whether the page is complete: no bound of the statement was reached before it was. If not, ignore the rest of the row. */
  readonly is_whole: 0 | 1;
  /** Rows of the page, and one more if there is a next page; fewer if some are left out. */
  readonly found: number;
  /** Rows after these that are left out because of the size of their bodies. */
  readonly left_out: number;
  /** The bodies of the rows found, in order, as UTF-8, joined by commas; null or empty if there are none. */
  readonly bodies: Buffer | null;
}

/** The columns that make up the page. */
export type JoinedRows = Pick<PageRow, 'found' | 'left_out' | 'bodies'>;

/**
 * The one statement that reads a page: the head and the page's rows, from one snapshot. Its parts are computed only as far as needed:
 * - along scans in the page's order (`w0`...), each with a bound on the entries that it examines; or all of another access, if it has few
 * entries, sorted;
 * - as of a position that is not the newest one, and if these are enough (`whole`), entries of past versions (`p`) up to the last row of a
 * full page (`lastRow`): those that were current then and match have a source, from which their bodies are read.
 * Parts carry sort keys, and either bodies or places, through which the bodies of the page's own rows are read at the end.
 * @param access instead of the plan's scans
 */
export function pageStatement(
  scope: PageScope,
  plan: PagePlan,
  request: PageRequest,
  access: TestedAccess | undefined,
): Once {
  const { dialect, target } = scope;
  const { from, where } = headTable(dialect, target.tables);
  const head = headColumns(dialect, target.tables, request.at);
  if (plan.isEmpty) {
    return once(
      dialect,
      sql`select ${head}, 1 as is_whole, 0 as found, 0 as left_out, null as bodies from ${from} where ${where}`,
    );
  }
  const builder = new PageBuilder(scope, plan, request);
  const { rows, have, isWhole } = access === undefined ? alongScans(builder) : throughAccess(builder, access);
  return dialect.withTexts({
    definitions: builder.definitions(),
    columns: sql`${head}, case when ${isWhole} then 1 else 0 end as is_whole`,
    from,
    where,
    texts: withBodies(scope, rows, have, builder.want),
  });
}

/** The bodies of rows in their order, up to the limit of bytes, at least that of one row. @param most how many rows there may be */
function withBodies({ dialect, target }: PageScope, rows: Sql, have: Source, most: number): Sql {
  const { rowLocator } = dialect;
  const read = (of: (body: Sql) => Sql): Sql => {
    if (rowLocator === undefined || have === 'bodies') return of(sql`row.body`);
    const there = sql`(select ${of(sql`body`)} from ${dialect.table(target.tables.record)} where ${rowLocator.column} = row.place)`;
    return have === 'places' ? there : sql`coalesce(${of(sql`row.body`)}, ${there})`;
  };
  if (most <= FEW_RECORDS)
    return have === 'bodies' ? rows : sql`select ${read((body) => body)} as body from (${rows}) as row`;
  const before = sql`over (rows unbounded preceding)`;
  return sql`select case when row.total <= ${sql.lit(PAGE_BYTES)} or row.number = 1 then ${read((body) => body)} end as body
    from (select row.*, sum(${read((body) => sql`octet_length(${body})`)}) ${before} as total, row_number() ${before} as number
      from (${rows}) as row) as row`;
}

/** Finds rows along the plan's scans. */
function alongScans(builder: PageBuilder): Found {
  const { plan, at } = builder;
  const [scan] = plan.scans;
  if (scan === undefined) throw new Error('a plan without a scan');
  const found = () => (plan.isOrdered ? merged(builder, plan.scans) : grouped(builder, scan));
  if (at === undefined) return found();
  const current = readAgain(builder, plan) ?? kept(builder, found());
  return withPast(builder, current, (isWhole) => pastOfScans(builder, plan.scans, current.lastRow, isWhole));
}

/** Finds rows through another access. */
function throughAccess(builder: PageBuilder, tested: TestedAccess): Found {
  const found = materialized(builder, tested);
  return builder.at === undefined
    ? found
    : withPast(builder, kept(builder, found), (isWhole) => past(builder, tested.access, isWhole));
}

function kept(builder: PageBuilder, { rows, isWhole }: Found): Current {
  const current = builder.define('current', rows);
  return {
    rows: (columns) => sql`select ${columns} from ${current}`,
    isKept: true,
    have: builder.have,
    isWhole,
    lastRow: builder.defineLastRow(sql`select ${builder.keys} from ${current}`),
  };
}

/** Current rows as they are, or sorted together with the page's past versions if there are any. */
function withPast(builder: PageBuilder, current: Current, pastOf: (isWhole: Sql) => Sql): Found {
  const { keys } = builder;
  const whole = builder.define(
    'whole',
    sql`select case when ${current.isWhole} then 1 else 0 end as is_whole`,
  );
  const isWhole = sql`(select whole.is_whole from ${whole}) = 1`;
  const past = pastOf(isWhole);
  const isAll = sql`(select count(*) from ${past}) <= ${sql.lit(builder.scope.limits.past)}`;
  const have = current.have === 'bodies' ? 'bodies' : 'either';
  const ofCurrent = have === 'bodies' ? sql`body, ${keys}` : sql`place, null as body, ${keys}`;
  const body = pastBody(builder);
  const ofPast = have === 'bodies' ? sql`${body}, ${keys}` : sql`null, ${body}, ${keys}`;
  const together = (onlyIf?: Sql) =>
    builder.first([
      sql`select * from (${current.rows(ofCurrent, onlyIf)}) as of_current`,
      sql`select ${ofPast} from ${past} where source is not null`,
    ]);
  const isChanged = sql`exists (select 1 from ${past} where source is not null)`;
  // SQLite copies a part for each reference to it, and rejects too many: rows that are kept consist of several parts.
  const rows = current.isKept
    ? together()
    : sql`select * from (${current.rows(ofCurrent, sql`not ${isChanged}`)}) as alone
        union all select * from (${together(isChanged)}) as together`;
  return { rows, have, isWhole: sql`${isWhole} and ${isAll}` };
}

/** Merges scans that have the page's order. */
export function merged(builder: PageBuilder, scans: readonly IndexScan[]): Found {
  const tests = builder.tests(builder.plan.rest);
  const [only] = scans;
  if (only !== undefined && scans.length === 1 && tests.length === 0) {
    // Every entry that is read is on the page, so its body can be read at once.
    const rows = builder.take(sql`body`, ordered(builder, only), builder.want);
    return { rows, have: 'bodies', isWhole: sql`1 = 1` };
  }
  const bounds: Sql[] = [];
  const parts = scans.map((scan, index) => {
    const entries = ordered(builder, scan);
    const part = builder.define(`w${index}`, builder.scanRows(entries, builder.plan.rest));
    if (tests.length > 0) bounds.push(sql`(${builder.isFull([part])} or not ${builder.goesOn(entries)})`);
    return sql`select * from ${part}`;
  });
  const [first] = parts;
  // A record may be on the scans of several fields.
  const rows = parts.length === 1 && first !== undefined ? first : builder.firstOnce(parts);
  return { rows, have: builder.have, isWhole: bounds.length === 0 ? sql`1 = 1` : sql.join(bounds, ' and ') };
}

/**
 * The current rows of a scan in the order of the page that are tested only for their position; undefined for other scans. Reading such rows
 * again costs less than keeping them.
 */
export function readAgain(builder: PageBuilder, { scans, isOrdered, rest }: PagePlan): Current | undefined {
  const [only] = scans;
  if (only === undefined || scans.length > 1 || !isOrdered || rest !== undefined) return undefined;
  const entries = ordered(builder, only);
  const tests = whereAll(builder.tests(undefined));
  const rows = (columns: Sql, onlyIf?: Sql): Sql => {
    const examined = builder.take(
      sql`body, position, ${builder.keys}`,
      { ...entries, onlyIf },
      builder.examined,
    );
    return sql`select ${columns} from (${examined}) as examined ${tests} limit ${sql.lit(builder.want)}`;
  };
  const lastRow = builder.defineLastRow(rows(builder.keys));
  const isWhole = sql`(exists (select 1 from ${lastRow}) or not ${builder.goesOn(entries)})`;
  return { rows, isKept: false, have: 'bodies', isWhole, lastRow };
}

function ordered(builder: PageBuilder, scan: IndexScan): Entries {
  const { dialect } = builder.scope;
  const after = builder.after && {
    key: scan.field && (pointOf(scan.range) ?? builder.after.sortKeys[0]),
    id: builder.after.id,
  };
  const { conditions, order } = scanSql(dialect, scan, after, undefined);
  const table = tableOf(builder.scope, scan, 'record');
  return { table, conditions, order, isClosed: isClosedScan(scan) };
}
