import { escapeIdentifier } from 'pg';
import type { AttachedTable, KeyColumn } from './attachment.ts';
import { KEY_TYPES, type KeyType } from './key-type.ts';

/** An attached table as far as its key goes. */
type Keyed = Pick<AttachedTable, 'key'>;

/** Separates the texts of a key's columns in an id. */
const SEPARATOR = ',';

export type KeyTypeName = Pick<KeyColumn, 'typeName'>;

function typeOf({ typeName }: KeyTypeName): KeyType {
  const type = KEY_TYPES[typeName];
  if (type === undefined) throw new TypeError(`${typeName} is no type of a key`);
  return type;
}

/** SQL: the key's columns in a row of the table, each on its own. */
export function keyFields({ key }: Keyed, row: string): readonly string[] {
  return key.map(({ column }) => `${row}.${escapeIdentifier(column)}`);
}

/** SQL: whether rows have keys that the table's index cannot tell apart. */
export function findsKey(fields: readonly string[], others: readonly string[]): string {
  return fields.map((field, index) => `${field} operator(pg_catalog.=) ${others[index]}`).join(' and ');
}

/** SQL: whether keys are the same byte by byte, so that their ids are. */
export function isSameKey({ key }: Keyed, fields: readonly string[], others: readonly string[]): string {
  const bytes = (values: readonly string[]) =>
    key.map((column, index) => {
      const { isText, textOf } = typeOf(column);
      return isText ? textOf(values[index] ?? '') : (values[index] ?? '');
    });
  return `(${findsKey(bytes(fields), bytes(others))})`;
}

/** SQL: the id that a key becomes. */
export function idExpression({ key }: Keyed, fields: readonly string[]): string {
  const texts = key.map((column, index) => {
    const { isText, textOf } = typeOf(column);
    const value = textOf(fields[index] ?? '');
    return key.length > 1 && isText
      ? `pg_catalog.replace(pg_catalog.replace(${value}, '~', '~0'), '${SEPARATOR}', '~1')`
      : value;
  });
  return `(${texts.join(` operator(pg_catalog.||) '${SEPARATOR}' operator(pg_catalog.||) `)})`;
}

/** SQL: values of the key's columns, out of texts of theirs. */
export function keyValues({ key }: Keyed, texts: readonly string[]): readonly string[] {
  return key.map((column, index) => typeOf(column).valueOf(texts[index] ?? ''));
}

/** The texts of a key's columns; undefined where an id is that of no key. */
export function keyTexts(columnCount: number, id: string): readonly string[] | undefined {
  if (columnCount === 1) return [id];
  const texts = id.split(SEPARATOR);
  if (texts.length !== columnCount || texts.some((text) => /~(?![01])/.test(text))) return undefined;
  return texts.map((text) => text.replaceAll('~1', SEPARATOR).replaceAll('~0', '~'));
}

/** Why an id, made by `idExpression`, can be none. */
export function keyFault(key: readonly KeyTypeName[], id: string): string | undefined {
  const texts = keyTexts(key.length, id) ?? [];
  return key.map(typeOf).find(({ admits }, index) => !admits(texts[index] ?? ''))?.fault;
}
