import type { Filter, PageQuery, Position, SortKey } from 'rostack-core';
import type { Dialect } from '../../drivers/dialect/dialect.ts';
import { type Sql, sql } from '../../drivers/dialect/sql.ts';
import { StoreOptionsError } from '../../errors/index.ts';
import type { Place } from '../../log/read-head.ts';
import { encodeOrderKey } from '../../schema/key/encode-key.ts';
import type { StoredField } from '../../schema/resource/field.ts';
import type { StoredResource } from '../../schema/stored-resource.ts';
import { orderColumn } from '../../schema/tables.ts';
import { type FieldLookup, filterToSql } from './filter-to-sql.ts';
import { rangesOf } from './key-range.ts';
import type { PageLimits } from './page-limits.ts';
import type { SortPlace } from './scanned-row.ts';

/** What all statements of one page share. */
export interface PageScope {
  readonly dialect: Dialect;
  readonly target: StoredResource;
  readonly filter: Filter | undefined;
  readonly sort: readonly SortKey[];
  readonly sortFields: readonly StoredField[];
  readonly fieldOf: FieldLookup;
  readonly limits: PageLimits;
}

/** The scope of a page as of a position. */
export interface SnapshotScope extends PageScope, Place {}

/** The page to read: `limit` rows after a place, of the newest state or as of a position. */
export interface PageRequest {
  readonly at: Position | undefined;
  readonly after: SortPlace | undefined;
  readonly limit: number;
}

export function requestOf({ at, after, limit }: PageQuery): PageRequest {
  const place = after && { sortKeys: after.values.map(encodeOrderKey), id: after.id };
  return { at, after: place, limit };
}

/** @throws StoreOptionsError when the query names a field that the resource was not opened with */
export function pageScope(
  dialect: Dialect,
  target: StoredResource,
  { filter, sort }: PageQuery,
  limits: PageLimits,
): PageScope {
  const fieldOf = fieldLookup(target);
  return {
    dialect,
    target,
    filter,
    sort,
    sortFields: sortFieldsOf(target, sort),
    fieldOf,
    limits: limitsFor(filter, limits),
  };
}

/** @throws StoreOptionsError when the resource was not opened with the field that is looked up */
export function fieldLookup({ resource, tables: { fields } }: StoredResource): FieldLookup {
  return (pointer) => {
    const field = fields.find((candidate) => candidate.pointer === pointer);
    if (field !== undefined) return field;
    throw new StoreOptionsError(
      `${resource.name} was not opened with the field ${JSON.stringify(pointer)}: add it to filterableFields`,
    );
  };
}

function sortFieldsOf(
  { resource, tables: { fields } }: StoredResource,
  sort: readonly SortKey[],
): readonly StoredField[] {
  return sort.map(({ pointer }) => {
    const field = fields.find((candidate) => candidate.pointer === pointer);
    if (field?.index === 'whole') return field;
    throw new StoreOptionsError(
      `${resource.name} was not opened with the sortable field ${JSON.stringify(pointer)}: add it to sortableFields`,
    );
  });
}

/** The conditions that test a row for the whole filter. */
export function testsOf({ dialect, filter, fieldOf }: PageScope): Sql[] {
  return filter === undefined ? [] : [conditionOf(dialect, filter, fieldOf)];
}

/** A filter as a condition, with a bound on its time. */
export function conditionOf(dialect: Dialect, filter: Filter, fieldOf: FieldLookup): Sql {
  const condition = filterToSql(dialect, filter, fieldOf);
  const { inTime } = dialect;
  if (inTime === undefined) return condition;
  return sql`${testsKeys(filter) ? inTime.forSome : inTime.forEach} and ${condition}`;
}

/** Whether the filter only compares order keys, whose cost is negligible. */
function testsKeys(filter: Filter): boolean {
  if (filter.kind === 'comparison') return rangesOf(filter) !== undefined;
  return filter.kind === 'not' ? testsKeys(filter.filter) : filter.filters.every(testsKeys);
}

/** The order of the page. @see compareSorted, which is the same in process */
export function pageOrder({ sort, sortFields }: PageScope): Sql {
  const keys = sortFields.map((field, index) => {
    const column = sql.id(orderColumn(field));
    return sort[index]?.descending === true ? sql`${column} desc` : column;
  });
  return sql.join([...keys, sql`id`]);
}

/** Whether a row comes after the place in the order of the page. */
export function isBeyond({ sort, sortFields }: PageScope, { sortKeys, id }: SortPlace): Sql {
  let condition: Sql = sql`id > ${id}`;
  for (let index = sortFields.length - 1; index >= 0; index -= 1) {
    const field = sortFields[index];
    const key = sortKeys[index];
    if (field === undefined || key === undefined) continue;
    const column = sql.id(orderColumn(field));
    const beyond = sort[index]?.descending === true ? sql`<` : sql`>`;
    condition = sql`(${column} ${beyond} ${key} or ${column} = ${key} and ${condition})`;
  }
  return condition;
}

/** The more comparisons a filter has, the fewer entries one statement examines. */
function limitsFor(filter: Filter | undefined, limits: PageLimits): PageLimits {
  const most = Math.ceil(limits.comparisons / Math.max(1, comparisonsIn(filter)));
  return {
    ...limits,
    examined: Math.min(limits.examined, most),
    materialized: Math.min(limits.materialized, most),
  };
}

function comparisonsIn(filter: Filter | undefined): number {
  if (filter === undefined) return 0;
  if (filter.kind === 'comparison') return 1;
  const parts = filter.kind === 'not' ? [filter.filter] : filter.filters;
  return parts.reduce((sum, part) => sum + comparisonsIn(part), 0);
}
