import { Buffer } from 'node:buffer';
import { formatPointer, type JsonValue, parseTrustedJson } from 'rostack-core';
import type { SchemaFault } from './record-validator.ts';

const MAX_DEPTH = 64;

/** A record as it will be stored: its JSON text, and the value of that text. */
export interface JsonRecord {
  readonly body: string;
  readonly value: JsonValue;
}

/**
 * Turns a producer's object into its JSON text, or says why that is impossible: a member that is not JSON, a number that is not finite,
 * half of a surrogate pair (which UTF-8 cannot encode), more than 64 levels, or more bytes than allowed. Undefined members are left out.
 */
export function toJsonRecord(record: unknown, maxBytes: number): JsonRecord | SchemaFault {
  const json = toBody(record as JsonValue, maxBytes);
  return 'message' in json ? json : { body: json.body, value: parseTrustedJson(json.body) as JsonValue };
}

/** As `toJsonRecord`, of a record without undefined members, which nobody changes any more: it is the value of its text. */
export function toBody(record: JsonValue, maxBytes: number): JsonRecord | SchemaFault {
  const fault = findFault(record, 1);
  if (fault !== undefined) return fault;
  const body = JSON.stringify(record);
  // A string of n units takes at most 3n bytes, so most records need no count.
  if (body.length * 3 > maxBytes && Buffer.byteLength(body, 'utf8') > maxBytes) {
    return { pointer: '', message: `the record is larger than ${maxBytes} bytes` };
  }
  return { body, value: record };
}

/** The pointer of what it returns is relative to the value: each level adds its own token on the way out. */
function findFault(value: unknown, depth: number): SchemaFault | undefined {
  switch (typeof value) {
    case 'string':
      return value.isWellFormed() ? undefined : faulty('the string contains half of a surrogate pair');
    case 'number':
      return Number.isFinite(value) ? undefined : faulty('the number is not finite');
    case 'boolean':
      return undefined;
    case 'object':
      if (value === null) return undefined;
      if (depth > MAX_DEPTH) return faulty(`nested deeper than ${MAX_DEPTH} levels`);
      return Array.isArray(value) ? findFaultInArray(value, depth) : findFaultInObject(value, depth);
    default:
      return faulty('not a JSON value');
  }
}

function findFaultInArray(values: readonly unknown[], depth: number): SchemaFault | undefined {
  for (let index = 0; index < values.length; index += 1) {
    const fault = findFault(values[index], depth + 1);
    if (fault !== undefined) return { ...fault, pointer: `/${index}${fault.pointer}` };
  }
  return undefined;
}

function findFaultInObject(object: object, depth: number): SchemaFault | undefined {
  const prototype: unknown = Object.getPrototypeOf(object);
  if (prototype !== Object.prototype && prototype !== null) return faulty('not a plain JSON object');
  // Entries would be an array for each member.
  for (const name of Object.keys(object)) {
    const value = (object as Readonly<Record<string, unknown>>)[name];
    if (value === undefined) continue;
    if (!name.isWellFormed()) return faulty('a member name contains half of a surrogate pair');
    const fault = findFault(value, depth + 1);
    if (fault !== undefined) return { ...fault, pointer: `${formatPointer([name])}${fault.pointer}` };
  }
  return undefined;
}

function faulty(message: string): SchemaFault {
  return { pointer: '', message };
}
