import { escapeIdentifier } from 'pg';
import type { AttachedColumn } from './attachment.ts';
import { expressionOf } from './column-type.ts';

/** Name of a column's value in the type of the inbox's rows: the column may be renamed, or named like anything. */
function fieldName(index: number): string {
  return `c${index + 1}`;
}

/** SQL type that keeps a column's values: of the server's own types alone, so that nothing hinders a change of the application's. */
export function fieldTypeOf({ typeName, isEnum, isArray }: AttachedColumn): string {
  return `pg_catalog.${escapeIdentifier(isEnum ? 'text' : typeName)}${isArray ? '[]' : ''}`;
}

export function createRowTypeSql(name: string, columns: readonly AttachedColumn[]): string {
  const fields = columns.map((column, index) => `${fieldName(index)} ${fieldTypeOf(column)}`);
  return `create type ${name} as (${fields.join(', ')})`;
}

/** SQL: a row of the attached table as the inbox keeps it. No text is made of it in the writer's time. */
export function rowExpression(name: string, columns: readonly AttachedColumn[], row: string): string {
  const values = columns.map((column) => `${row}.${escapeIdentifier(column.column)}::${fieldTypeOf(column)}`);
  return `row(${values.join(', ')})::${name}`;
}

/** SQL: an array with the text of every column, the key first. */
export function imageExpression(columns: readonly AttachedColumn[], row: string): string {
  const texts = columns.map(({ kind, isArray, column }) =>
    expressionOf(kind, isArray, `${row}.${escapeIdentifier(column)}`),
  );
  return `array[${texts.join(', ')}]::pg_catalog.text[]`;
}

/** SQL: the same of a row that the inbox keeps. */
export function keptImageExpression(columns: readonly AttachedColumn[], row: string): string {
  return imageExpression(
    columns.map((column, index) => ({ ...column, column: fieldName(index) })),
    row,
  );
}

/** SQL: the id of a row that the inbox keeps. */
export function keptIdExpression(row: string): string {
  return `${row}.${fieldName(0)}::pg_catalog.text`;
}
