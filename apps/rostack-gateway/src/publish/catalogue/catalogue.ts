import type { JsonObject } from 'rostack-core';
import type { SourceAs } from './column-schema.ts';

/** A column of a table, as a database's catalogue describes it. */
export interface CatalogueColumn {
  readonly name: string;
  /** Type as the database prints it, for people. */
  readonly type: string;
  /** Schema of its values in a record; undefined if no record can hold them. */
  readonly schema: JsonObject | undefined;
  /** The `as` of the source's column; undefined if its values need no conversion. */
  readonly as: SourceAs | undefined;
  readonly isNullable: boolean;
  /** Whether it may be missing in records. */
  readonly isOptional: boolean;
  readonly description: string | undefined;
  /** Whether it is the first column of an index. */
  readonly isIndexed: boolean;
  /** Number of distinct values, if the database knows it. */
  readonly distinctCount: number | undefined;
  /** Whether its values may be too long to sort by. */
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
  /** Columns of its primary key, or of a unique index instead. */
  readonly key: readonly string[];
  /** Whether it is a partition of another table; partitions are published only if named. */
  readonly isPartition: boolean;
  /** Why it cannot be published; undefined if it can. */
  readonly fault: string | undefined;
}

/** `schema.table`, or only the table if it has no schema; in the form of `source.table` of a configuration. */
export function qualifiedName({ schema, name }: Pick<CatalogueTable, 'schema' | 'name'>): string {
  const parts = schema === undefined ? [name] : [schema, name];
  return parts.map((part) => (/[\s".]/.test(part) ? `"${part.replaceAll('"', '""')}"` : part)).join('.');
}

/** The name shown to people, without the default schema. */
export function shownName(table: Pick<CatalogueTable, 'schema' | 'name'>): string {
  return table.schema === 'public' ? table.name : qualifiedName(table);
}
