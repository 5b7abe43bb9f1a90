import {
  type CompactEvent,
  decodeCompactEvent,
  parseServerMessage,
  type ServerMessage,
  type ServerMessage20260812,
  ServerMessageError,
  WEBSOCKET_ERRORS,
} from 'rostack-core';
import { SubscriptionError } from '../error/index.ts';
import { receiveAuthenticated, receiveError } from './authenticating.ts';
import { receivePong } from './heartbeat.ts';
import type { SessionStep } from './session-output.ts';
import type { Instant, SessionRules } from './session-rules.ts';
import type { SessionState } from './session-state.ts';
import { refuse, step } from './steps.ts';
import {
  receiveEvent,
  receiveReplayComplete,
  receiveSubscribed,
  receiveSubscriptionError,
} from './subscribing.ts';

type Message = ServerMessage | ServerMessage20260812;
type ErrorOf = Extract<Message, { type: 'error' }>;

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
    if (error instanceof ServerMessageError) return refuse(state, error.message);
    throw error;
  }
  return dispatch(rules, heard, message, isCompact, at);
}

function parse(rules: SessionRules, text: string): ServerMessage | ServerMessage20260812 | CompactEvent {
  return rules.release === '2026-08-12'
    ? parseServerMessage(text, { release: '2026-08-12' })
    : parseServerMessage(text);
}

function dispatch(
  rules: SessionRules,
  state: SessionState,
  message: Message,
  isCompact: boolean,
  at: Instant,
): SessionStep {
  if (Array.isArray(message)) return refuse(state, 'an event within an event');
  if (state.phase !== 'open' && !isAllowedBefore(message)) {
    return refuse(state, `"${message.type}" before authentication`);
  }
  switch (message.type) {
    case 'authenticated':
      return receiveAuthenticated(rules, state, message, at);
    case 'subscribed':
      return receiveSubscribed(state, message);
    case 'replay_complete':
      return receiveReplayComplete(state, message.subscription_id);
    case 'event':
      return receiveEvent(state, message, isCompact);
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

function isAllowedBefore({ type }: Exclude<Message, readonly unknown[]>): boolean {
  return (
    type === 'authenticated' || type === 'error' || type === 'ping' || type === 'pong' || type === 'go_away'
  );
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
