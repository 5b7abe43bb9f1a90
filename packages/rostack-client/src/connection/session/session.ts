import type { CompactEvent, ServerMessage, ServerMessage20260812, ServerMessageError } from 'rostack-core';
import {
  CLOSE_CODES,
  decodeCompactEvent,
  hasCode,
  parseServerMessage,
  WEBSOCKET_ERRORS,
} from 'rostack-core/client';
import { CredentialsError, GatewayTimeoutError, SubscriptionError } from '../../http/error/errors.ts';
import { UPGRADES } from '../../http/error/reason.ts';
import {
  authenticate,
  open,
  receiveAuthenticated,
  receiveError,
  renewIfDue,
  withoutCredential,
} from './authenticating.ts';
import { beat, probe, receivePong } from './heartbeat.ts';
import {
  close,
  heartbeatDueMs,
  type Instant,
  refuse,
  type SessionInput,
  type SessionRules,
  type SessionState,
  type SessionStep,
  step,
} from './session-state.ts';
import {
  receiveEvent,
  receiveReplayComplete,
  receiveSubscribed,
  receiveSubscriptionError,
  subscribe,
  unsubscribe,
} from './subscribing.ts';

/**
 * The client's side of one gateway connection: from state and input to state, messages and effects. It has no socket, timer or
 * clock; after the effect `close` every input is ignored.
 * @see protocol section 7
 */
export function stepSession(rules: SessionRules, state: SessionState, input: SessionInput): SessionStep {
  if (state.phase === 'closed') return step(state);
  return noteSent(input.at, run(rules, state, input));
}

/** Monotonic time from which a tick may do something. */
export function sessionDueMs(rules: SessionRules, state: SessionState): number {
  if (state.phase === 'closed') return Number.POSITIVE_INFINITY;
  if (state.phase !== 'open') return state.sinceMs + rules.answerTimeoutMs;
  const { renewal } = state;
  return Math.min(
    heartbeatDueMs(rules, state.heartbeat),
    state.isHealthy ? Number.POSITIVE_INFINITY : state.sinceMs + rules.heartbeatIntervalMs,
    renewal.kind === 'due' ? renewal.atMs : Number.POSITIVE_INFINITY,
    renewal.kind === 'replacing' ? renewal.sinceMs + rules.answerTimeoutMs : Number.POSITIVE_INFINITY,
    answerDueMs(rules, state),
  );
}

function run(rules: SessionRules, state: SessionState, input: SessionInput): SessionStep {
  switch (input.kind) {
    case 'opened':
      return open(state, input.at);
    case 'message':
      return receive(rules, state, input.text, input.at);
    case 'subscribe':
      return subscribe(state, input);
    case 'unsubscribe':
      return unsubscribe(state, input.subscriptionId);
    case 'credential':
      return authenticate(state, input.credential, input.at);
    case 'no_credential':
      return withoutCredential(state, input.error, input.at);
    case 'probe':
      return probe(state, input.at.monotonicMs);
    default:
      return tick(rules, state, input.at);
  }
}

function tick(rules: SessionRules, state: SessionState, at: Instant): SessionStep {
  const nowMs = at.monotonicMs;
  const isLate =
    (state.phase !== 'open' && nowMs >= state.sinceMs + rules.answerTimeoutMs) ||
    (state.renewal.kind === 'replacing' && nowMs >= state.renewal.sinceMs + rules.answerTimeoutMs) ||
    nowMs >= answerDueMs(rules, state);
  if (isLate) {
    const { answerTimeoutMs } = rules;
    const error =
      state.phase === 'waiting'
        ? new CredentialsError(`the credentials callback returned nothing within ${answerTimeoutMs} ms`)
        : new GatewayTimeoutError(
            state.phase === 'connecting'
              ? `the upgrade to a WebSocket was not answered within ${answerTimeoutMs} ms: ${UPGRADES}`
              : `no answer within ${answerTimeoutMs} ms`,
          );
    return close(state, CLOSE_CODES.timeout, error);
  }
  if (state.phase !== 'open') return step(state);
  const beaten = beat(rules, state, nowMs);
  if (beaten.state.phase === 'closed') return beaten;
  const renewed = renewIfDue(beaten.state, nowMs);
  const isNowHealthy = !state.isHealthy && nowMs >= state.sinceMs + rules.heartbeatIntervalMs;
  return step({ ...renewed.state, isHealthy: state.isHealthy || isNowHealthy }, beaten.messages, [
    ...renewed.effects,
    ...(isNowHealthy ? ([{ kind: 'healthy' }] as const) : []),
  ]);
}

function answerDueMs(rules: SessionRules, state: SessionState): number {
  let dueMs = Number.POSITIVE_INFINITY;
  for (const { phase, requestedAtMs } of state.subscriptions.values()) {
    if (phase === 'requested') dueMs = Math.min(dueMs, requestedAtMs + rules.answerTimeoutMs);
  }
  return dueMs;
}

function noteSent(at: Instant, result: SessionStep): SessionStep {
  if (result.messages.length === 0) return result;
  const heartbeat = { ...result.state.heartbeat, sentAtMs: at.monotonicMs };
  return { ...result, state: { ...result.state, heartbeat } };
}

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
