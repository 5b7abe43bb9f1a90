import type { Dialect } from '../../drivers/dialect/dialect.ts';
import type { ColumnType, Query, SeveralRows } from '../../drivers/dialect/query.ts';
import { type Sql, sql, textOf } from '../../drivers/dialect/sql.ts';
import type { WriteTraits } from '../../drivers/dialect/write-traits.ts';
import type { StoredField } from '../../schema/resource/field.ts';
import type { StoredResource } from '../../schema/stored-resource.ts';
import {
  type Column,
  columnList,
  detailColumn,
  keyColumns,
  LOG_COLUMNS,
  orderColumn,
  VERSION_COLUMNS,
} from '../../schema/tables.ts';

/** A statement that runs once per row of values. */
export interface RowStatement {
  readonly sql: string;
  readonly types: readonly ColumnType[];
  readonly several: SeveralRows | undefined;
  /** See `copy` of a query. */
  readonly copy: string | undefined;
}

/** The statements that write one resource. */
export interface WriteStatements {
  /**
   * Reads `row, id, version, position, bytes, body`, and order keys by `orderKeyColumn` where they are compared. The body is null if it has more bytes than
   * the value says. Values: id, bytes.
   */
  readonly load: RowStatement;
  /** Copies the current version to the past. Values: end position, row. */
  readonly closeStored: RowStatement;
  /** Values: end position, start position, id, version, body, keys. */
  readonly closePassing: RowStatement;
  /** Writes the current version of a record that has none. Values: position, id, version, body, keys. */
  readonly insert: RowStatement;
  /** As `insert`, whether or not the record has one. */
  readonly put: RowStatement;
  /** Values: id. */
  readonly remove: RowStatement;
  /** Values: the columns of the log. */
  readonly append: RowStatement;
  /**
   * Writes the current version of a record that has one, without the order keys (and so the indexes) of fields that stay the same; for a
   * database that would write these again. Values: position, version, body, all detail keys, changed order keys, row.
   */
  replace(changedFields: readonly number[]): RowStatement;
}

const cache = new WeakMap<Dialect, WeakMap<StoredResource, WriteStatements>>();

export function writeStatements(dialect: Dialect, target: StoredResource): WriteStatements {
  const ofDialect = cache.get(dialect) ?? new WeakMap<StoredResource, WriteStatements>();
  cache.set(dialect, ofDialect);
  const cached = ofDialect.get(target);
  if (cached !== undefined) return cached;
  const statements = compileStatements(dialect, target);
  ofDialect.set(target, statements);
  return statements;
}

/** The query that runs a statement for these rows of values. */
export function each(statement: RowStatement, rows: readonly (readonly unknown[])[]): Query {
  return { kind: 'each', ...statement, rows };
}

/** The column in which `load` returns a field's order key, as hexadecimal text. */
export function orderKeyColumn(fieldIndex: number): string {
  return `key_${fieldIndex}`;
}

const POSITION: Column = { name: 'position', type: 'bigint' };
const ID: Column = { name: 'id', type: 'text' };
const VERSION: Column = { name: 'version', type: 'text' };
const BODY: Column = { name: 'body', type: 'text' };
const BYTES: Column = { name: 'bytes', type: 'bigint' };
const TO_POSITION: Column = { name: 'to_position', type: 'bigint' };
const FROM_POSITION: Column = { name: 'from_position', type: 'bigint' };

function compileStatements(dialect: Dialect, { tables }: StoredResource): WriteStatements {
  const { comparable, copyInto, joinedBy, orRollback, rowColumn: row, rowsAtOnce } = dialect.writes;
  const compile = (columns: readonly Column[], write: (rows: Sql) => Sql): RowStatement => {
    const types = columns.map(({ type }) => type);
    const textFor = (rowCount: number) => textOf(dialect, write(dialect.rowsOf(types, rowCount)));
    return {
      sql: textFor(1),
      types,
      several: rowsAtOnce === undefined ? undefined : { sql: textFor(rowsAtOnce), rowCount: rowsAtOnce },
      copy: undefined,
    };
  };
  const compileInsert = (table: Sql, columns: readonly Column[]): RowStatement => {
    const list = columnList(columns);
    const copy = copyInto && textOf(dialect, copyInto(table, list));
    return { ...compile(columns, (rows) => sql`insert ${orRollback} into ${table} (${list}) ${rows}`), copy };
  };
  const keys = keyColumns(tables.fields);
  const copied = [...VERSION_COLUMNS, ...keys];
  const current = [POSITION, ...copied];
  const closed = [TO_POSITION, FROM_POSITION, ...copied];
  const record = dialect.table(tables.record);
  const past = dialect.table(tables.past);
  const log = dialect.table(tables.log);
  const into = sql`insert ${orRollback} into`;
  const replacements = new Map<string, RowStatement>();
  const excluded = current
    .filter(({ name }) => name !== 'id')
    .map(({ name }) => sql`${sql.id(name)} = excluded.${sql.id(name)}`);
  return {
    load: compile(
      [ID, BYTES],
      (rows) => sql`with wanted (wanted_id, wanted_bytes) as (${rows})
        select ${sql.id(row.name)} as row, id, version, position, octet_length(body) as bytes,
          case when octet_length(body) <= wanted_bytes then body end as body${orderKeys(tables.fields, comparable)}
        from wanted ${joinedBy(record, sql`id = wanted_id`)}`,
    ),
    closeStored: compile(
      [TO_POSITION, row],
      (rows) => sql`with closing (closed_at, closed_row) as (${rows})
        ${into} ${past} (${columnList(closed)})
        select closed_at, position, ${columnList(copied)} from closing ${joinedBy(record, sql`${sql.id(row.name)} = closed_row`)}`,
    ),
    closePassing: compile(closed, (rows) => sql`${into} ${past} (${columnList(closed)}) ${rows}`),
    insert: compileInsert(record, current),
    put: compile(
      current,
      (rows) => sql`${into} ${record} (${columnList(current)}) ${rows}
        on conflict (id) do update set ${sql.join(excluded)}`,
    ),
    remove: compile([ID], (rows) => sql`delete from ${record} where id in (${rows})`),
    append: compileInsert(log, LOG_COLUMNS),
    replace: (changedFields) => {
      const name = changedFields.join();
      const known = replacements.get(name);
      if (known !== undefined) return known;
      const changed = tables.fields.filter((_, index) => changedFields.includes(index));
      const writtenKeys = [...tables.fields.map(detailColumn), ...changed.map(orderColumn)];
      const written = [POSITION, VERSION, BODY, ...writtenKeys.map(bytesColumn)];
      const assignments = written.map(({ name: column }) => sql`${sql.id(column)} = now.${sql.id(column)}`);
      const statement = compile(
        [...written, row],
        (rows) => sql`with now (${columnList(written)}, written_row) as (${rows})
          update ${orRollback} ${record} set ${sql.join(assignments)} from now where ${record}.${sql.id(row.name)} = written_row`,
      );
      replacements.set(name, statement);
      return statement;
    },
  };
}

function bytesColumn(name: string): Column {
  return { name, type: 'bytea' };
}

function orderKeys(fields: readonly StoredField[], comparable: WriteTraits['comparable']): Sql {
  if (comparable === undefined) return sql``;
  const columns = fields.map(
    (field, index) => sql`${comparable(sql.id(orderColumn(field)))} as ${sql.id(orderKeyColumn(index))}`,
  );
  return sql.join([sql``, ...columns]);
}
