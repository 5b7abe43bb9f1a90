import { Buffer } from 'node:buffer';
import type { JsonScalar, JsonValue } from 'rostack-core';

/**
 * Field values are stored next to the body as bytes that compare (memcmp) like the values do: a tag for the JSON type,
 * then the value. So both databases compare, seek and sort them in the same way, and no JSON is read in SQL.
 *
 *   order key     missing, array, object  MISSING
 *                 null                    NULL
 *                 false, true             FALSE | TRUE
 *                 number                  NUMBER, the double's 8 bytes made to ascend
 *                 string                  STRING, its UTF-8 (which ascends by code point)
 *   detail key    array                   ARRAY, SEPARATOR, then for each member its escaped key and SEPARATOR
 *                 object                  OBJECT
 *                 anything else           none (SQL NULL)
 */
const TAG = {
  missing: 0x10,
  null: 0x20,
  false: 0x30,
  true: 0x31,
  number: 0x40,
  string: 0x50,
  array: 0x60,
  object: 0x70,
} as const;

const MISSING = Buffer.of(TAG.missing);
const NULL = Buffer.of(TAG.null);
const FALSE = Buffer.of(TAG.false);
const TRUE = Buffer.of(TAG.true);
const OBJECT = Buffer.of(TAG.object);

/** Surrounds each member of an array; inside a member a zero byte is followed by 0xff instead. */
const SEPARATOR = Buffer.of(0x00, 0x01);
const ESCAPED_ZERO = Buffer.of(0x00, 0xff);

/** The bytes that a field is compared and sorted by; an array or object sorts as a missing field does. */
export function encodeOrderKey(value: JsonValue | undefined): Buffer {
  switch (typeof value) {
    case 'string':
      return encodeString(value);
    case 'number':
      return encodeNumber(value);
    case 'boolean':
      return value ? TRUE : FALSE;
    default:
      return value === null ? NULL : MISSING;
  }
}

/** The bytes that distinguish arrays (and objects) from each other; null for a scalar and for a missing field. */
export function encodeDetailKey(value: JsonValue | undefined): Buffer | null {
  if (typeof value !== 'object' || value === null) return null;
  if (!isArray(value)) return OBJECT;
  const parts: Buffer[] = [Buffer.of(TAG.array), SEPARATOR];
  for (const member of value) parts.push(encodeMember(member), SEPARATOR);
  return Buffer.concat(parts);
}

/** The bytes to look for in an array's detail key: it contains them exactly if the array has the member. */
export function encodeMembership(member: JsonValue): Buffer {
  return Buffer.concat([SEPARATOR, encodeMember(member), SEPARATOR]);
}

function encodeMember(member: JsonValue): Buffer {
  const key = encodeDetailKey(member) ?? encodeOrderKey(member);
  if (!key.includes(0)) return key;
  const parts: Buffer[] = [];
  let from = 0;
  for (let at = key.indexOf(0); at !== -1; at = key.indexOf(0, from)) {
    parts.push(key.subarray(from, at), ESCAPED_ZERO);
    from = at + 1;
  }
  return Buffer.concat([...parts, key.subarray(from)]);
}

function encodeString(value: string): Buffer {
  const key = Buffer.allocUnsafe(1 + Buffer.byteLength(value, 'utf8'));
  key[0] = TAG.string;
  key.write(value, 1, 'utf8');
  return key;
}

function encodeNumber(value: number): Buffer {
  const key = Buffer.allocUnsafe(9);
  key[0] = TAG.number;
  // Adding zero turns -0 into 0: JSON has one zero.
  key.writeDoubleBE(value + 0, 1);
  if (value < 0) for (let at = 1; at < 9; at += 1) key[at] = ~(key[at] ?? 0) & 0xff;
  else key[1] = (key[1] ?? 0) | 0x80;
  return key;
}

function isArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** The key of a field that is missing (or is an array or an object). */
export const MISSING_KEY = MISSING;

/** The first key after every key that starts with these bytes. */
export function successorOf(prefix: Buffer): Buffer {
  const next = Buffer.from(prefix);
  // No key ends in 0xff where this is used: a tag is at most 0x70, and UTF-8 has no such byte.
  const last = next.length - 1;
  next[last] = (next[last] ?? 0) + 1;
  return next;
}

/** The least key and the first key above all keys of a scalar's JSON type. */
export function typeRange(value: JsonScalar): KeyEnds {
  return value === null ? NULL_RANGE : TYPE_RANGES[typeof value as 'boolean' | 'number' | 'string'];
}

interface KeyEnds {
  readonly low: Buffer;
  readonly high: Buffer;
}

const NULL_RANGE = endsOf(TAG.null, TAG.null);
const TYPE_RANGES = {
  boolean: endsOf(TAG.false, TAG.true),
  number: endsOf(TAG.number, TAG.number),
  string: endsOf(TAG.string, TAG.string),
} as const;

function endsOf(first: number, last: number): KeyEnds {
  return { low: Buffer.of(first), high: Buffer.of(last + 1) };
}
