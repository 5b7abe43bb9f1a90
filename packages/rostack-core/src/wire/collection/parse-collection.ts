import type { JsonObject } from '../../text/json.ts';
import { defineFaultsError } from '../model/fault.ts';
import {
  array,
  boolean,
  type Model,
  nonEmpty,
  nullable,
  object,
  openObject,
  optional,
  type ValueOf,
} from '../model/model.ts';
import { validate } from '../model/validate.ts';

/**
 * The envelope of a collection response. `event_cursor` is required when the resource has events, which
 * `parseCollection` checks.
 */
export const collectionModel = object({
  items: array(openObject({}) as Model<JsonObject>),
  page: object({
    next_cursor: nullable(nonEmpty),
    has_more: boolean,
    event_cursor: optional(nonEmpty),
  }),
});

/** One page of a collection (protocol section 5). */
export type Collection = ValueOf<typeof collectionModel>;

/** A value is not a page of a collection. */
export class CollectionError extends defineFaultsError(
  'CollectionError',
  'invalid_collection',
  'not a page of a collection',
) {}

/**
 * Validates one page of a collection response (parsed JSON). The schema of the resource checks the records themselves.
 * @param resource the descriptor: `event_cursor` is required when it has events
 * @throws CollectionError code `invalid_collection`, with every fault
 * @see protocol section 5, collection
 */
export function parseCollection(
  value: unknown,
  resource: { readonly events: readonly unknown[] },
): Collection {
  const result = validate(collectionModel, value);
  if (!result.ok) throw new CollectionError(result.faults);
  if (resource.events.length > 0 && result.value.page.event_cursor === undefined) {
    const message = 'is required: the resource has events';
    throw new CollectionError([{ check: 'event_cursor_of_events', path: '/page/event_cursor', message }]);
  }
  return result.value;
}
