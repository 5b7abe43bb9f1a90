import {
  CLOSE_CODES,
  createErrorMessage,
  type ReceivedSubscribe,
  subscriptionsEqual,
  type UnsubscribeMessage,
} from 'rostack-core';
import type { Instant } from '../options/clock.ts';
import { evaluateSubscribe } from './evaluate-subscribe.ts';
import type { EndReason, Opening } from './session-input.ts';
import type { SessionRules } from './session-rules.ts';
import {
  close,
  type Identity,
  keep,
  type SessionMessage,
  type SessionState,
  type SessionStep,
  type SubscriptionState,
  send,
  takeToken,
} from './session-state.ts';

/** How long a client should wait after following a replica's log was restarted. */
const RESET_RETRY_MS = 1_000;

export function subscribe(
  rules: SessionRules,
  state: SessionState,
  identity: Identity,
  message: ReceivedSubscribe,
  at: Instant,
): SessionStep {
  const { subscription_id: subscriptionId } = message;
  const { limits } = rules;
  const { bucket, waitMs } = takeToken(state.subscribeBucket, limits.subscribeRate, at.monotonicMs);
  const counted: SessionState = { ...state, subscribeBucket: bucket };
  if (waitMs > 0) return tooMany(counted, subscriptionId, 'Too many subscriptions at once: wait.', waitMs);

  const decision = evaluateSubscribe(rules, identity.principal, message);
  const present = state.subscriptions.get(subscriptionId);
  if (present !== undefined) {
    return decision.kind === 'accepted' &&
      subscriptionsEqual(decision.requested.definition, present.requested.definition)
      ? answerAgain(counted, present)
      : send(counted, [
          createErrorMessage('subscription_id_conflict', {
            subscription_id: subscriptionId,
            message:
              'This id names another subscription of the connection: unsubscribe it, or use another id.',
          }),
        ]);
  }
  if (decision.kind === 'refused') {
    return decision.error.code === 'permission_denied'
      ? denyPermission(rules, counted, decision.error)
      : send(counted, [decision.error]);
  }
  if (state.subscriptions.size >= limits.maxSubscriptions) {
    return tooMany(
      counted,
      subscriptionId,
      `A connection may have ${limits.maxSubscriptions} subscriptions: unsubscribe one, or open another connection.`,
      1_000,
    );
  }
  const ticket = state.tickets + 1;
  const { requested } = decision;
  const opening: SubscriptionState = { ticket, requested, phase: 'opening', owedAnswers: 1 };
  return send(
    { ...withSubscription(counted, opening), tickets: ticket },
    [],
    [{ kind: 'open', ticket, requested }],
  );
}

export function unsubscribe(
  state: SessionState,
  { subscription_id: subscriptionId }: UnsubscribeMessage,
): SessionStep {
  const present = state.subscriptions.get(subscriptionId);
  if (present === undefined) return keep(state);
  return send(
    withoutSubscription(state, subscriptionId),
    [],
    [{ kind: 'stop', subscriptionId, ticket: present.ticket }],
  );
}

/** Handles whether a subscription could be placed in the log; once placed, its events are delivered. */
export function opened(
  state: SessionState,
  subscriptionId: string,
  ticket: number,
  opening: Opening,
): SessionStep {
  const present = state.subscriptions.get(subscriptionId);
  if (present?.ticket !== ticket || present.phase !== 'opening') return keep(state);
  switch (opening.kind) {
    case 'placed': {
      const phase = present.requested.from === undefined ? 'live' : 'replaying';
      const open: SubscriptionState = { ...present, phase, owedAnswers: 0 };
      const answers = Array.from({ length: present.owedAnswers }, () => subscribedMessage(open));
      return send(withSubscription(state, open), answers);
    }
    case 'cursor_unavailable':
      return send(withoutSubscription(state, subscriptionId), [endMessage(subscriptionId, opening.kind)]);
    default:
      return send(withoutSubscription(state, subscriptionId), [
        createErrorMessage('service_unavailable', {
          subscription_id: subscriptionId,
          message: 'The resource cannot be read now: subscribe again later.',
          retry_after_ms: opening.retryAfterMs,
        }),
      ]);
  }
}

/** Handles the end of a replay: it has reached the newest event, and what follows is live. */
export function caughtUp(state: SessionState, subscriptionId: string, ticket: number): SessionStep {
  const present = state.subscriptions.get(subscriptionId);
  if (present?.ticket !== ticket || present.phase !== 'replaying') return keep(state);
  return send(withSubscription(state, { ...present, phase: 'live' }), [
    { type: 'replay_complete', subscription_id: subscriptionId },
  ]);
}

/** Ends one subscription on behalf of the server; the others continue. */
export function ended(
  state: SessionState,
  subscriptionId: string,
  ticket: number,
  reason: EndReason,
): SessionStep {
  if (state.subscriptions.get(subscriptionId)?.ticket !== ticket) return keep(state);
  return send(withoutSubscription(state, subscriptionId), [endMessage(subscriptionId, reason)]);
}

function answerAgain(state: SessionState, present: SubscriptionState): SessionStep {
  if (present.phase !== 'opening') return send(state, [subscribedMessage(present)]);
  return keep(withSubscription(state, { ...present, owedAnswers: present.owedAnswers + 1 }));
}

function subscribedMessage({ requested, phase }: SubscriptionState): SessionMessage {
  return {
    type: 'subscribed',
    subscription_id: requested.subscriptionId,
    event_encoding: requested.encoding,
    replaying: phase === 'replaying',
  };
}

function denyPermission(rules: SessionRules, state: SessionState, error: SessionMessage): SessionStep {
  const permissionRefusals = state.permissionRefusals + 1;
  const counted: SessionState = { ...state, permissionRefusals };
  return permissionRefusals > rules.limits.maxPermissionRefusals
    ? close(counted, CLOSE_CODES.permission, 'too many subscriptions without permission', [error])
    : send(counted, [error]);
}

function tooMany(
  state: SessionState,
  subscriptionId: string,
  message: string,
  retryAfterMs: number,
): SessionStep {
  return send(state, [
    createErrorMessage('rate_limited', {
      subscription_id: subscriptionId,
      message,
      retry_after_ms: retryAfterMs,
    }),
  ]);
}

function endMessage(subscriptionId: string, reason: EndReason): SessionMessage {
  const subscription = { subscription_id: subscriptionId };
  switch (reason) {
    case 'cursor_unavailable':
      return createErrorMessage(reason, {
        ...subscription,
        message:
          'Events after this cursor are no longer available: take a new snapshot and subscribe from its event_cursor.',
      });
    case 'service_unavailable':
      return createErrorMessage(reason, {
        ...subscription,
        message: 'The gateway has started to follow the log again: subscribe again from the last cursor.',
        retry_after_ms: RESET_RETRY_MS,
      });
    default:
      return createErrorMessage(reason, {
        ...subscription,
        message: 'The subscription failed unexpectedly: subscribe again from the last cursor.',
      });
  }
}

function withSubscription(state: SessionState, subscription: SubscriptionState): SessionState {
  const subscriptions = new Map(state.subscriptions);
  subscriptions.set(subscription.requested.subscriptionId, subscription);
  return { ...state, subscriptions };
}

function withoutSubscription(state: SessionState, subscriptionId: string): SessionState {
  const subscriptions = new Map(state.subscriptions);
  subscriptions.delete(subscriptionId);
  return { ...state, subscriptions };
}
