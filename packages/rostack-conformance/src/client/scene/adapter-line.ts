import { hasCode, type JsonObject, parseStrictJson, type StrictJsonError } from 'rostack-core';
import { KitError } from '../../base/kit-error.ts';

/** What the application of the client under test would see: the whole set, after each change. */
export interface AdapterChange {
  readonly type: 'change';
  /** Every record by the text of its id. */
  readonly records: Readonly<Record<string, JsonObject>>;
  /** The event behind the change; undefined if the whole set was read. */
  readonly eventId: string | undefined;
}

/** The client has given up following. */
export interface AdapterError {
  readonly type: 'error';
  /** The problem's slug, the error code, or a name that the client chooses. */
  readonly code: string;
}

/**
 * Parses one line of an adapter:
 * `{ "type": "change", "records": { ... }, "event_id"?: string }` or `{ "type": "error", "code": string }`; other members are ignored.
 * @throws KitError `adapter_failed` for anything else
 */
export function parseAdapterLine(text: string): AdapterChange | AdapterError {
  const line = read(text);
  const { type, records, event_id: eventId, code } = line;
  if (type === 'change' && isObject(records) && Object.values(records).every(isObject)) {
    if (eventId === undefined || eventId === null || typeof eventId === 'string') {
      return { type, records: records as AdapterChange['records'], eventId: eventId ?? undefined };
    }
  }
  if (type === 'error' && typeof code === 'string') return { type, code };
  throw new KitError(
    'adapter_failed',
    `the adapter said ${text.slice(0, 200)}, which is not a line of an adapter`,
  );
}

function read(text: string): JsonObject {
  try {
    const value = parseStrictJson(text);
    if (isObject(value)) return value;
  } catch (error) {
    if (!hasCode<StrictJsonError>(error, 'invalid_json')) throw error;
  }
  throw new KitError('adapter_failed', `the adapter said ${text.slice(0, 200)}, which is not a JSON object`);
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
