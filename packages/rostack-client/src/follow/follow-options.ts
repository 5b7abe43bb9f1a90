import type { JsonObject } from 'rostack-core';
import type { RecordSchema } from '../record/record-schema.ts';
import type { StateStore } from '../store/state-store.ts';

export interface FollowOptions<T> {
  /** Which records (protocol section 6); the resource has to advertise `event_filtering`. @default all */
  readonly filter?: JsonObject;
  /** Where the set and its cursor are kept. @default memory */
  readonly store?: StateStore;
  /** Names the state in the store; needed where a store holds several follows of one resource. @default the resource's name */
  readonly key?: string;
  /** The id of a record. @default its member `id` */
  readonly recordId?: (record: JsonObject) => string;
  /** Validates each record. @default records are taken as they come */
  readonly schema?: RecordSchema<T>;
  /**
   * Told when a snapshot or a look-up failed in a way that may pass, or had to be taken again soon: it is tried again after
   * `retryInMs`. Must not throw. What happens to connections is told by `ClientOptions.onStatus`.
   */
  readonly onWaiting?: (error: unknown, retryInMs: number) => void;
  readonly signal?: AbortSignal;
}
