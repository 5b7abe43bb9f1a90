import type { Buffer } from 'node:buffer';
import type { Dialect } from '../database/dialect.ts';
import { type Sql, sql } from '../database/sql.ts';
import type { StoredField } from '../resource/field.ts';
import type { StoredResource } from '../schema/stored-resource.ts';
import { type Half, indexedExpression, indexName } from '../schema/tables.ts';
import { inRange } from './filter-to-sql.ts';
import type { IdRange } from './id-range.ts';
import { type KeyRange, pointOf } from './key-range.ts';

/** A way through a table along one index: by a field's key and then by id, or by id alone. */
export interface Walk {
  /** Undefined: by id. A field with a `prefix` index is walked at one key only. */
  readonly field?: StoredField | undefined;
  readonly range: KeyRange;
  /** Which ids, on a walk by id. */
  readonly ids?: IdRange | undefined;
  /** From the greatest key (and the greatest id within a key) down. */
  readonly descending: boolean;
}

/** A place on a walk. */
export interface WalkPlace {
  /** Undefined on a walk by id. */
  readonly key: Buffer | undefined;
  readonly id: string;
}

/** A walk as pieces of SQL. */
export interface WalkSql {
  /** The key that the walk goes by; undefined by id. */
  readonly key: Sql | undefined;
  readonly conditions: readonly Sql[];
  readonly order: Sql;
}

/**
 * The part of a walk after one place and up to another, in a form in which both databases seek.
 * SQLite seeks a row value only on plain columns, hence the equality at one key. PostgreSQL would take the equality out of the
 * order and might then walk all ids instead, hence its row value.
 */
export function walkSql(
  dialect: Dialect,
  { field, range, ids = {}, descending }: Walk,
  after: WalkPlace | undefined,
  upTo: WalkPlace | undefined,
): WalkSql {
  if (field === undefined) {
    return {
      key: undefined,
      conditions: [...bounds(ids, after), ...idConditions(after, upTo)],
      order: sql`id`,
    };
  }
  const key = indexedExpression(dialect, field);
  const point = pointOf(range);
  if (point !== undefined && dialect.name === 'sqlite') {
    return {
      key,
      conditions: [sql`${key} = ${dialect.equal(point)}`, ...idConditions(after, upTo)],
      order: sql`id`,
    };
  }
  const conditions: Sql[] = [];
  const low = after !== undefined && !descending ? undefined : range.low;
  const high = after !== undefined && descending ? undefined : range.high;
  if (low !== undefined || high !== undefined) conditions.push(inRange(key, { low, high }));
  const beyond = descending ? sql`<` : sql`>`;
  const within = descending ? sql`>=` : sql`<=`;
  if (after !== undefined) conditions.push(sql`(${key}, id) ${beyond} (${after.key}, ${after.id})`);
  if (upTo !== undefined) conditions.push(sql`(${key}, id) ${within} (${upTo.key}, ${upTo.id})`);
  return { key, conditions, order: descending ? sql`${key} desc, id desc` : sql`${key}, id` };
}

/** The lower bound lies before the place, and SQLite would seek by only one of them. */
function bounds({ low, high }: IdRange, after: WalkPlace | undefined): Sql[] {
  const conditions: Sql[] = [];
  if (low !== undefined && after === undefined)
    conditions.push(low.inclusive ? sql`id >= ${low.id}` : sql`id > ${low.id}`);
  if (high !== undefined) conditions.push(high.inclusive ? sql`id <= ${high.id}` : sql`id < ${high.id}`);
  return conditions;
}

function idConditions(after: WalkPlace | undefined, upTo: WalkPlace | undefined): Sql[] {
  const conditions: Sql[] = [];
  if (after !== undefined) conditions.push(sql`id > ${after.id}`);
  if (upTo !== undefined) conditions.push(sql`id <= ${upTo.id}`);
  return conditions;
}

/** The table of one half, read through the index that a walk goes by. */
export function tableOf(
  { dialect, target }: { readonly dialect: Dialect; readonly target: StoredResource },
  field: StoredField | undefined,
  half: Half,
): Sql {
  const table = target.tables[half];
  if (field !== undefined) return dialect.tableBy(table, indexName(table, field));
  return dialect.tableBy(table, half === 'record' ? `sqlite_autoindex_${table}_1` : `${table}_id`);
}
