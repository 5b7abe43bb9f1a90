import { createHash } from 'node:crypto';
import type { Work } from '../../../drivers/database.ts';
import type { AttachedTable, KeyColumn } from '../../attachment/attachment.ts';
import type { LayoutLook } from '../../attachment/layout.ts';
import { query } from '../../source/query.ts';
import { tableNameOf } from '../../source/table-source.ts';

/** Version of the form of inbox, images and layouts. A release stops an attachment with a form other than its own. */
export const FORM = '4';

/** A column of a SQLite table. */
export interface SqliteColumn {
  readonly number: number;
  readonly column: string;
  /** The declared type; empty if there is none. */
  readonly type: string;
  readonly isNotNull: number;
  /** Its place in the primary key, from 1; 0 if it is not part of it. */
  readonly primaryKey: number;
}

/** A set of columns whose values are unique among the rows. */
export interface UniqueSet {
  /** Column names; null for an expression. */
  readonly columns: readonly (string | null)[];
  readonly collations: readonly string[];
  readonly isPartial: boolean;
}

export function readColumns(table: string): Work<readonly SqliteColumn[]> {
  return query<SqliteColumn>(
    `select cid as number, name as "column", type, "notnull" as "isNotNull", pk as "primaryKey"
      from pragma_table_xinfo($1, 'main') where hidden <> 1 order by cid`,
    [table],
  );
}

/** The sets of the unique indexes, and of an `integer primary key`, which has no index. */
export function* readUniqueSets(table: string, columns: readonly SqliteColumn[]): Work<readonly UniqueSet[]> {
  const rows = yield* query<{
    seq: number;
    origin: string;
    partial: number;
    name: string | null;
    coll: string;
  }>(
    `select l.seq, l.origin, l.partial, x.name, x.coll from pragma_index_list($1, 'main') l, pragma_index_xinfo(l.name, 'main') x
      where l."unique" = 1 and x.key = 1 order by l.seq, x.seqno`,
    [table],
  );
  const sets = [...Map.groupBy(rows, ({ seq }) => seq).values()].map((index) => ({
    columns: index.map(({ name }) => name),
    collations: index.map(({ coll }) => coll),
    isPartial: index.some(({ partial }) => partial !== 0),
  }));
  const primary = columns.filter(({ primaryKey }) => primaryKey > 0);
  const isRowid = primary.length === 1 && !rows.some(({ origin }) => origin === 'pk');
  return isRowid
    ? [{ columns: primary.map(({ column }) => column), collations: ['BINARY'], isPartial: false }, ...sets]
    : sets;
}

/** The unique set of exactly these columns in this order, by which rows can be found. */
export function uniqueSetOf(sets: readonly UniqueSet[], columns: readonly string[]): UniqueSet | undefined {
  const names = JSON.stringify(columns);
  return sets.find((set) => !set.isPartial && JSON.stringify(set.columns) === names);
}

/** The current layout of a table. The stamp changes with every change of any table's definition. */
export function* lookAtSqlite(
  table: Pick<AttachedTable, 'source' | 'key' | 'columns' | 'number'>,
): Work<LayoutLook> {
  const { source } = table;
  const [state] = yield* query<{ stamp: number; isTable: number }>(
    `select (select schema_version from pragma_schema_version) as stamp,
      exists (select 1 from main.sqlite_schema where type = 'table' and name = $1) as "isTable"`,
    [source.table],
  );
  const stamp = String(state?.stamp);
  if (state?.isTable !== 1) return { layout: null, stamp };
  const columns = yield* readColumns(source.table);
  const triggers = yield* query<{ name: string; sql: string }>(
    `select name, sql from main.sqlite_schema where type = 'trigger' and tbl_name = $1 and substr(name, 1, $3) = $2 order by name`,
    [source.table, triggerPrefix(table.number), triggerPrefix(table.number).length],
  );
  const sets = yield* readUniqueSets(source.table, columns);
  const facts: [string, string | boolean][] = [
    ['form', FORM],
    ['name', tableNameOf(source)],
    ['key is unique, by an index of its own', isKeyed(table.key, sets)],
    // With a new unique index, `replace` could delete rows that no trigger notes.
    ['unique columns', sets.map(describeSet).toSorted().join(' and ')],
  ];
  for (const { column } of [...table.key, ...table.columns]) {
    const found = columns.find((each) => each.column === column);
    if (found !== undefined)
      facts.push([`column ${column}`, found.type === '' ? 'without a type' : found.type]);
  }
  for (const { name, sql } of triggers) {
    facts.push([`trigger ${name}`, createHash('sha256').update(sql).digest('hex').slice(0, 8)]);
  }
  return { layout: JSON.stringify(Object.fromEntries(facts)), stamp };
}

/** Prefix of the names of an attachment's triggers. */
export function triggerPrefix(number: number): string {
  return `rostack_${number}_`;
}

function describeSet({ columns, collations }: UniqueSet): string {
  const described = columns.map((column, index) => `${column ?? 'an expression'} ${collations[index]}`);
  return `(${described.join(', ')})`;
}

function isKeyed(key: readonly KeyColumn[], sets: readonly UniqueSet[]): boolean {
  const set = uniqueSetOf(
    sets,
    key.map(({ column }) => column),
  );
  return set !== undefined && key.every(({ collation }, index) => set.collations[index] === collation);
}
