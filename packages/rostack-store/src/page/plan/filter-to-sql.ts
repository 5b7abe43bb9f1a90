import { Buffer } from 'node:buffer';
import type { Filter, FilterComparison } from 'rostack-core';
import type { Dialect } from '../../drivers/dialect/dialect.ts';
import { type Sql, sql } from '../../drivers/dialect/sql.ts';
import { encodeDetailKey, encodeMembership, MISSING_KEY, typeRange } from '../../schema/key/encode-key.ts';
import type { StoredField } from '../../schema/resource/field.ts';
import { detailColumn, orderColumn } from '../../schema/tables.ts';
import { type KeyRange, partedRanges, rangesOf } from './key-range.ts';

/** Finds a field of the resource by its pointer. */
export type FieldLookup = (pointer: string) => StoredField;

/**
 * The condition that holds for exactly the rows whose records match. It is never NULL, so that NOT is the exact negation.
 * @see compileFilter of rostack-core, which decides the same in process
 */
export function filterToSql(dialect: Dialect, filter: Filter, fieldOf: FieldLookup): Sql {
  switch (filter.kind) {
    case 'and':
      return joined(
        filter.filters.map((part) => filterToSql(dialect, part, fieldOf)),
        'and',
      );
    case 'or':
      return joined(
        filter.filters.map((part) => filterToSql(dialect, part, fieldOf)),
        'or',
      );
    case 'not':
      return sql`not (${filterToSql(dialect, filter.filter, fieldOf)})`;
    default:
      return comparisonToSql(dialect, filter, fieldOf(filter.pointer));
  }
}

function joined(parts: readonly Sql[], operator: 'and' | 'or'): Sql {
  if (parts.length === 0) return operator === 'and' ? TRUE : FALSE;
  return sql`(${sql.join(parts, ` ${operator} `)})`;
}

const TRUE = sql`(1 = 1)`;
const FALSE = sql`(1 = 0)`;

function comparisonToSql(dialect: Dialect, comparison: FilterComparison, field: StoredField): Sql {
  const order = sql.id(orderColumn(field));
  const detail = sql.id(detailColumn(field));
  const { operator, operand } = comparison;
  const ranges = rangesOf(comparison);
  if (ranges !== undefined) return inRanges(order, ranges);
  switch (operator) {
    case 'ne':
      return sql`not (${comparisonToSql(dialect, { ...comparison, operator: 'eq' }, field)})`;
    case 'nin':
      return sql`not (${comparisonToSql(dialect, { ...comparison, operator: 'in' }, field)})`;
    case 'exists': {
      const isMissing = sql`(${order} = ${MISSING_KEY} and ${detail} is null)`;
      return operand === true ? sql`not ${isMissing}` : isMissing;
    }
    case 'ends_with':
      return endsWith(order, Buffer.from(String(operand), 'utf8'));
    case 'contains': {
      const isMember = sql`(${detail} is not null and ${dialect.contains(detail, encodeMembership(operand))})`;
      if (typeof operand !== 'string') return isMember;
      const rest = sql`substr(${order}, 2)`;
      const isIn = operand === '' ? TRUE : dialect.contains(rest, Buffer.from(operand, 'utf8'));
      return sql`(${isString(order)} and ${isIn} or ${isMember})`;
    }
    case 'eq':
      return sql`(${detail} is not null and ${detail} = ${encodeDetailKey(operand)})`;
    // These operators have ranges for every operand.
    case 'in':
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
    case 'starts_with':
      return FALSE;
    default:
      return operator satisfies never;
  }
}

/** Whether the key is in one of the ranges. */
export function inRanges(key: Sql, ranges: readonly KeyRange[]): Sql {
  return joined(eachOfRanges(key, ranges), 'or');
}

/** Conditions, one of which holds for a key in one of the ranges; an index answers each of them with seeks. */
export function eachOfRanges(key: Sql, ranges: readonly KeyRange[]): Sql[] {
  const { points, others } = partedRanges(ranges);
  const conditions = others.map((range) => sql`(${inRange(key, range)})`);
  if (points.length === 1) conditions.push(sql`${key} = ${points[0]}`);
  if (points.length > 1) conditions.push(sql`${key} in (${sql.join(points)})`);
  return conditions;
}

/** Keys as a table `point` with a column `key`, for PostgreSQL. */
export function pointsTable(points: readonly Buffer[]): Sql {
  return sql`(values ${sql.join(points.map((point) => sql`(${point}::bytea)`))}) as point (key)`;
}

/** Whether the key lies between the bounds. */
export function inRange(key: Sql, { low, high }: KeyRange<Buffer | Sql>): Sql {
  const conditions: Sql[] = [];
  if (low !== undefined) conditions.push(sql`${key} ${low.inclusive ? sql`>=` : sql`>`} ${low.key}`);
  if (high !== undefined) conditions.push(sql`${key} ${high.inclusive ? sql`<=` : sql`<`} ${high.key}`);
  return sql.join(conditions, ' and ');
}

/** The length is tested because the suffix might otherwise overlap the type's tag. */
function endsWith(order: Sql, suffix: Buffer): Sql {
  if (suffix.length === 0) return isString(order);
  const size = sql.lit(suffix.length);
  return sql`(${isString(order)} and length(${order}) > ${size} and substr(${order}, length(${order}) - ${size} + 1) = ${suffix})`;
}

function isString(order: Sql): Sql {
  const { low, high } = typeRange('');
  return sql`(${order} >= ${low} and ${order} < ${high})`;
}
