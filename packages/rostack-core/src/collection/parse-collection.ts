import { type Fault, validate } from '../model/fault.ts';
import { FaultsError } from '../model/faults-error.ts';
import { type Collection, collectionModel } from './collection-model.ts';

/** A value that was to be a page of a collection is none. */
export class CollectionError extends FaultsError {
  override readonly name = 'CollectionError';
  readonly code = 'invalid_collection';

  constructor(faults: readonly Fault[]) {
    super('not a page of a collection', faults);
  }
}

/**
 * Validates one page of a collection response (parsed JSON). The records themselves are for the schema of the resource.
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
