import type { Database } from 'better-sqlite3';
import type { JsonObject } from 'rostack-core';
import type { CatalogueColumn, CatalogueTable } from './catalogue.ts';

/** Rows examined per table, since a SQLite column may hold values of any type. */
const SAMPLE_ROWS = 10_000;
const LONG_CHARACTERS = 500;

interface TableRow {
  readonly name: string;
  readonly type: string;
}

interface ColumnRow {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
  readonly pk: number;
}

interface ValuesRow {
  readonly types: string | null;
  readonly longest: number | null;
  readonly distinctCount: number;
  readonly isFlag: number | null;
}

/** The gateway's own tables, which may be in the same file. */
const OWN_TABLES = ['attachment', 'head', 'note', 'quarantine', 'rate', 'state', 'token'];
const OWN_NUMBERED = /^(?:record|past|log|inbox)_\d+$/;

/** The tables of a file; those of a gateway in the same file are left out. */
export function readSqliteCatalogue(database: Database): readonly CatalogueTable[] {
  const tables = database
    .prepare(
      `select name, type from pragma_table_list where schema = 'main' and type in ('table', 'virtual')
       and name not like 'sqlite\\_%' escape '\\' order by name`,
    )
    .all() as TableRow[];
  const isShared = ['attachment', 'head', 'state'].every((own) => tables.some(({ name }) => name === own));
  return tables
    .filter(({ name }) => !(isShared && (OWN_TABLES.includes(name) || OWN_NUMBERED.test(name))))
    .map((table) => toTable(database, table));
}

function toTable(database: Database, { name, type }: TableRow): CatalogueTable {
  const rows = database
    .prepare('select name, type, "notnull", pk from pragma_table_info(?)')
    .all(name) as ColumnRow[];
  const indexed = database
    .prepare(
      `select i.name as column from pragma_index_list(?) l join pragma_index_info(l.name) i on i.seqno = 0 where l.partial = 0`,
    )
    .pluck()
    .all(name) as (string | null)[];
  const key = rows.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
  const rowCount = database
    .prepare(`select count(*) from (select 1 from ${quoted(name)} limit ${SAMPLE_ROWS})`)
    .pluck()
    .get();
  return {
    schema: undefined,
    name,
    description: undefined,
    rowCount: Number(rowCount) < SAMPLE_ROWS ? Number(rowCount) : undefined,
    columns: rows.map((row) => toColumn(database, name, row, row.pk === 1 || indexed.includes(row.name))),
    key: key.map((column) => column.name),
    isPartition: false,
    fault: type === 'virtual' ? 'is a virtual table' : key.length === 0 ? 'has no primary key' : undefined,
  };
}

function toColumn(database: Database, table: string, row: ColumnRow, isIndexed: boolean): CatalogueColumn {
  const column = quoted(row.name);
  const values = database
    .prepare(
      `select group_concat(distinct typeof(value)) as types, max(length(value)) as longest, count(distinct value) as "distinctCount",
        min(value in (0, 1)) as "isFlag" from (select ${column} as value from ${quoted(table)} limit ${SAMPLE_ROWS})`,
    )
    .get() as ValuesRow;
  const types = new Set((values.types ?? '').split(',').filter((type) => type !== ''));
  return {
    name: row.name,
    type: row.type === '' ? 'any' : row.type.toLowerCase(),
    schema: schemaOf(row.type, types, values.isFlag === 1),
    as: undefined,
    isNullable: row.pk === 0 && (row.notnull === 0 || types.has('null')),
    isOptional: false,
    description: undefined,
    isIndexed,
    distinctCount: values.distinctCount,
    isLong: (values.longest ?? 0) > LONG_CHARACTERS,
  };
}

/** From both the declared type and the types of the values: on SQLite neither alone suffices. */
function schemaOf(declared: string, types: ReadonlySet<string>, isFlag: boolean): JsonObject | undefined {
  if (types.has('blob')) return undefined;
  const name = declared.toLowerCase();
  if (types.has('text'))
    return types.has('integer') || types.has('real') ? { type: ['string', 'number'] } : { type: 'string' };
  if (name.startsWith('bool') && (isFlag || types.size === 0)) return { type: 'boolean' };
  if (types.has('real') || /real|floa|doub|num|dec/.test(name)) return { type: 'number' };
  if (types.has('integer') || /int/.test(name)) return { type: 'integer' };
  return { type: 'string' };
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
