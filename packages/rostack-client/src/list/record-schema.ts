import type { JsonObject, RecordId } from 'rostack-core';
import { ignoreRejection, recordIdText } from 'rostack-core/client';
import { RecordError } from '../http/error/errors.ts';

/** What a caller validates records with: a Zod schema (3 or 4), or anything with the same method. */
export interface RecordSchema<T> {
  /** Checks a value, and returns it as the caller wants it; never throws. */
  safeParse(
    value: unknown,
  ):
    | { readonly success: true; readonly data: T; readonly error?: unknown }
    | { readonly success: false; readonly error: { readonly message: string }; readonly data?: unknown };
}

/** Gives a record the caller's type; without a schema, the record is taken as it comes. @throws RecordError `invalid_record` */
export function readRecord<T>(schema: RecordSchema<T> | undefined, value: unknown, what: string): T {
  if (schema === undefined) return value as T;
  const result = runSchema(schema, value, what);
  if (result.success === true) return result.data;
  if (result.success !== false) {
    throw new RecordError(`the schema gave no result for ${what}: use one whose safeParse is synchronous`);
  }
  throw new RecordError(`${what} does not pass the schema: ${String(result.error?.message).slice(0, 1_000)}`);
}

/** For promises that are refused as a result: their rejection does not matter. */
const ignore = (): void => {};

/** What a schema of the caller returned, which may be anything. */
type SchemaResult<T> =
  | { readonly success: true; readonly data: T }
  | { readonly success: false; readonly error?: { readonly message?: unknown } }
  | { readonly success?: undefined };

function runSchema<T>(schema: RecordSchema<T>, value: unknown, what: string): SchemaResult<T> {
  try {
    const result: unknown = schema.safeParse(value);
    ignoreRejection(result, ignore);
    return result ?? {};
  } catch (cause) {
    throw new RecordError(`the schema failed on ${what}`, { cause });
  }
}

/** The text of a record's id, from the caller's function. @throws RecordError `invalid_record` */
export function recordIdOf(record: JsonObject, recordId: (record: JsonObject) => RecordId): string {
  let id: unknown;
  try {
    id = recordId(record);
  } catch (cause) {
    if (cause instanceof RecordError) throw cause;
    throw new RecordError('recordId failed on a record', { cause });
  }
  const text = recordIdText(id);
  if (text !== undefined && text !== '') return text;
  ignoreRejection(id, ignore);
  throw new RecordError(
    'recordId gave no id for a record: return a string or an integer, as the record has it',
  );
}
