import type { Position } from 'rostack-core';
import type { Dialect } from '../drivers/dialect/dialect.ts';
import type { ColumnType } from '../drivers/dialect/query.ts';
import { type Sql, sql } from '../drivers/dialect/sql.ts';
import { type FieldPair, INDEX_PREFIX_BYTES, type StoredField } from './resource/field.ts';

/** Names of the tables that the store keeps for one resource; `number` identifies its row in `head`. */
export interface ResourceTables {
  readonly number: number;
  /** Current version of each record. */
  readonly record: string;
  /** Past versions, each from one position to another. */
  readonly past: string;
  /** One row per change. */
  readonly log: string;
  readonly fields: readonly StoredField[];
  readonly compositeIndexes: readonly FieldPair<StoredField>[];
  /** The text in `head.fields`, on which all processes that use the resource have to agree. */
  readonly fieldsText: string;
}

/** A field as it is in `head.fields`. */
export interface FieldText extends Omit<StoredField, 'path'> {
  /** The numbers of the fields that it is sorted by within one key of, each by a composite index. */
  readonly within?: readonly number[] | undefined;
}

export function resourceTables(
  number: number,
  fields: readonly StoredField[],
  compositeIndexes: readonly FieldPair<StoredField>[] = [],
): ResourceTables {
  return {
    number,
    record: `record_${number}`,
    past: `past_${number}`,
    log: `log_${number}`,
    fields,
    compositeIndexes,
    fieldsText: JSON.stringify(
      fields.map((field) => {
        const { pointer, number, index, collation } = field;
        const within = compositeIndexes.filter(({ sort }) => sort === field).map(({ equal }) => equal.number);
        return { pointer, number, index, collation, within: within.length === 0 ? undefined : within };
      }),
    ),
  };
}

/** The two halves of a snapshot: current rows, and versions that have ended since. */
export type Half = 'record' | 'past';

/** A column, or an expression over one, and its type for bound rows. */
export interface Column {
  readonly name: string;
  readonly type: ColumnType;
}

export const VERSION_COLUMNS: readonly Column[] = [
  { name: 'id', type: 'text' },
  { name: 'version', type: 'text' },
  { name: 'body', type: 'text' },
];

export const LOG_COLUMNS: readonly Column[] = [
  { name: 'position', type: 'bigint' },
  { name: 'id', type: 'text' },
  { name: 'event_type', type: 'text' },
  { name: 'transition', type: 'text' },
  { name: 'version', type: 'text' },
  { name: 'occurred_at_ms', type: 'bigint' },
  { name: 'closed_bytes', type: 'bigint' },
];

/** The key columns of the fields, in the order that `encodeKeys` fills. */
export function keyColumns(fields: readonly StoredField[]): Column[] {
  return fields.flatMap((field) => [
    { name: orderColumn(field), type: 'bytea' as const },
    { name: detailColumn(field), type: 'bytea' as const },
  ]);
}

export function orderColumn(field: StoredField): string {
  return `k${field.number}`;
}

export function detailColumn(field: StoredField): string {
  return `x${field.number}`;
}

/** @param within the other field of a composite index */
export function indexName(
  table: string,
  field: Pick<StoredField, 'number'>,
  within?: Pick<StoredField, 'number'>,
): string {
  return within === undefined ? `${table}_k${field.number}` : `${table}_k${within.number}_k${field.number}`;
}

/** A field's key in an index: the whole order key, or its first bytes. */
export function indexedExpression(dialect: Dialect, field: StoredField): Sql {
  const column = sql.id(orderColumn(field));
  return field.index === 'whole' ? column : dialect.prefixOf(column, INDEX_PREFIX_BYTES);
}

/**
 * Past versions are indexed by partition (4,096 positions in which they ended) before their key. So entries that are written together are stored
 * together, in a few pages instead of one page each; a reader of the past searches each partition since its position.
 */
const PARTITION_BITS = 12;

/** The partition of a past version. */
export const PARTITION: Sql = partitionSql(sql`to_position`);

/** The partition of a position. */
export function partitionSql(position: Sql): Sql {
  return sql`(${position} >> ${sql.lit(PARTITION_BITS)})`;
}

/** The partition of a version that ended at this position. */
export function partitionOf(toPosition: Position): number {
  return Math.floor(toPosition / 2 ** PARTITION_BITS);
}

/** Creates the index of a field on the records, or on their past versions. */
export function createIndex(dialect: Dialect, tables: ResourceTables, half: Half, field: StoredField): Sql {
  const table = tables[half];
  const partition = half === 'past' ? sql`${PARTITION}, ` : sql``;
  return sql`create index ${sql.id(indexName(table, field))} on ${dialect.table(table)} (${partition}${keyInIndex(dialect, field)}, id)`;
}

/** Creates a composite index on the records. Past versions are found by the field that is equal. */
export function createCompositeIndex(
  dialect: Dialect,
  { record }: ResourceTables,
  { equal, sort }: FieldPair<StoredField>,
): Sql {
  const keys = sql.join([keyInIndex(dialect, equal), keyInIndex(dialect, sort)]);
  return sql`create index ${sql.id(indexName(record, sort, equal))} on ${dialect.table(record)} (${keys}, id)`;
}

function keyInIndex(dialect: Dialect, field: StoredField): Sql {
  const key = indexedExpression(dialect, field);
  return field.index === 'whole' ? key : sql`(${key})`;
}

export function columnList(columns: readonly Column[]): Sql {
  return sql.join(columns.map(({ name }) => sql.id(name)));
}
