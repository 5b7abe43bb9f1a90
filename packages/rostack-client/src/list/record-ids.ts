import type { JsonObject, RecordId } from 'rostack-core';
import { expecting, ignoreRejection, recordIdText } from 'rostack-core/client';
import { RecordError, ResponseError } from '../http/error/errors.ts';

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
    throw new RecordError(
      `the schema returned no result for ${what}: use one whose safeParse is synchronous`,
    );
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
    'recordId returned no id for a record: return a string or an integer, as the record has it',
  );
}

/** Where a caller says that the id of a record is: a JSON Pointer, or a function that returns the id. */
export type RecordIdOption = string | ((record: JsonObject) => RecordId);

export const aRecordId = expecting(
  'a JSON Pointer such as /deviceId, or a function',
  (value) => typeof value === 'function' || (typeof value === 'string' && /^\/(?:[^~]|~[01])*$/.test(value)),
);

/** A record has no id where one was looked for; where it is can perhaps be found out. */
export class UnknownIdError extends RecordError {}

/** Two records of one list have one id. Either the server is wrong, or it is not their id. */
export class RecordTwiceError extends ResponseError {
  constructor(id: string) {
    super(`a snapshot contains the record ${id} more than once`);
  }
}

/** A place in a record: a JSON Pointer, and the names in it. */
export interface IdPlace {
  readonly pointer: string;
  readonly path: readonly string[];
}

/**
 * Where the records of one resource have their id, which no discovery document says. Without a word of the caller that is their member
 * `id`, until the server shows that it is elsewhere; `elsewhere.ts` and `find-record-id.ts` find out.
 */
export class RecordIds {
  readonly #given: RecordIdOption | undefined;
  #place: IdPlace;
  #isProven = false;
  #isDoubted = false;
  /** How often the id was found elsewhere than before. */
  moves = 0;
  /** The places that events have left; undefined: any. */
  candidates: ReadonlySet<string> | undefined;

  constructor(given?: RecordIdOption) {
    this.#given = given;
    this.#place = placeOf(typeof given === 'string' ? given : '/id');
  }

  /** Whether the caller has said where the id is: then nothing is looked for. */
  get isGiven(): boolean {
    return this.#given !== undefined;
  }

  /** Whether it is neither said nor shown where the id is. */
  get isOpen(): boolean {
    return !this.isGiven && !this.#isProven;
  }

  /** JSON Pointer of the id, as far as it is known; undefined if a function of the caller has it. */
  get pointer(): string | undefined {
    return typeof this.#given === 'function' ? undefined : this.#place.pointer;
  }

  /** The server has shown where the id is. */
  settle(place: IdPlace): void {
    this.#place = place;
    this.#isProven = true;
    this.#isDoubted = false;
    this.candidates = undefined;
  }

  /** The server has shown that the id may be elsewhere: the next snapshot looks for it. */
  doubt(candidates?: ReadonlySet<string>): void {
    this.#isDoubted = true;
    this.candidates = candidates;
  }

  /** The text of a record's id. @throws UnknownIdError; RecordError when the caller said where it is */
  idOf(record: JsonObject): string {
    if (typeof this.#given === 'function') return recordIdOf(record, this.#given);
    const text = this.#isDoubted ? undefined : idAt(record, this.#place);
    if (text !== undefined) return text;
    const { pointer } = this.#place;
    const where = pointer === '/id' ? 'as its member "id"' : `at ${pointer}`;
    const message = `a record has no string or integer ${where}: say with \`recordId\` where its id is`;
    throw this.isGiven ? new RecordError(message) : new UnknownIdError(message);
  }

  /** Whether a record has the id of its event where it was looked for. @throws RecordError of a caller's function */
  has(id: string, record: JsonObject): boolean {
    if (typeof this.#given === 'function') return recordIdOf(record, this.#given) === id;
    if (idAt(record, this.#place) !== id) return false;
    this.#isProven = true;
    return true;
  }
}

/** The text of an id at a place; undefined if there is none. */
export function idAt(record: JsonObject, { path }: IdPlace): string | undefined {
  let value: unknown = record;
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return recordIdText(value) || undefined;
}

function placeOf(pointer: string): IdPlace {
  const names = pointer.slice(1).split('/');
  return { pointer, path: names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~')) };
}
