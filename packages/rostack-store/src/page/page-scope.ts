import { sql } from 'kysely';
import type { Filter, PageQuery, Position, SortKey } from 'rostack-core';
import type { Dialect, Sql } from '../database/dialect.ts';
import { StoreOptionsError } from '../errors/index.ts';
import type { Place } from '../log/read-head.ts';
import type { StoredField } from '../resource/field.ts';
import type { StoredResource } from '../schema/stored-resource.ts';
import { type Half, orderColumn } from '../schema/tables.ts';
import { type FieldLookup, filterToSql } from './filter-to-sql.ts';
import type { PageLimits } from './page-limits.ts';

/** A query that says which position it is of. */
export type PlacedPageQuery = PageQuery & { readonly at: Position };

/** What all statements of one page have in common. */
export interface PageScope extends Place {
  readonly dialect: Dialect;
  readonly target: StoredResource;
  readonly filter: Filter | undefined;
  /** The filter as a condition, bounded in time; undefined when every row matches. */
  readonly condition: Sql | undefined;
  readonly sort: readonly SortKey[];
  readonly sortFields: readonly StoredField[];
  readonly fieldOf: FieldLookup;
  readonly limits: PageLimits;
}

/** @throws StoreOptionsError when the query names a field that the resource was not opened with */
export function pageScope(
  dialect: Dialect,
  target: StoredResource,
  query: PlacedPageQuery,
  limits: PageLimits,
): PageScope {
  const fieldOf = fieldLookup(target);
  const sortFields = sortFieldsOf(target, query);
  const { filter } = query;
  return {
    dialect,
    target,
    at: query.at,
    tag: query.tag,
    filter,
    condition: filter && inTime(dialect, filterToSql(dialect, filter, fieldOf)),
    sort: query.sort,
    sortFields,
    fieldOf,
    limits,
  };
}

/** @throws StoreOptionsError, from the lookup, for a field that the resource was not opened with */
export function fieldLookup({ resource, tables: { fields } }: StoredResource): FieldLookup {
  return (pointer) => {
    const field = fields.find((candidate) => candidate.pointer === pointer);
    if (field !== undefined) return field;
    throw new StoreOptionsError(
      `${resource.name} was not opened with the field ${JSON.stringify(pointer)}: add it to filterableFields`,
    );
  };
}

/** @throws StoreOptionsError for a field that the resource was not opened with */
export function sortFieldsOf(
  { resource, tables: { fields } }: StoredResource,
  { sort }: PageQuery,
): readonly StoredField[] {
  return sort.map(({ pointer }) => {
    const field = fields.find((candidate) => candidate.pointer === pointer);
    if (field?.index === 'whole') return field;
    throw new StoreOptionsError(
      `${resource.name} was not opened with the sortable field ${JSON.stringify(pointer)}: add it to sortableFields`,
    );
  });
}

function inTime(dialect: Dialect, condition: Sql): Sql {
  return dialect.inTime === undefined ? condition : sql`${dialect.inTime} and ${condition}`;
}

/** Columns of a scanned row. */
export function scanColumns({ sortFields }: PageScope, half: Half): Sql {
  const columns: Sql[] = [
    sql`id`,
    sql`version`,
    half === 'record' ? sql`position` : sql`from_position as position`,
    sql`body`,
  ];
  for (const [index, field] of sortFields.entries()) {
    columns.push(sql`${sql.ref(orderColumn(field))} as ${sql.id(`s${index}`)}`);
  }
  return sql.join(columns);
}

/** Whether a row of this half stood at the page's position. */
export function visibleAt(half: Half, at: Position): Sql {
  return half === 'record' ? sql`position <= ${at}` : sql`from_position <= ${at} and to_position > ${at}`;
}
