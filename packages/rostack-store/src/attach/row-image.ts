import { escapeIdentifier } from 'pg';
import { expressionOf } from './column-type.ts';
import { idExpression, type KeyedTable, keyFields, memberColumns } from './table-key.ts';

/** Texts of a row's id and of its columns, as `expressionOf` writes them. */
export type RowImage = readonly [id: string, ...(string | null)[]];

/** SQL: a row's image. An application may have its own text for its own types: they become the server's first. */
export function imageExpression(table: KeyedTable, row: string): string {
  const texts = memberColumns(table).map(({ column, kind, typeName, isEnum, isArray }) => {
    const type = `pg_catalog.${escapeIdentifier(isEnum ? 'text' : typeName)}${isArray ? '[]' : ''}`;
    return expressionOf(kind, isArray, `${row}.${escapeIdentifier(column)}::${type}`);
  });
  return `array[${[idExpression(table, keyFields(table, row)), ...texts].join(', ')}]::pg_catalog.text[]`;
}
