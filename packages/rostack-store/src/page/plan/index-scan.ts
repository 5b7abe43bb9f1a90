import type { Buffer } from 'node:buffer';
import type { Dialect } from '../../drivers/dialect/dialect.ts';
import { type Sql, sql } from '../../drivers/dialect/sql.ts';
import type { StoredField } from '../../schema/resource/field.ts';
import type { StoredResource } from '../../schema/stored-resource.ts';
import { type Half, indexedExpression, indexName } from '../../schema/tables.ts';
import { inRange } from './filter-to-sql.ts';
import { isBounded, isClosed, type KeyRange, pointOf } from './key-range.ts';

/** A scan of a table along one index: by a field's key and then by id, or by id alone. */
export interface IndexScan {
  /** Undefined: by id. A field with a `prefix` index is scanned at one key only. */
  readonly field?: StoredField | undefined;
  readonly range: KeyRange;
  /** The range of ids, for a scan by id. */
  readonly ids?: KeyRange<string> | undefined;
  /** Limits the scan to records with one key of another field, through the composite index on both. */
  readonly within?: Within | undefined;
  /** From the greatest key (and the greatest id within a key) down. */
  readonly descending: boolean;
}

/** One key of a field. */
export interface Within {
  readonly field: StoredField;
  readonly key: Buffer;
}

/** A place on a scan. */
export interface ScanPosition {
  /** Undefined on a scan by id. */
  readonly key: Buffer | undefined;
  readonly id: string;
}

/** The parts of a scan's SQL. */
export interface ScanSql {
  /** The key that the scan is ordered by; undefined for a scan by id. */
  readonly key: Sql | undefined;
  readonly conditions: readonly Sql[];
  readonly order: Sql;
}

/**
 * The part of a scan after one place and up to another, in a form for which both databases seek. SQLite seeks a row value only on plain
 * columns, hence the equality for a single key. PostgreSQL would drop the equality from the order and might then scan all ids, hence its
 * row value; the index on past versions has the partition before the key, so with `isKey` it would sort them.
 */
export function scanSql(
  dialect: Dialect,
  { field, range, ids = {}, within, descending }: IndexScan,
  after: ScanPosition | undefined,
  upTo: ScanPosition | undefined,
): ScanSql {
  if (field === undefined) {
    return {
      key: undefined,
      conditions: [...bounds(ids, after), ...idConditions(after, upTo)],
      order: sql`id`,
    };
  }
  const key = indexedExpression(dialect, field);
  const point = pointOf(range);
  const index = indexOrder(dialect, field, within);
  if (point !== undefined && !dialect.planner.seeksRowValues) {
    return {
      key,
      conditions: [...index.inRange({}), dialect.isKey(key, point), ...idConditions(after, upTo)],
      order: index.order(false),
    };
  }
  const low = after !== undefined && !descending ? undefined : range.low;
  const high = after !== undefined && descending ? undefined : range.high;
  const conditions = index.inRange({ low, high });
  if (after !== undefined) conditions.push(index.compare(descending ? sql`<` : sql`>`, after));
  if (upTo !== undefined) conditions.push(index.compare(descending ? sql`>=` : sql`<=`, upTo));
  return { key, conditions, order: index.order(descending) };
}

/** SQL for the order of a field's index, or of a composite index. */
export interface IndexOrder {
  /** Conditions for the entries whose keys of the field are in a range. */
  inRange(range: KeyRange<Buffer | Sql>): Sql[];
  /** The entries on one side of a place. */
  compare(operator: Sql, place: { readonly key: Buffer | Sql | undefined; readonly id: string }): Sql;
  order(descending: boolean): Sql;
}

/**
 * In a composite index the other field comes first, and is tested by equality: with a row comparison, `(first, second) >= ...`, PostgreSQL
 * would also start at the right entry, but not stop at the last one.
 */
export function indexOrder(dialect: Dialect, field: StoredField, within: Within | undefined): IndexOrder {
  const key = indexedExpression(dialect, field);
  return {
    inRange: (range) => [...isWithin(dialect, within), ...(isBounded(range) ? [inRange(key, range)] : [])],
    compare: (operator, place) => sql`(${key}, id) ${operator} (${place.key}, ${place.id})`,
    order: (descending) => {
      const keys = within === undefined ? [key] : [indexedExpression(dialect, within.field), key];
      return sql.join([...keys, sql`id`].map((column) => (descending ? sql`${column} desc` : column)));
    },
  };
}

function isWithin(dialect: Dialect, within: Within | undefined): Sql[] {
  return within === undefined ? [] : [dialect.isKey(indexedExpression(dialect, within.field), within.key)];
}

/** With a place, which lies beyond it, the lower bound is left out: SQLite would seek by only one of them. */
function bounds({ low, high }: KeyRange<string>, after: ScanPosition | undefined): Sql[] {
  const conditions: Sql[] = [];
  if (low !== undefined && after === undefined)
    conditions.push(low.inclusive ? sql`id >= ${low.key}` : sql`id > ${low.key}`);
  if (high !== undefined) conditions.push(high.inclusive ? sql`id <= ${high.key}` : sql`id < ${high.key}`);
  return conditions;
}

function idConditions(after: ScanPosition | undefined, upTo: ScanPosition | undefined): Sql[] {
  const conditions: Sql[] = [];
  if (after !== undefined) conditions.push(sql`id > ${after.id}`);
  if (upTo !== undefined) conditions.push(sql`id <= ${upTo.id}`);
  return conditions;
}

/** Whether a scan is bounded on both sides. */
export function isClosedScan({ range, ids, within }: IndexScan): boolean {
  return isClosed(range) || ids?.high !== undefined || within !== undefined;
}

/** The table of one half (current or past), read through the scan's index. */
export function tableOf(
  { dialect, target }: { readonly dialect: Dialect; readonly target: StoredResource },
  { field, within }: Pick<IndexScan, 'field' | 'within'>,
  half: Half,
): Sql {
  const table = target.tables[half];
  if (field !== undefined) return dialect.tableBy(table, indexName(table, field, within?.field));
  return half === 'record' ? dialect.tableByPrimaryKey(table) : dialect.tableBy(table, `${table}_id`);
}
