import {
  anObject,
  aSignal,
  aText,
  type EventEncoding,
  type JsonObject,
  listOf,
  objectWith,
  oneOf,
  optional,
  optionsOf,
} from 'rostack-core';
import type { RecordSchema } from '../record/record-schema.ts';

export interface SubscribeOptions<D> {
  /** Which records' events (protocol section 6); the resource has to advertise `event_filtering`. @default all */
  readonly filter?: JsonObject;
  /** Names of event descriptors. @default all */
  readonly eventTypes?: readonly string[];
  /** Where to go on, such as a list's `eventCursor`. @default from now on */
  readonly cursor?: string;
  /** @default compact-json where the server has it */
  readonly encoding?: EventEncoding;
  /** Validates the data of each event that has data. @default data is taken as it comes */
  readonly schema?: RecordSchema<D>;
  readonly signal?: AbortSignal;
}

export const subscribeOptions = optionsOf<SubscribeOptions<unknown>>({
  filter: optional(anObject),
  eventTypes: optional(listOf(aText)),
  cursor: optional(aText),
  encoding: optional(oneOf('json', 'compact-json')),
  schema: optional(objectWith('safeParse')),
  signal: optional(aSignal),
});
