import {
  formatPointer,
  isDecimal,
  isExactNumber,
  type JsonObject,
  type JsonValue,
  parseTrustedJson,
} from 'rostack-core';
import { quoteName } from '../../drivers/dialect/sql.ts';
import type { AttachedTable, MemberColumn } from '../attachment/attachment.ts';
import type { ColumnKind } from '../source/column-kind.ts';
import type { ColumnMapping, Decoded, RowMapping } from './column-mapping.ts';
import { decodeJson } from './decode-json.ts';
import { decodeStored } from './sqlite-row.ts';
import { idExpression, keyFault, keyFields } from './table-key.ts';

/** The texts of a row's id and of its columns. */
export type RowImage = readonly [id: string, ...(string | null)[]];

/**
 * The settings that the texts of columns depend on, and no search path: all statements that make such texts have to use them. With the last
 * one, reading a row that a policy hides is an error, so the row does not seem deleted.
 */
export const IMAGE_SETTINGS = [
  'extra_float_digits = 1',
  `intervalstyle = 'iso_8601'`,
  `datestyle = 'ISO, YMD'`,
  `timezone = 'UTC'`,
  'bytea_output = hex',
  `lc_monetary = 'C'`,
  'row_security = off',
] as const;

/** SQL: a row's image. Values are cast to the server's types first: an application may define its own text format for its types. */
export function imageExpression(table: AttachedTable, row: string): string {
  const texts = table.columns.map((column) => columnText(column, row));
  return `array[${[idExpression(table, keyFields(table, row)), ...texts].join(', ')}]::pg_catalog.text[]`;
}

/** SQL: the text of one column. */
export function columnText(column: MemberColumn, row: string): string {
  return textOf(column.kind, column.isArray, columnValue(column, row));
}

/** SQL: the value of one column, as a type of the server, or as its own type if its text is wanted. */
export function columnValue({ column, kind, typeName, isArray }: MemberColumn, row: string): string {
  if (kind === 'printed') return `${row}.${quoteName(column)}`;
  const type = `pg_catalog.${quoteName(typeName === 'enum' ? 'text' : typeName)}${isArray ? '[]' : ''}`;
  return `${row}.${quoteName(column)}::${type}`;
}

function textOf(kind: ColumnKind, isArray: boolean, value: string): string {
  const json = (of: string) => `pg_catalog.to_json(${of})::pg_catalog.text`;
  if (isArray) return json(kind === 'exact' ? `${value}::pg_catalog.text[]` : value);
  if (kind === 'utc') return json(`pg_catalog.timezone('UTC', ${value})`);
  if (kind === 'base64') return `pg_catalog.encode(${value}, 'base64')`;
  // Not a cast, for which an application may have its own function.
  if (kind === 'printed') {
    return `case when ${value} is distinct from null then pg_catalog.format('%s', ${value}) end`;
  }
  return kind === 'plain' ? json(value) : `${value}::pg_catalog.text`;
}

const UNSAFE_KEY =
  'is not from -(2^53 - 1) to 2^53 - 1, as integers that are ids have to be: let the schema say that it is a string';

/** The record of a row's image, or why JSON cannot express it. */
export function decodeImage(
  { keyMember, keyTypes, keyIsInteger, columns }: RowMapping,
  [id, ...texts]: RowImage,
): { readonly record: JsonObject } | { readonly fault: string } {
  const faultAt = (member: string, fault: string) => ({ fault: `${formatPointer([member])}: ${fault}` });
  const idFault = keyFault(keyTypes, id);
  if (idFault !== undefined) return faultAt(keyMember, idFault);
  const key = keyIsInteger ? Number(id) : id;
  if (typeof key === 'number' && !Number.isSafeInteger(key)) return faultAt(keyMember, UNSAFE_KEY);
  const record: Record<string, JsonValue> = { [keyMember]: key };
  for (let index = 0; index < columns.length; index += 1) {
    const mapping = columns[index] as ColumnMapping;
    const text = texts[index] ?? null;
    if (text === null) {
      if (!mapping.omitsNull) setMember(record, mapping.member, null);
      continue;
    }
    const decoded = mapping.isArray ? decodeArray(mapping, text) : decodeValue(mapping, text);
    if ('fault' in decoded) return faultAt(mapping.member, decoded.fault);
    setMember(record, mapping.member, decoded.value);
  }
  return { record };
}

/** Assignment would not create a member `__proto__`; for all other names it takes a third of the time. */
function setMember(record: Record<string, JsonValue>, member: string, value: JsonValue): void {
  if (member !== '__proto__') record[member] = value;
  else Object.defineProperty(record, member, { value, enumerable: true, configurable: true, writable: true });
}

function decodeValue(mapping: ColumnMapping, text: string): Decoded {
  switch (mapping.kind) {
    case 'text':
    case 'printed':
      return { value: text };
    case 'number':
    case 'exact':
      return decodeNumber(mapping, text);
    case 'decimal':
      return isDecimal(text) ? { value: text } : { fault: `is ${text}, which no decimal can express` };
    case 'stored':
    case 'stored-decimal':
    case 'stored-json-text':
      return decodeStored(mapping, text);
    case 'utc':
      return decodeMoment(parseTrustedJson(text) as string);
    case 'base64':
      // PostgreSQL breaks the text into lines.
      return { value: text.replaceAll('\n', '') };
    default:
      return decodeJson(text);
  }
}

function decodeArray(mapping: ColumnMapping, text: string): Decoded {
  // For other types it is JSON that the server generates.
  if (mapping.kind === 'json') return decodeJson(text);
  return decodeElements(mapping, parseTrustedJson(text) as JsonValue[]);
}

/** In a JSON array, numbers that a double may not hold are strings, and so are NaN and infinities. */
function decodeElements(mapping: ColumnMapping, values: readonly JsonValue[]): Decoded {
  if (mapping.kind !== 'exact' && mapping.kind !== 'number') return { value: [...values] };
  const decoded: JsonValue[] = [];
  for (const value of values) {
    const element =
      value === null
        ? { value }
        : Array.isArray(value)
          ? decodeElements(mapping, value)
          : decodeNumber(mapping, typeof value === 'string' ? value : JSON.stringify(value));
    if ('fault' in element) return element;
    decoded.push(element.value);
  }
  return { value: decoded };
}

const RFC_3339_WITHOUT_ZONE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?$/;

function decodeMoment(text: string): Decoded {
  return RFC_3339_WITHOUT_ZONE.test(text)
    ? { value: `${text}Z` }
    : { fault: 'is a time that RFC 3339 cannot express (infinite, or not in the years 0 to 9999)' };
}

function decodeNumber({ kind, asText }: ColumnMapping, text: string): Decoded {
  const value = Number(text);
  if (kind === 'exact' && asText) return { value: text };
  if (!Number.isFinite(value)) return { fault: 'is not a finite number' };
  if (asText) return { value: String(value) };
  if (kind === 'number' || isExactNumber(text)) return { value };
  return { fault: 'has more digits than a JSON number keeps: let the schema say that it is a string' };
}
