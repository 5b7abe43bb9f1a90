import type { JsonObject, RecordId } from 'rostack-core';
import { expecting, recordIdText } from 'rostack-core/client';
import { RecordError, ResponseError } from '../http/error/errors.ts';
import { recordIdOf } from './record-schema.ts';

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
    super(`a snapshot holds the record ${id} twice`);
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
