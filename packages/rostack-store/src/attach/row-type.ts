import { escapeIdentifier } from 'pg';
import type { AttachedColumn } from './attachment.ts';

/** Name of a column's value in the type of the inbox's rows: the column may be renamed, or named like anything. */
export function fieldName(index: number): string {
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
