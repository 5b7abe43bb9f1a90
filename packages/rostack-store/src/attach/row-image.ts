import { escapeIdentifier } from 'pg';
import { expressionOf } from './column-type.ts';
import { fieldName } from './row-type.ts';
import { idExpression, type KeyedTable, keptKeyFields, keyFields, memberColumns } from './table-key.ts';

/** SQL: an array of texts, the id's and those of every column that becomes a member. */
export function imageExpression(table: KeyedTable, row: string): string {
  const columns = memberColumns(table);
  const fields = columns.map(({ column }) => `${row}.${escapeIdentifier(column)}`);
  return imageOf(table, keyFields(table, row), fields);
}

/** SQL: the same of a row that the inbox keeps. */
export function keptImageExpression(table: KeyedTable, row: string): string {
  const keys = keptKeyFields(table, row);
  const fields = memberColumns(table).map((_, index) => `${row}.${fieldName(keys.length + index)}`);
  return imageOf(table, keys, fields);
}

function imageOf(table: KeyedTable, keys: readonly string[], fields: readonly string[]): string {
  const texts = memberColumns(table).map(({ kind, isArray }, index) =>
    expressionOf(kind, isArray, fields[index] ?? ''),
  );
  return `array[${[idExpression(table, keys), ...texts].join(', ')}]::pg_catalog.text[]`;
}
