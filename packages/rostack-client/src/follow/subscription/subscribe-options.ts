import type { AnyDiscoveryDocument, EventEncoding, JsonObject, Resource } from 'rostack-core';
import {
  anObject,
  aSignal,
  aString,
  listOf,
  objectWith,
  oneOf,
  optional,
  optionsOf,
} from 'rostack-core/client';
import type { Filters } from '../../connection/platform/platform.ts';
import type { SubscriptionDefinition } from '../../connection/session/session-state.ts';
import { UsageError } from '../../http/error/errors.ts';
import type { RecordSchema } from '../../list/record-ids.ts';

/** Options of `RostackClient.subscribe`. */
export interface SubscribeOptions<D> {
  /** Which records' events (protocol section 6); the resource has to advertise `event_filtering`. @default all */
  readonly filter?: JsonObject;
  /** Names of event descriptors. @default all */
  readonly eventTypes?: readonly string[];
  /** Where to continue, such as a list's `eventCursor`. @default from now on */
  readonly cursor?: string;
  /** @default compact-json if the server has it */
  readonly encoding?: EventEncoding;
  /** Validates the data of each event that has data. @default data is taken as it comes */
  readonly schema?: RecordSchema<D>;
  /**
   * Ends the subscription when it is aborted: the iteration throws the signal's reason.
   * @default none
   */
  readonly signal?: AbortSignal;
}

export const subscribeOptions = optionsOf<SubscribeOptions<unknown>>({
  filter: optional(anObject),
  eventTypes: optional(listOf(aString)),
  cursor: optional(aString),
  encoding: optional(oneOf('json', 'compact-json')),
  schema: optional(objectWith('safeParse')),
  signal: optional(aSignal),
});

/**
 * What to ask the gateway for. Anything that the gateway would refuse according to the discovery document is refused here.
 * @param filters undefined: the filter is checked later, when the code for filters is loaded
 * @throws UsageError `invalid_options`
 * @throws FilterError of rostack-core
 */
export function defineSubscription(
  document: AnyDiscoveryDocument,
  resource: Resource,
  options: Pick<SubscribeOptions<never>, 'filter' | 'eventTypes' | 'encoding'>,
  filters: Filters | undefined,
): SubscriptionDefinition {
  const advertised = resource.events.map(({ name }) => name);
  if (advertised.length === 0) throw new UsageError(`${resource.name} has no events: list it`);
  if (options.filter !== undefined && resource.event_filtering !== true) {
    throw new UsageError(`${resource.name} takes no filter on its events: leave the filter out`);
  }
  if (options.filter !== undefined) filters?.checkResourceFilter(document, resource, options.filter);
  const { eventTypes = advertised } = options;
  const unknown = eventTypes.filter((name) => !advertised.includes(name));
  if (eventTypes.length === 0 || unknown.length > 0) {
    throw new UsageError(`eventTypes of ${resource.name} are one or more of: ${advertised.join(', ')}`);
  }
  const { event_encodings: encodings } = document.capabilities.websocket;
  const { encoding = encodings.includes('compact-json') ? 'compact-json' : 'json' } = options;
  if (!encodings.includes(encoding)) throw new UsageError(`the server has no encoding ${encoding}`);
  return {
    resource: resource.name,
    eventTypes: new Set(eventTypes),
    namesEventTypes: options.eventTypes !== undefined,
    filter: options.filter,
    encoding,
  };
}
