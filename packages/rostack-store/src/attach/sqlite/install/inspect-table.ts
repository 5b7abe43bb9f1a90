import type { Work } from '../../../drivers/database.ts';
import { quoteName } from '../../../drivers/dialect/sql.ts';
import { AttachRefusedError } from '../../../errors/index.ts';
import type { KeyColumn, MemberColumn } from '../../attachment/attachment.ts';
import { chooseColumns, findColumn } from '../../attachment/choose-columns.ts';
import type { InspectedTable } from '../../driver/installer.ts';
import { storageOf } from '../../row/sqlite-row.ts';
import { qualified, query } from '../../source/query.ts';
import { type ResolvedColumn, type ResolvedSource, tableNameOf } from '../../source/table-source.ts';
import { sqliteObjects } from './capture.ts';
import { readColumns, readUniqueSets, type SqliteColumn, type UniqueSet, uniqueSetOf } from './layout.ts';

/** The collations that every connection has; others are functions of an application. */
const COLLATIONS = ['BINARY', 'NOCASE', 'RTRIM'];

/**
 * Examines a table of the store's file that is to be attached, or to stay attached.
 * @param isInstalling whether its rows have to be examined too
 * @throws AttachRefusedError with the obstacles
 */
export function* inspectSqliteTable(source: ResolvedSource, isInstalling: boolean): Work<InspectedTable> {
  const name = tableNameOf(source);
  if (source.schema !== 'main') {
    throw new AttachRefusedError(
      `${name} is not in the store's file: triggers of SQLite write to their own file only, so keep the table in the file of the store URL and leave the schema out`,
    );
  }
  const isWithoutRowid = yield* findTable(source);
  const columns = yield* readColumns(source.table);
  const sets = yield* readUniqueSets(source.table, columns);
  const key = yield* inspectKey(source, columns, sets, isInstalling);
  const replacing = sets.find((set) => set.columns.includes(null));
  if (replacing !== undefined) {
    throw new AttachRefusedError(
      `${name} has a unique index over an expression: "insert or replace" could delete rows by it without a trigger, so make it an index over columns, generated ones if need be`,
    );
  }
  const isRowid = sets[0]?.columns.join() === source.key.join() && isIntegerPrimaryKey(columns, source.key);
  const taken = new Set(columns.map(({ column }) => column.toLowerCase()));
  const rowid = ['rowid', '_rowid_', 'oid'].find((each) => !taken.has(each));
  const replacedBy = { sets, rowid: isWithoutRowid || isRowid ? undefined : rowid };
  return {
    source,
    tableOid: 0,
    key,
    columns: chooseColumns(columns, source, toMemberColumn),
    objects: (table) => sqliteObjects(table, replacedBy),
  };
}

function* findTable(source: ResolvedSource): Work<boolean> {
  const name = tableNameOf(source);
  const [table] = yield* query<{ type: string; isWithoutRowid: number }>(
    `select type, wr as "isWithoutRowid" from pragma_table_list where schema = 'main' and name = $1`,
    [source.table],
  );
  if (table === undefined) {
    throw new AttachRefusedError(
      `there is no table ${name} in the store's file: write its name exactly as in sqlite_schema`,
    );
  }
  if (table.type !== 'table') {
    throw new AttachRefusedError(
      `${name} is a ${table.type}, whose rows change without triggers: attach a table`,
    );
  }
  return table.isWithoutRowid === 1;
}

function* inspectKey(
  source: ResolvedSource,
  columns: readonly SqliteColumn[],
  sets: readonly UniqueSet[],
  isInstalling: boolean,
): Work<readonly KeyColumn[]> {
  const name = tableNameOf(source);
  const found = source.key.map((column) => findColumn(columns, column, source));
  const set = uniqueSetOf(sets, source.key);
  if (set === undefined) {
    const list = source.key.map((column) => quoteName(column)).join(', ');
    throw new AttachRefusedError(
      `the key ${source.key.join(', ')} of ${name} has to be its primary key, with its columns in that order, or to have a unique index of its own: create unique index NAME on ${quoteName(source.table)} (${list})`,
    );
  }
  const key = found.map((column, index): KeyColumn => {
    const collation = set.collations[index] ?? '';
    if (!COLLATIONS.includes(collation.toUpperCase())) {
      throw new AttachRefusedError(
        `the key ${column.column} of ${name} is in the collation ${collation}, which is an application's own`,
      );
    }
    return { ...toKeyColumn(column, name), collation };
  });
  if (!isInstalling) return key;
  const unfit = key.map((column) => `typeof(${quoteName(column.column)}) <> '${storageOf(column)}'`);
  const [row] = yield* query(
    `select 1 from ${qualified('main', source.table)} where ${unfit.join(' or ')} limit 1`,
  );
  if (row !== undefined) {
    throw new AttachRefusedError(
      `${name} has a row whose key ${source.key.join(', ')} is NULL, or is stored otherwise than its type says: correct it`,
    );
  }
  return key;
}

function toKeyColumn({ number, column, type }: SqliteColumn, table: string): KeyColumn {
  const declared = type.toUpperCase();
  // The rules of https://sqlite.org/datatype3.html, section 3.1.
  if (declared.includes('INT')) return { number, column, type, typeName: 'int8' };
  if (/CHAR|CLOB|TEXT/.test(declared)) return { number, column, type, typeName: 'text' };
  throw new AttachRefusedError(
    `the key ${column} of ${table} is ${type === '' ? 'without a type' : type}: use a column that is declared as INTEGER or TEXT`,
  );
}

function toMemberColumn(
  { number, column, type }: SqliteColumn,
  { member, as }: ResolvedColumn,
): MemberColumn {
  if (as === 'text') {
    throw new AttachRefusedError(
      `the column ${column} is to be taken as text, but a value of SQLite has the type that it is stored as: leave that out, and let the schema say that the member is a string`,
    );
  }
  const kinds = { 'decimal-string': 'stored-decimal', 'json-text': 'stored-json-text' } as const;
  const kind = as === undefined ? 'stored' : kinds[as];
  return { number, column, type, typeName: '', isArray: false, member, kind };
}

function isIntegerPrimaryKey(columns: readonly SqliteColumn[], [name]: readonly string[]): boolean {
  return columns.some(
    ({ column, type, primaryKey }) => column === name && primaryKey === 1 && type.toUpperCase() === 'INTEGER',
  );
}
