import type { JsonObject } from 'rostack-core';
import type { SourceAs } from './column-schema.ts';

/** A column of a table, as a database's catalogue describes it. */
export interface CatalogueColumn {
  readonly name: string;
  /** Type as the database prints it, for people. */
  readonly type: string;
  /** What its values become in a record; undefined if no record can hold them. */
  readonly schema: JsonObject | undefined;
  /** How the source has to be told to read it; undefined: as it is. */
  readonly as: SourceAs | undefined;
  readonly isNullable: boolean;
  /** Whether records may be without it. */
  readonly isOptional: boolean;
  readonly description: string | undefined;
  /** Whether an index begins with it. */
  readonly isIndexed: boolean;
  /** How many different values it has, if the database knows. */
  readonly distinctCount: number | undefined;
  /** Whether values can be so long that no order should be promised of them. */
  readonly isLong: boolean;
}

/** A table that may be published. */
export interface CatalogueTable {
  /** Undefined on SQLite. */
  readonly schema: string | undefined;
  readonly name: string;
  readonly description: string | undefined;
  /** About how many rows it has; undefined if the database does not know. */
  readonly rowCount: number | undefined;
  readonly columns: readonly CatalogueColumn[];
  /** Columns of its primary key, or of a unique index that takes its place. */
  readonly key: readonly string[];
  /** Whether it is a part of another table, which is published only if somebody names it. */
  readonly isPartition: boolean;
  /** Why it cannot be published; undefined: it can. */
  readonly fault: string | undefined;
}

/** `schema.table`, or the table alone where it has no schema; as `source.table` of a configuration takes it. */
export function qualifiedName({ schema, name }: Pick<CatalogueTable, 'schema' | 'name'>): string {
  const parts = schema === undefined ? [name] : [schema, name];
  return parts.map((part) => (/[\s".]/.test(part) ? `"${part.replaceAll('"', '""')}"` : part)).join('.');
}

/** What people call it: without the schema where that is the usual one. */
export function shownName(table: Pick<CatalogueTable, 'schema' | 'name'>): string {
  return table.schema === 'public' ? table.name : qualifiedName(table);
}
