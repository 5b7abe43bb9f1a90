import {
  checkFilter,
  collateFilter,
  createErrorMessage,
  DEFAULT_FILTER_LIMITS,
  type ErrorMessage,
  evaluatePermission,
  type Filter,
  type FilterError,
  hasCode,
  hiddenFrom,
  normalizeSubscription,
  type Principal,
  parseFilter,
  type ReceivedSubscribe,
  type Resource,
  type SubscribeMessage,
} from 'rostack-core';
import type { SessionRules } from './session-rules.ts';
import type { RequestedSubscription } from './session-state.ts';

export type SubscribeDecision =
  | { readonly kind: 'accepted'; readonly requested: RequestedSubscription }
  | { readonly kind: 'refused'; readonly error: ErrorMessage };

/**
 * Decides whether a `subscribe` may be served: permission before everything that could reveal what exists, then
 * event types, encoding, filter and cursor.
 * @see protocol section 3 and 7
 */
export function evaluateSubscribe(
  rules: SessionRules,
  principal: Principal,
  message: ReceivedSubscribe,
): SubscribeDecision {
  const { subscription_id } = message;
  const resource = rules.resources.get(message.resource);
  if (resource === undefined) {
    return refused(
      createErrorMessage('resource_not_found', {
        subscription_id,
        message: 'Discovery lists no resource of this name.',
      }),
    );
  }
  const decision = evaluatePermission(principal, resource, 'subscribe');
  if (decision.kind !== 'granted') {
    const missing = decision.kind === 'missing' ? `: missing ${decision.permissions.join(', ')}` : '';
    return refused(
      createErrorMessage('permission_denied', {
        subscription_id,
        message: `The credential does not permit subscribing to this resource${missing}.`,
      }),
    );
  }
  const typeError = eventTypeError(resource, message);
  if (typeError !== undefined) return refused(typeError);
  if (!hasAdvertisedEncoding(rules, message)) return refused(encodingError(rules, subscription_id));
  const read = readFilter(rules, resource, message);
  if (read.error !== undefined) return refused(read.error);
  const hidden = hiddenFieldError(rules, principal, resource, message, read.filter);
  if (hidden !== undefined) return refused(hidden);
  return place(rules, principal, resource, message, read.filter);
}

function place(
  rules: SessionRules,
  principal: Principal,
  resource: Resource,
  message: SubscribeMessage,
  filter: Filter | undefined,
): SubscribeDecision {
  const visibility = rules.visibilityOf(resource.name, principal);
  const scopeTag = rules.cursors.tag(resource.name, principal.id, visibility.digest);
  const definition = normalizeSubscription(message, resource);
  const requested: RequestedSubscription = {
    subscriptionId: message.subscription_id,
    resource,
    definition,
    eventTypes: message.event_types ?? resource.events.map(({ name }) => name),
    filter,
    visibility,
    encoding: message.event_encoding ?? 'json',
    scopeTag,
    from: undefined,
  };
  if (message.cursor === undefined) return { kind: 'accepted', requested };
  const reading = rules.cursors.read(message.cursor, resource.name, scopeTag);
  if (reading.kind === 'position')
    return { kind: 'accepted', requested: { ...requested, from: reading.from } };
  return refused(
    createErrorMessage(reading.kind, {
      subscription_id: message.subscription_id,
      message:
        reading.kind === 'cursor_scope_mismatch'
          ? 'The cursor was given for another resource, principal, API version or implementation: take a new snapshot.'
          : 'The cursor cannot be used any more: take a new snapshot and subscribe from its event_cursor.',
    }),
  );
}

function eventTypeError(resource: Resource, message: ReceivedSubscribe): ErrorMessage | undefined {
  const advertised = resource.events.map(({ name }) => name);
  const unknown = message.event_types?.find((name) => !advertised.includes(name));
  if (unknown === undefined && advertised.length > 0) return undefined;
  const hint =
    advertised.length === 0 ? 'This resource has no events.' : `Advertised types: ${advertised.join(', ')}.`;
  return createErrorMessage('unsupported_event_type', {
    subscription_id: message.subscription_id,
    message: hint,
  });
}

function hasAdvertisedEncoding(rules: SessionRules, message: ReceivedSubscribe): message is SubscribeMessage {
  const encodings: ReadonlySet<string> = rules.eventEncodings;
  return encodings.has(message.event_encoding ?? 'json');
}

function encodingError(rules: SessionRules, subscription_id: string): ErrorMessage {
  return createErrorMessage('unsupported_encoding', {
    subscription_id,
    message: `Advertised encodings: ${[...rules.eventEncodings].join(', ')}.`,
  });
}

function readFilter(
  rules: SessionRules,
  resource: Resource,
  message: ReceivedSubscribe,
): { readonly filter?: Filter; readonly error?: ErrorMessage } {
  if (message.filter === undefined) return {};
  const refusal = (text: string) => ({
    error: createErrorMessage('unsupported_filter', {
      subscription_id: message.subscription_id,
      message: text,
    }),
  });
  if (resource.event_filtering !== true) {
    return refusal('This resource does not filter events: subscribe without a filter.');
  }
  try {
    const filter = parseFilter(message.filter, DEFAULT_FILTER_LIMITS, rules.release);
    checkFilter(filter, resource.filtering, rules.filterOperators);
    return { filter: collateFilter(filter, rules.collations.get(resource.name) ?? new Map()) };
  } catch (error) {
    if (!hasCode<FilterError>(error, 'invalid_filter', 'unsupported_filter')) throw error;
    return refusal(error.message);
  }
}

/** Refuses a filter by a hidden field, because the events that match would reveal the field's value. */
function hiddenFieldError(
  rules: SessionRules,
  principal: Principal,
  resource: Resource,
  message: SubscribeMessage,
  filter: Filter | undefined,
): ErrorMessage | undefined {
  const [field] = hiddenFrom(principal.permissions, rules.hiddenFields(resource.name), { filter });
  if (field === undefined) return undefined;
  return createErrorMessage('permission_denied', {
    subscription_id: message.subscription_id,
    message: `Filtering by ${field.pointer} needs the permissions ${field.permissions.join(', ')}.`,
  });
}

function refused(error: ErrorMessage): SubscribeDecision {
  return { kind: 'refused', error };
}
