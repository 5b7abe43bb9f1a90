import { Buffer } from 'node:buffer';
import { isDecimal, isExactNumber } from 'rostack-core';
import { quoteName } from '../../drivers/dialect/sql.ts';
import type { AttachedTable, KeyColumn } from '../attachment/attachment.ts';
import type { ColumnMapping, Decoded } from './column-mapping.ts';
import { decodeJson, isJson } from './decode-json.ts';

type Keyed = Pick<AttachedTable, 'key'>;

/** SQLite's storage class for each key type, by the type names of `key-type.ts`. */
const STORAGE: Readonly<Record<string, 'integer' | 'text'>> = { int8: 'integer', text: 'text' };

export function storageOf({ typeName }: Pick<KeyColumn, 'typeName'>): 'integer' | 'text' {
  return STORAGE[typeName] ?? 'text';
}

/** SQL: a column of the key, compared as its unique index does. */
export function collated({ column, collation = 'BINARY' }: KeyColumn, row: string): string {
  return `${row}.${quoteName(column)} collate ${quoteName(collation)}`;
}

/** SQL: whether a row has this key. The index finds it by the first conditions; the others are for collations in which `a` equals `A`. */
export function hasKey({ key }: Keyed, row: string, values: readonly string[]): string {
  return key
    .flatMap((column, index) => [
      `${collated(column, row)} is ${values[index]}`,
      ...(isBinary(column) ? [] : [`${row}.${quoteName(column.column)} collate binary is ${values[index]}`]),
    ])
    .join(' and ');
}

/** SQL: whether two keys are different, byte by byte. */
export function keysDiffer({ key }: Keyed, row: string, other: string): string {
  const differences = key.map(({ column }) => {
    const name = quoteName(column);
    return `${row}.${name} collate binary is not ${other}.${name}`;
  });
  return `(${differences.join(' or ')})`;
}

export function isBinary({ collation = 'BINARY' }: KeyColumn): boolean {
  return collation.toUpperCase() === 'BINARY';
}

/** SQL: the id that a key becomes. A value with a storage class other than the column's makes a text that cannot be an id. */
export function sqliteId({ key }: Keyed, fields: readonly string[]): string {
  const texts = key.map((column, index) => {
    const field = fields[index] ?? '';
    const storage = storageOf(column);
    const text = storage === 'integer' ? `cast(${field} as text)` : field;
    const part = key.length > 1 ? `replace(replace(${text}, '~', '~0'), ',', '~1')` : text;
    return `case typeof(${field}) when '${storage}' then ${part} else char(0) || quote(${field}) end`;
  });
  return texts.join(` || ',' || `);
}

/** SQL: a value as text, prefixed with a letter for its storage class; numbers have enough digits to restore them. */
export function storedText(field: string): string {
  return `case typeof(${field}) when 'integer' then 'i' || ${field} when 'real' then 'r' || printf('%!.17g', ${field})
    when 'text' then 't' || ${field} when 'blob' then 'b' || hex(${field}) end`;
}

/** Decodes a text that `storedText` makes. */
export function decodeStored({ kind, asText, takenFor }: ColumnMapping, stored: string): Decoded {
  const [letter, text] = [stored[0], stored.slice(1)];
  if (kind === 'stored-decimal') {
    if (letter === 'r')
      return { fault: 'is a floating-point number, which has no exact digits: store it as text' };
    return letter !== 'b' && isDecimal(text) ? { value: text } : { fault: 'is not a decimal' };
  }
  if (kind === 'stored-json-text') {
    return letter === 't' && isJson(text) ? { value: text } : { fault: 'is not JSON' };
  }
  if (letter === 'b') return { value: Buffer.from(text, 'hex').toString('base64') };
  if (letter === 't') return takenFor === 'json' ? decodeJson(text) : { value: text };
  if (takenFor === 'boolean' && (text === '0' || text === '1')) return { value: text === '1' };
  const value = Number(text);
  if (!Number.isFinite(value)) return { fault: 'is not a finite number' };
  if (asText) return { value: letter === 'i' ? text : String(value) };
  if (letter === 'r' || isExactNumber(text)) return { value };
  return { fault: 'has more digits than a JSON number keeps: let the schema say that it is a string' };
}
