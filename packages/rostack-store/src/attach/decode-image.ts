import { Buffer } from 'node:buffer';
import { formatPointer, isExactNumber, type JsonObject, type JsonValue } from 'rostack-core';
import type { SchemaFault } from '../resource/record-validator.ts';
import type { ColumnMapping, KeyMapping, RowMapping } from './column-mapping.ts';
import type { RowImage } from './row-image.ts';
import { keyFault } from './table-key.ts';

type Decoded = { readonly value: JsonValue } | { readonly fault: string };

const RFC_3339_WITHOUT_ZONE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?$/;
/** Decimal digits that tell every number of single precision from its neighbours. */
const MAX_SINGLE_DIGITS = 9;

/** The record of a row's image, or why JSON cannot say it. */
export function decodeImage(
  { key, columns }: RowMapping,
  [id, ...texts]: RowImage,
): { readonly record: JsonObject } | { readonly fault: SchemaFault } {
  const decodedId = decodeId(key, id);
  if ('fault' in decodedId) return faultAt(key.member, decodedId.fault);
  const members: [string, JsonValue][] = [[key.member, decodedId.value]];
  for (const [index, mapping] of columns.entries()) {
    const text = texts[index];
    if (text === null || text === undefined) {
      if (!mapping.omitsNull) members.push([mapping.member, null]);
      continue;
    }
    const decoded = mapping.isArray ? decodeArray(mapping, text) : decodeValue(mapping, text);
    if ('fault' in decoded) return faultAt(mapping.member, decoded.fault);
    members.push([mapping.member, decoded.value]);
  }
  return { record: Object.fromEntries(members) };
}

function faultAt(member: string, message: string): { readonly fault: SchemaFault } {
  return { fault: { pointer: formatPointer([member]), message } };
}

function decodeId({ typeNames }: KeyMapping, id: string): Decoded {
  const fault = keyFault(typeNames, id);
  return fault === undefined ? { value: id } : { fault };
}

function decodeValue({ kind, asText }: ColumnMapping, text: string): Decoded {
  switch (kind) {
    case 'text':
      return { value: text };
    case 'number':
    case 'exact':
      return asText ? { value: text } : decodeNumber(text, kind === 'exact');
    case 'float4':
    case 'float8':
      return decodeFloat(text, asText);
    case 'boolean':
      return { value: text === 'true' };
    case 'utc':
      return decodeMoment(JSON.parse(text) as string);
    case 'base64':
      // PostgreSQL breaks the text into lines.
      return { value: text.replaceAll('\n', '') };
    default:
      return { value: JSON.parse(text) as JsonValue };
  }
}

/** Arrays come as JSON; numbers in them that a double may not hold come as texts. */
function decodeArray(mapping: ColumnMapping, text: string): Decoded {
  const values = JSON.parse(text) as JsonValue[];
  if (mapping.kind !== 'exact' && !mapping.asText) return { value: values };
  return decodeElements(mapping, values);
}

function decodeElements(mapping: ColumnMapping, values: readonly JsonValue[]): Decoded {
  const decoded: JsonValue[] = [];
  for (const value of values) {
    const element = decodeElement(mapping, value);
    if ('fault' in element) return element;
    decoded.push(element.value);
  }
  return { value: decoded };
}

function decodeElement(mapping: ColumnMapping, value: JsonValue): Decoded {
  if (value === null) return { value };
  if (Array.isArray(value)) return decodeElements(mapping, value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return mapping.asText ? { value: text } : decodeNumber(text, true);
}

function decodeMoment(text: string): Decoded {
  return RFC_3339_WITHOUT_ZONE.test(text)
    ? { value: `${text}Z` }
    : { fault: 'is a time that RFC 3339 cannot say (infinite, or not in the years 0 to 9999)' };
}

function decodeFloat(hexadecimal: string, asText: boolean): Decoded {
  const bits = Buffer.from(hexadecimal, 'hex');
  const value = bits.length === 4 ? shortestSingle(bits.readFloatBE()) : bits.readDoubleBE();
  if (!Number.isFinite(value)) return { fault: 'is not a finite number' };
  return { value: asText ? String(value) : value };
}

/** The double with the fewest digits that is the same number of single precision: 0.1 and not 0.10000000149011612. */
function shortestSingle(value: number): number {
  for (let digits = 1; digits < MAX_SINGLE_DIGITS; digits += 1) {
    const shorter = Number(value.toPrecision(digits));
    if (Math.fround(shorter) === value) return shorter;
  }
  return Number(value.toPrecision(MAX_SINGLE_DIGITS));
}

function decodeNumber(text: string, mayLoseDigits: boolean): Decoded {
  const value = Number(text);
  if (!Number.isFinite(value)) return { fault: 'is not a finite number' };
  if (!mayLoseDigits || isExactNumber(text)) return { value };
  return { fault: 'has more digits than a JSON number keeps: let the schema say that it is a string' };
}
