import { hasCode, type JsonValue, parseStrictJson, type StrictJsonError } from 'rostack-core';
import type { Decoded } from './column-mapping.ts';

/** A JSON value that an application wrote; a fault if a record would not preserve it. */
export function decodeJson(text: string): Decoded {
  try {
    return { value: parseStrictJson(text) as JsonValue };
  } catch (error) {
    if (!hasCode<StrictJsonError>(error, 'invalid_json')) throw error;
    const { check, path, message } = error.fault;
    return {
      fault: check === 'json' ? 'is not JSON, which the schema requires' : `in its JSON, ${path} ${message}`,
    };
  }
}

/** Whether a text is JSON, even if a record would not preserve it. */
export function isJson(text: string): boolean {
  try {
    parseStrictJson(text);
    return true;
  } catch (error) {
    return hasCode<StrictJsonError>(error, 'invalid_json') && error.fault.check !== 'json';
  }
}
