import type { ClientMessage, EventMessage, JsonObject, SubscribedMessage } from 'rostack-core';
import { CLOSE_CODES } from 'rostack-core/client';
import { DiscoveryOutdatedError, type SubscriptionError } from '../../http/error/errors.ts';
import {
  close,
  refuse,
  type SessionInput,
  type SessionState,
  type SessionStep,
  type SessionSubscription,
  step,
  withSubscription,
} from './session-state.ts';

/** How many subscriptions a connection keeps in mind, including those that were left. */
const MAX_KNOWN = 1_000;

type Subscribe = Extract<SessionInput, { kind: 'subscribe' }>;

export function subscribe(
  state: SessionState,
  { subscriptionId, definition, cursor, at }: Subscribe,
): SessionStep {
  if (state.phase !== 'open') return step(state);
  const earlier = state.subscriptions.get(subscriptionId);
  if (earlier !== undefined && earlier.phase !== 'left') return step(state);
  const subscription: SessionSubscription = {
    phase: 'requested',
    definition,
    hasCursor: cursor !== undefined,
    requestedAtMs: at.monotonicMs,
    isRepeated: earlier !== undefined,
    owedAnswers: earlier?.owedAnswers ?? 0,
  };
  const message: ClientMessage = {
    type: 'subscribe',
    subscription_id: subscriptionId,
    resource: definition.resource,
    event_encoding: definition.encoding,
    ...(definition.namesEventTypes ? { event_types: [...definition.eventTypes] } : {}),
    ...(definition.filter === undefined ? {} : { filter: definition.filter as JsonObject }),
    ...(cursor === undefined ? {} : { cursor }),
  };
  return step(withSubscription(forgetOldest(state), subscriptionId, subscription), [message]);
}

/** For subscriptions that were left long ago, nothing can be on its way any more. */
function forgetOldest(state: SessionState): SessionState {
  if (state.subscriptions.size < MAX_KNOWN) return state;
  const oldest = [...state.subscriptions].find(([, { phase }]) => phase === 'left')?.[0];
  return oldest === undefined ? state : withSubscription(state, oldest, undefined);
}

export function unsubscribe(state: SessionState, subscriptionId: string): SessionStep {
  const subscription = state.subscriptions.get(subscriptionId);
  if (state.phase !== 'open' || subscription === undefined || subscription.phase === 'left')
    return step(state);
  const owedAnswers = subscription.owedAnswers + (subscription.phase === 'requested' ? 1 : 0);
  return step(withSubscription(state, subscriptionId, { ...subscription, phase: 'left', owedAnswers }), [
    { type: 'unsubscribe', subscription_id: subscriptionId },
  ]);
}

export function receiveSubscribed(state: SessionState, message: SubscribedMessage): SessionStep {
  const { subscription_id: subscriptionId, replaying } = message;
  const subscription = state.subscriptions.get(subscriptionId);
  if (subscription === undefined) return refuse(state, '"subscribed" was not asked for');
  if (subscription.phase !== 'requested') return receiveOwedAnswer(state, subscriptionId, subscription);
  if (message.event_encoding !== subscription.definition.encoding) {
    return refuse(state, '"subscribed" names another encoding', subscriptionId);
  }
  if (replaying !== subscription.hasCursor) {
    return refuse(
      state,
      '"subscribed" replays without a cursor, or does not replay from one',
      subscriptionId,
    );
  }
  const phase = replaying ? 'replaying' : 'live';
  return step(
    withSubscription(state, subscriptionId, { ...subscription, phase }),
    [],
    [{ kind: 'subscribed', subscriptionId, replaying }],
  );
}

function receiveOwedAnswer(
  state: SessionState,
  subscriptionId: string,
  subscription: SessionSubscription,
): SessionStep {
  const { owedAnswers } = subscription;
  if (owedAnswers === 0) return refuse(state, '"subscribed" was not asked for', subscriptionId);
  return step(withSubscription(state, subscriptionId, { ...subscription, owedAnswers: owedAnswers - 1 }));
}

export function receiveReplayComplete(state: SessionState, subscriptionId: string): SessionStep {
  const subscription = state.subscriptions.get(subscriptionId);
  if (subscription?.phase === 'left' || subscription?.phase === 'requested') return step(state);
  if (subscription?.phase !== 'replaying')
    return refuse(state, '"replay_complete" without a replay', subscription && subscriptionId);
  return step(
    withSubscription(state, subscriptionId, { ...subscription, phase: 'live' }),
    [],
    [{ kind: 'caught_up', subscriptionId }],
  );
}

/**
 * Takes an event. If its subscription was left, or left and requested again, older events may still be on their way:
 * they are ignored.
 */
export function receiveEvent(
  state: SessionState,
  event: EventMessage,
  isCompact: boolean,
  frameLength: number,
): SessionStep {
  const subscription = state.subscriptions.get(event.subscription_id);
  if (subscription === undefined) return refuse(state, 'an event of no subscription');
  if (subscription.phase === 'left' || subscription.phase === 'requested') return step(state);
  const { definition } = subscription;
  if (isCompact !== (definition.encoding === 'compact-json')) {
    return refuse(state, 'an event in another encoding than its subscription has', event.subscription_id);
  }
  if (!definition.eventTypes.has(event.event_type)) {
    if (definition.namesEventTypes) {
      return refuse(state, 'an event of a type that was not subscribed to', event.subscription_id);
    }
    // A server may add event types without another API version: discovery is read again.
    const what = `discovery does not name the event type ${event.event_type.slice(0, 100)}`;
    return close(state, CLOSE_CODES.transient, new DiscoveryOutdatedError(what));
  }
  return step(state, [], [{ kind: 'event', event, frameLength }]);
}

export function receiveSubscriptionError(
  state: SessionState,
  subscriptionId: string,
  error: SubscriptionError,
): SessionStep {
  const subscription = state.subscriptions.get(subscriptionId);
  if (subscription === undefined) return refuse(state, 'an error of no subscription');
  if (subscription.phase === 'left') return step(state);
  // It stays known as left: what the server sent before the error may still come.
  return step(
    withSubscription(state, subscriptionId, { ...subscription, phase: 'left' }),
    // The error may be about the older subscription with this id: the newer one must not go on unseen.
    subscription.isRepeated ? [{ type: 'unsubscribe', subscription_id: subscriptionId }] : [],
    [{ kind: 'ended', subscriptionId, error }],
  );
}
