import { sql } from 'kysely';
import type { Compiled, Dialect, Sql } from '../database/dialect.ts';
import { type Column, columnList, keyColumns, LOG_COLUMNS, VERSION_COLUMNS } from '../schema/tables.ts';
import type { StoredResource } from './prepare-change.ts';

/** The statements that write one resource; each runs once per row of values. */
export interface WriteStatements {
  /** Values: id. */
  readonly load: Compiled;
  /** Copies the current version to the past. Values: end position, id. */
  readonly closeStored: Compiled;
  /** Values: end position, start position, id, version, body, keys. */
  readonly closePassing: Compiled;
  /** Writes the current version, whether there is one or not. Values: position, id, version, body, keys. */
  readonly put: Compiled;
  /** Values: id. */
  readonly remove: Compiled;
  /** Values: the columns of the log. */
  readonly append: Compiled;
  /**
   * Writes the current version of a record that has one, leaving alone the columns (and so the indexes) of the fields that stay the
   * same. For SQLite, which would write these again; PostgreSQL sees by itself. Values: position, version, body, changed keys, id.
   */
  replace(changedFields: readonly number[]): Compiled;
}

const cache = new WeakMap<StoredResource, WriteStatements>();

export function writeStatements(dialect: Dialect, target: StoredResource): WriteStatements {
  const cached = cache.get(target);
  if (cached !== undefined) return cached;
  const statements = compileStatements(dialect, target);
  cache.set(target, statements);
  return statements;
}

const POSITION: Column = { name: 'position', type: 'bigint' };

function compileStatements(dialect: Dialect, { tables }: StoredResource): WriteStatements {
  const compile = (statement: Sql): Compiled => statement.compile(dialect.builder);
  const rowsOf = (columns: readonly Column[]) => dialect.rowsOf(columns.map(({ type }) => type));
  const keys = keyColumns(tables.fields);
  const copied = [...VERSION_COLUMNS, ...keys];
  const current = [POSITION, ...copied];
  const closed: Column[] = [
    { name: 'to_position', type: 'bigint' },
    { name: 'from_position', type: 'bigint' },
    ...copied,
  ];
  const [record, past, log] = [tables.record, tables.past, tables.log].map((name) => dialect.table(name));
  const replacements = new Map<string, Compiled>();
  const excluded = current
    .filter(({ name }) => name !== 'id')
    .map(({ name }) => sql`${sql.ref(name)} = excluded.${sql.ref(name)}`);
  const isSqlite = dialect.name === 'sqlite';
  const hasId = isSqlite ? sql`id = ${null}` : sql`id = any(${null}::text[])`;
  return {
    load: compile(
      sql`select id, version, position, body${isSqlite ? sql.join([sql``, ...refs(keys)]) : sql``} from ${record} where ${hasId}`,
    ),
    closeStored: compile(
      isSqlite
        ? sql`insert into ${past} (${columnList(closed)}) select ${null}, position, ${columnList(copied)} from ${record} where ${hasId}`
        : sql`insert into ${past} (${columnList(closed)})
            select closing.to_position, position, ${columnList(copied)} from ${record}
            join unnest(${null}::bigint[], ${null}::text[]) as closing (to_position, closed_id) on closing.closed_id = id`,
    ),
    closePassing: compile(sql`insert into ${past} (${columnList(closed)}) ${rowsOf(closed)}`),
    put: compile(
      sql`insert into ${record} (${columnList(current)}) ${rowsOf(current)}
        on conflict (id) do update set ${sql.join(excluded)}`,
    ),
    remove: compile(sql`delete from ${record} where ${hasId}`),
    append: compile(sql`insert into ${log} (${columnList(LOG_COLUMNS)}) ${rowsOf(LOG_COLUMNS)}`),
    replace: (changedFields) => {
      const name = changedFields.join();
      const known = replacements.get(name);
      if (known !== undefined) return known;
      const written = changedFields.flatMap((at) => keys.slice(at * 2, at * 2 + 2));
      const columns = [{ name: 'position' }, { name: 'version' }, { name: 'body' }, ...written];
      const assignments = columns.map((column) => sql`${sql.ref(column.name)} = ${null}`);
      const statement = compile(sql`update ${record} set ${sql.join(assignments)} where id = ${null}`);
      replacements.set(name, statement);
      return statement;
    },
  };
}

function refs(columns: readonly Column[]): Sql[] {
  return columns.map(({ name }) => sql.ref(name));
}
