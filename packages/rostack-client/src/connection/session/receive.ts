import type { CompactEvent, ServerMessage, ServerMessage20260812, ServerMessageError } from 'rostack-core';
import { decodeCompactEvent, hasCode, parseServerMessage, WEBSOCKET_ERRORS } from 'rostack-core/client';
import { SubscriptionError } from '../../http/error/errors.ts';
import { receiveAuthenticated, receiveError } from './authenticating.ts';
import { receivePong } from './heartbeat.ts';
import type { Instant, SessionRules, SessionState } from './session-state.ts';
import type { SessionStep } from './session-step.ts';
import { refuse, step } from './session-step.ts';
import {
  receiveEvent,
  receiveReplayComplete,
  receiveSubscribed,
  receiveSubscriptionError,
} from './subscribing.ts';

type Message = Exclude<ServerMessage | ServerMessage20260812, readonly unknown[]>;
type ErrorOf = Extract<Message, { type: 'error' }>;

/** What a server may send before it has accepted the first credential. */
const ALLOWED_BEFORE: ReadonlySet<string> = new Set(['authenticated', 'error', 'ping', 'pong', 'go_away']);

/** Takes one text frame of the server. @see protocol section 7 */
export function receive(rules: SessionRules, state: SessionState, text: string, at: Instant): SessionStep {
  if (text.length > rules.maxFrameLength) {
    return refuse(state, `a message is longer than ${rules.maxFrameLength} characters`);
  }
  const heard: SessionState = {
    ...state,
    heartbeat: { ...state.heartbeat, receivedAtMs: at.monotonicMs },
  };
  let message: Message;
  let isCompact = false;
  try {
    const parsed = parse(rules, text);
    isCompact = Array.isArray(parsed);
    message = Array.isArray(parsed) ? decodeCompactEvent(parsed) : parsed;
  } catch (error) {
    if (hasCode<ServerMessageError>(error, 'invalid_server_message')) return refuse(state, error.message);
    throw error;
  }
  if (heard.phase !== 'open' && !ALLOWED_BEFORE.has(message.type)) {
    return refuse(heard, `"${message.type}" before authentication`);
  }
  return message.type === 'event'
    ? receiveEvent(heard, message, isCompact, text.length)
    : dispatch(rules, heard, message, at);
}

function parse(rules: SessionRules, text: string): ServerMessage | ServerMessage20260812 | CompactEvent {
  return rules.release === '2026-08-12'
    ? parseServerMessage(text, { release: '2026-08-12' })
    : parseServerMessage(text);
}

function dispatch(
  rules: SessionRules,
  state: SessionState,
  message: Exclude<Message, { type: 'event' }>,
  at: Instant,
): SessionStep {
  switch (message.type) {
    case 'authenticated':
      return receiveAuthenticated(rules, state, message, at);
    case 'subscribed':
      return receiveSubscribed(state, message);
    case 'replay_complete':
      return receiveReplayComplete(state, message.subscription_id);
    case 'ping':
      return step(state, [{ type: 'pong', id: message.id }]);
    case 'pong':
      return receivePong(state, message.id);
    case 'go_away':
      return goAway(state, message);
    default:
      return fail(state, message, at);
  }
}

function goAway(state: SessionState, message: Extract<Message, { type: 'go_away' }>): SessionStep {
  if (state.isLeaving) return refuse(state, 'a second "go_away"');
  return step({ ...state, isLeaving: true }, [], [{ kind: 'go_away', message }]);
}

function fail(state: SessionState, message: ErrorOf, at: Instant): SessionStep {
  const isKnown = Object.hasOwn(WEBSOCKET_ERRORS, message.code);
  const error = new SubscriptionError(
    isKnown ? (message.code as SubscriptionError['code']) : 'unknown_error',
    message.message,
    { retryable: message.retryable ?? false, retryAfterMs: message.retry_after_ms },
  );
  return message.subscription_id === undefined
    ? receiveError(state, error, at)
    : receiveSubscriptionError(state, message.subscription_id, error);
}
