import {
  aFunction,
  anObject,
  aSignal,
  aText,
  type JsonObject,
  objectWith,
  optional,
  optionsOf,
} from 'rostack-core';
import type { RecordSchema } from '../record/record-schema.ts';
import type { StateStore } from '../store/state-store.ts';

export interface FollowOptions<T> {
  /** Which records (protocol section 6); the resource has to advertise `event_filtering`. @default all */
  readonly filter?: JsonObject;
  /** Where the set and its cursor are kept. @default memory */
  readonly store?: StateStore;
  /**
   * Names the state in the store. One follow uses it at a time: a second one gets a UsageError.
   * @default the resource and a hash of the filter, see `Follow.key`
   */
  readonly key?: string;
  /** The id of a record. @default its member `id` */
  readonly recordId?: (record: JsonObject) => string;
  /** Validates each record. @default records are taken as they come */
  readonly schema?: RecordSchema<T>;
  /**
   * Told when a snapshot or a look-up failed in a way that may pass, or had to be taken again soon: it is tried again after
   * `retryInMs`. What it throws is shown as a warning of the platform and ends nothing. What happens to connections is told by `ClientOptions.onStatus`.
   */
  readonly onWaiting?: (error: unknown, retryInMs: number) => void;
  readonly signal?: AbortSignal;
}

export const followOptions = optionsOf<FollowOptions<unknown>>({
  filter: optional(anObject),
  store: optional(objectWith('load', 'replace', 'update', 'remove')),
  key: optional(aText),
  recordId: optional(aFunction),
  schema: optional(objectWith('safeParse')),
  onWaiting: optional(aFunction),
  signal: optional(aSignal),
});
