import type { JsonObject } from 'rostack-core';
import { RecordError } from '../error/index.ts';

/** What a caller validates records with: a Zod schema (3 or 4), or anything that looks like one. */
export interface RecordSchema<T> {
  safeParse(
    value: unknown,
  ):
    | { readonly success: true; readonly data: T; readonly error?: unknown }
    | { readonly success: false; readonly error: { readonly message: string }; readonly data?: unknown };
}

/** Gives a record the caller's type; without a schema the caller's word is taken. @throws RecordError `invalid_record` */
export function readRecord<T>(schema: RecordSchema<T> | undefined, value: unknown, what: string): T {
  if (schema === undefined) return value as T;
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new RecordError(`${what} does not pass the schema: ${result.error.message.slice(0, 1_000)}`);
}

/** The id of a record as it stands in its member `id`. @throws RecordError `invalid_record` */
export function idMember(record: JsonObject): string {
  const { id } = record;
  if (typeof id === 'string' && id !== '') return id;
  if (typeof id === 'number') return String(id);
  throw new RecordError('a record has no member "id": say with `recordId` where its id stands');
}
