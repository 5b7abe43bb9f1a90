import { quoteName } from '../../drivers/dialect/sql.ts';
import type { AttachedTable, KeyColumn } from '../attachment/attachment.ts';
import { KEY_TYPES, type KeyType } from '../source/key-type.ts';

/** An attached table, reduced to its key. */
type Keyed = Pick<AttachedTable, 'key'>;

/** Separates the texts of a key's columns in an id. */
const SEPARATOR = ',';

export type KeyTypeName = Pick<KeyColumn, 'typeName'>;

function typeOf({ typeName }: KeyTypeName): KeyType {
  const type = KEY_TYPES[typeName];
  if (type === undefined) throw new TypeError(`${typeName} is not a type of a key`);
  return type;
}

/** SQL: the key's columns in a row of the table, as separate expressions. */
export function keyFields({ key }: Keyed, row: string): readonly string[] {
  return key.map(({ column }) => `${row}.${quoteName(column)}`);
}

/**
 * SQL: whether a row's key makes this id. The index finds rows by the first condition, in the collations of its columns.
 * @param values of the key's columns that make up the id
 */
export function isKeyOf(table: Keyed, row: string, values: readonly string[], id: string): string {
  const fields = keyFields(table, row);
  return `(${fields.join(', ')}) operator(pg_catalog.=) (${values.join(', ')})
    and ${idExpression(table, fields)} operator(pg_catalog.=) ${id}`;
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

/** SQL: values of the key's columns, from their texts. */
export function keyValues({ key }: Keyed, texts: readonly string[]): readonly string[] {
  return key.map((column, index) => typeOf(column).valueOf(texts[index] ?? ''));
}

/** SQL: the texts of a key's columns, from an id that a key has made. */
export function keyTextsOf(columnCount: number, id: string): readonly string[] {
  if (columnCount === 1) return [id];
  return Array.from(
    { length: columnCount },
    (_, index) =>
      `pg_catalog.replace(pg_catalog.replace(pg_catalog.split_part(${id}, '${SEPARATOR}', ${index + 1}), '~1', '${SEPARATOR}'), '~0', '~')`,
  );
}

/** The texts of a key's columns; undefined if the id cannot belong to a key. */
export function keyTexts(columnCount: number, id: string): readonly string[] | undefined {
  if (columnCount === 1) return [id];
  const texts = id.split(SEPARATOR);
  if (texts.length !== columnCount || texts.some((text) => /~(?![01])/.test(text))) return undefined;
  return texts.map((text) => text.replaceAll('~1', SEPARATOR).replaceAll('~0', '~'));
}

/** Whether a key is one column of integers, whose id may be an integer. */
export function isIntegerKey([first, ...others]: readonly KeyTypeName[]): boolean {
  return first !== undefined && others.length === 0 && typeOf(first).isInteger;
}

/** Why an id made by `idExpression` is not valid. */
export function keyFault(key: readonly KeyTypeName[], id: string): string | undefined {
  const texts = keyTexts(key.length, id) ?? [];
  return key.map(typeOf).find(({ admits }, index) => !admits(texts[index] ?? ''))?.fault;
}
