import {
  anObject,
  aSignal,
  aText,
  type JsonObject,
  listOf,
  objectWith,
  optional,
  optionsOf,
  wholeNumber,
} from 'rostack-core';
import type { RecordSchema } from '../record/record-schema.ts';

export interface ListOptions<T> {
  /** Which records (protocol section 6). @default all */
  readonly filter?: JsonObject;
  /** Sortable fields as JSON Pointers, `-` in front for descending. @default the server's order */
  readonly sort?: readonly string[];
  /** Fields to keep, as JSON Pointers. @default all */
  readonly fields?: readonly string[];
  /** Records per page. @default the server's maximum, at most 500 */
  readonly pageSize?: number;
  /** Validates each record. @default records are taken as they come */
  readonly schema?: RecordSchema<T>;
  readonly signal?: AbortSignal;
}

export const listOptions = optionsOf<ListOptions<unknown>>({
  filter: optional(anObject),
  sort: optional(listOf(aText)),
  fields: optional(listOf(aText)),
  pageSize: optional(wholeNumber(1)),
  schema: optional(objectWith('safeParse')),
  signal: optional(aSignal),
});

/** One page of a chain. */
export interface ListPage<T> {
  readonly records: readonly T[];
  /** The same on every page of the chain; undefined where the resource has no events. */
  readonly eventCursor: string | undefined;
}
