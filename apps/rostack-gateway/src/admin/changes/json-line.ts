import { hasCode, type JsonObject, parseStrictJson, type StrictJsonError } from 'rostack-core';
import { errorMessage } from '../../text/error-message.ts';

/** Why a line was refused, as data: the code is stable, the message is for people. */
export interface LineFault {
  /** A code of rostack-store (`record_invalid`, `change_invalid`) or of the reader. */
  readonly code: string;
  readonly message: string;
  /** JSON Pointer of the faulty member, if a single member is at fault. */
  readonly pointer?: string | undefined;
}

const NO_OBJECT: LineFault = { code: 'line_not_json', message: 'the line is JSON, but not an object' };

/**
 * Reads the JSON object of a line. Anything that would not read back exactly as it was written is a fault.
 * @param recordAt JSON Pointer of the record in the line; faults in it are `record_invalid`, with a pointer that begins there
 */
export function parseObject(
  text: string,
  recordAt = '',
): { readonly record: JsonObject } | { readonly fault: LineFault } {
  let value: unknown;
  try {
    value = parseStrictJson(text);
  } catch (error) {
    if (!hasCode<StrictJsonError>(error, 'invalid_json')) throw error;
    return { fault: faultOf(error, recordAt) };
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return { record: value as JsonObject };
  return { fault: NO_OBJECT };
}

function faultOf({ fault: { check, path, message }, cause }: StrictJsonError, recordAt: string): LineFault {
  if (check === 'json') {
    const reason = errorMessage(cause);
    return { code: 'line_not_json', message: `the line is not JSON: ${reason}` };
  }
  if (path === '') return NO_OBJECT;
  const isInRecord = path.startsWith(`${recordAt}/`);
  const pointer = isInRecord ? path.slice(recordAt.length) : path;
  const code = isInRecord ? 'record_invalid' : 'change_malformed';
  return { code, pointer, message: `${pointer}: ${message}` };
}
