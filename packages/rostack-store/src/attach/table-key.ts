import { escapeIdentifier } from 'pg';
import type { AttachedColumn } from './attachment.ts';
import { KEY_TYPES, type KeyType } from './key-type.ts';
import type { ResolvedSource } from './table-source.ts';

/** An attached table as far as its key goes. */
export interface KeyedTable {
  readonly source: ResolvedSource;
  /** Those of the key come first. */
  readonly columns: readonly AttachedColumn[];
}

/** Separates the texts of a key's columns in an id. */
const SEPARATOR = ',';

/** Names of the key's columns. */
export function keyNames({ key }: Pick<ResolvedSource, 'key'>): readonly string[] {
  return typeof key === 'string' ? [key] : key;
}

/** The columns that the id is made of. */
export function keyColumns({ source, columns }: KeyedTable): readonly AttachedColumn[] {
  return columns.slice(0, keyNames(source).length);
}

/** The columns that become members of their own. */
export function memberColumns({ source, columns }: KeyedTable): readonly AttachedColumn[] {
  return columns.slice(keyNames(source).length);
}

function typeOf({ typeName }: Pick<AttachedColumn, 'typeName'>): KeyType {
  const type = KEY_TYPES[typeName];
  if (type === undefined) throw new TypeError(`${typeName} is no type of a key`);
  return type;
}

/** SQL: the key's columns in a row of the table, each on its own. */
export function keyFields(table: KeyedTable, row: string): readonly string[] {
  return keyColumns(table).map(({ column }) => `${row}.${escapeIdentifier(column)}`);
}

/** SQL: whether rows have keys that the table's index cannot tell apart. */
export function findsKey(fields: readonly string[], others: readonly string[]): string {
  return fields.map((field, index) => `${field} operator(pg_catalog.=) ${others[index]}`).join(' and ');
}

/** SQL: whether keys are the same byte by byte, so that their ids are. */
export function isSameKey(table: KeyedTable, fields: readonly string[], others: readonly string[]): string {
  const conditions = keyColumns(table).map((column, index) => {
    const { isText, textOf } = typeOf(column);
    const [field = '', other = ''] = [fields[index], others[index]];
    const [one, two] = isText ? [textOf(field), textOf(other)] : [field, other];
    return `${one} operator(pg_catalog.=) ${two}`;
  });
  return `(${conditions.join(' and ')})`;
}

/** SQL: the id that a key becomes. */
export function idExpression(table: KeyedTable, fields: readonly string[]): string {
  const columns = keyColumns(table);
  const texts = columns.map((column, index) => {
    const { isText, textOf } = typeOf(column);
    const value = textOf(fields[index] ?? '');
    return columns.length > 1 && isText
      ? `pg_catalog.replace(pg_catalog.replace(${value}, '~', '~0'), '${SEPARATOR}', '~1')`
      : value;
  });
  return `(${texts.join(` operator(pg_catalog.||) '${SEPARATOR}' operator(pg_catalog.||) `)})`;
}

/** SQL: values of the key's columns, out of texts of theirs. */
export function keyValues(table: KeyedTable, texts: readonly string[]): readonly string[] {
  return keyColumns(table).map((column, index) => typeOf(column).valueOf(texts[index] ?? ''));
}

/** The texts of a key's columns; undefined where an id is that of no key. */
export function keyTexts(columnCount: number, id: string): readonly string[] | undefined {
  if (columnCount === 1) return [id];
  const texts = id.split(SEPARATOR);
  if (texts.length !== columnCount || texts.some((text) => /~(?![01])/.test(text))) return undefined;
  return texts.map((text) => text.replaceAll('~1', SEPARATOR).replaceAll('~0', '~'));
}

/** Why an id, made by `idExpression`, can be none. @param typeNames of the key's columns */
export function keyFault(typeNames: readonly string[], id: string): string | undefined {
  const texts = keyTexts(typeNames.length, id) ?? [];
  return typeNames
    .map((typeName, index) => {
      const type = typeOf({ typeName });
      return type.admits(texts[index] ?? '') ? undefined : type.fault;
    })
    .find((fault) => fault !== undefined);
}
