import {
  CLOSE_CODES,
  type ClientMessageError,
  createErrorMessage,
  hasCode,
  parseClientMessage,
  parseStrictJson,
  type ReceivedMessage,
  type StrictJsonError,
} from 'rostack-core';
import type { Instant } from '../options/clock.ts';
import { answerUnavailable, authenticate, rechecked, verified } from './authenticating.ts';
import { beat, receivePong } from './heartbeat.ts';
import type { Draining, SessionInput } from './session-input.ts';
import type { SessionRules } from './session-rules.ts';
import {
  close,
  closeForAuthentication,
  heartbeatDueMs,
  keep,
  type SessionState,
  type SessionStep,
  send,
  takeToken,
} from './session-state.ts';
import { caughtUp, ended, opened, subscribe, unsubscribe } from './subscribing.ts';

type Tick = Extract<SessionInput, { kind: 'tick' }>;

/** How long a client should wait after a verification that took too long. */
const VERIFICATION_RETRY_MS = 1_000;

/**
 * The protocol of one connection as a pure function: from state and input to the next state, the messages to send and the effects to carry
 * out. A closed session stays closed and silent.
 * @see protocol section 7
 */
export function stepSession(rules: SessionRules, state: SessionState, input: SessionInput): SessionStep {
  if (state.phase === 'closed') return keep(state);
  const heard = input.kind === 'message' ? noteReceived(state, input.at.monotonicMs) : state;
  const step = dispatch(rules, heard, input);
  if (step.messages.length === 0) return step;
  const { heartbeat } = step.state;
  return {
    ...step,
    state: { ...step.state, heartbeat: { ...heartbeat, sentAtMs: input.at.monotonicMs } },
  };
}

/** Monotonic time from which a `tick` may have something to do; infinite when closed. */
export function sessionDueMs(rules: SessionRules, state: SessionState): number {
  if (state.phase === 'closed') return Number.POSITIVE_INFINITY;
  const { identity, verification, drainedAtMs = Number.POSITIVE_INFINITY } = state;
  if (identity === undefined) return Math.min(drainedAtMs, state.openedAtMs + rules.authenticationTimeoutMs);
  const verifiedBy =
    verification === undefined
      ? Number.POSITIVE_INFINITY
      : verification.startedAtMs + rules.authenticationTimeoutMs;
  return Math.min(drainedAtMs, verifiedBy, heartbeatDueMs(rules, state.heartbeat));
}

function dispatch(rules: SessionRules, state: SessionState, input: SessionInput): SessionStep {
  switch (input.kind) {
    case 'message':
      return receive(rules, state, input.text, input.at);
    case 'unreadable':
      return closeUnreadable(state);
    case 'overrun':
      return closeOverrun(state);
    case 'tick':
      return tick(rules, state, input);
    case 'verified':
      return verified(rules, state, input.attempt, input.result, input.at);
    case 'rechecked':
      return rechecked(rules, state, input.result, input.at);
    case 'opened':
      return opened(state, input.subscriptionId, input.ticket, input.opening);
    case 'caught-up':
      return caughtUp(state, input.subscriptionId, input.ticket);
    case 'ended':
      return ended(state, input.subscriptionId, input.ticket, input.reason);
    case 'drain':
      return drain(state, input.draining, input.at.monotonicMs);
    default:
      return { ...close(state, CLOSE_CODES.transient, 'connection lost'), effects: [] };
  }
}

function tick(rules: SessionRules, state: SessionState, input: Tick): SessionStep {
  const { wallMs, monotonicMs } = input.at;
  const { identity, verification, drainedAtMs } = state;
  if (identity?.expiresAtMs !== undefined && identity.expiresAtMs <= wallMs) {
    return closeForAuthentication(state, 'credential expired');
  }
  if (drainedAtMs !== undefined && drainedAtMs <= monotonicMs) {
    return close(state, CLOSE_CODES.drain, 'drained');
  }
  if (identity === undefined) {
    if (monotonicMs < state.openedAtMs + rules.authenticationTimeoutMs) return keep(state);
    return verification === undefined
      ? close(state, CLOSE_CODES.timeout, 'authentication timeout')
      : answerUnavailable(state, VERIFICATION_RETRY_MS);
  }
  if (verification !== undefined && monotonicMs >= verification.startedAtMs + rules.authenticationTimeoutMs) {
    return answerUnavailable(state, VERIFICATION_RETRY_MS);
  }
  return beat(rules, state, input.at, input.deliveredAtMs, input.progressAtMs);
}

function drain(state: SessionState, draining: Draining, nowMs: number): SessionStep {
  if (state.drainedAtMs !== undefined) return keep(state);
  const { reason, reconnectAfterMs, drainTimeoutMs, gatewayUrl } = draining;
  return send({ ...state, drainedAtMs: nowMs + drainTimeoutMs }, [
    {
      type: 'go_away',
      reason,
      reconnect_after_ms: reconnectAfterMs,
      drain_timeout_ms: drainTimeoutMs,
      ...(gatewayUrl === undefined ? {} : { gateway_url: gatewayUrl }),
    },
  ]);
}

function noteReceived(state: SessionState, nowMs: number): SessionState {
  return { ...state, heartbeat: { ...state.heartbeat, receivedAtMs: nowMs } };
}

type MessageReading =
  | { readonly kind: 'message'; readonly message: ReceivedMessage }
  | { readonly kind: 'not-json' }
  /** JSON, but not a client's message; `fault` says what to do about it. */
  | { readonly kind: 'malformed'; readonly fault: string };

/** Handles one text message of the client. */
export function receive(rules: SessionRules, before: SessionState, text: string, at: Instant): SessionStep {
  const { bucket, waitMs } = takeToken(before.messageBucket, rules.limits.messageRate, at.monotonicMs);
  const state: SessionState = { ...before, messageBucket: bucket };
  if (waitMs > 0) return countViolation(rules, state, waitMs);
  const reading = readMessage(rules, text);
  if (reading.kind === 'not-json') return closeUnreadable(state);
  const { identity } = state;
  if (identity === undefined) {
    if (reading.kind === 'malformed') return closeUnreadable(state);
    return reading.message.type === 'authenticate'
      ? authenticate(state, reading.message, at)
      : closeForAuthentication(state, 'authenticate first');
  }
  if (reading.kind === 'malformed') return countInvalid(rules, state, reading.fault);
  const { message } = reading;
  switch (message.type) {
    case 'authenticate':
      return authenticate(state, message, at);
    case 'subscribe':
      return subscribe(rules, state, identity, message, at);
    case 'unsubscribe':
      return unsubscribe(state, message);
    case 'ping':
      return send(state, [{ type: 'pong', id: message.id }]);
    case 'pong':
      return receivePong(state, message.id);
    default:
      return keep(state);
  }
}

export function closeUnreadable(state: SessionState): SessionStep {
  return close(state, CLOSE_CODES.invalidMessage, 'not a rostack message');
}

export function closeOverrun(state: SessionState): SessionStep {
  return close(state, CLOSE_CODES.rateLimit, 'too many messages');
}

function countInvalid(rules: SessionRules, state: SessionState, fault: string): SessionStep {
  const invalidMessages = state.invalidMessages + 1;
  const counted: SessionState = { ...state, invalidMessages };
  const message = createErrorMessage('invalid_message', { message: fault });
  return invalidMessages > rules.limits.maxInvalidMessages
    ? close(counted, CLOSE_CODES.invalidMessage, 'too many invalid messages', [message])
    : send(counted, [message]);
}

function countViolation(rules: SessionRules, state: SessionState, waitMs: number): SessionStep {
  const rateViolations = state.rateViolations + 1;
  const counted: SessionState = { ...state, rateViolations };
  const message = createErrorMessage('rate_limited', {
    message: 'Too many messages: this one was ignored. Wait.',
    retry_after_ms: waitMs,
  });
  return rateViolations > rules.limits.maxRateViolations
    ? close(counted, CLOSE_CODES.rateLimit, 'too many messages', [message])
    : send(counted, [message]);
}

/** Reads one text frame of a client. */
function readMessage({ release }: SessionRules, text: string): MessageReading {
  try {
    return { kind: 'message', message: parseClientMessage(text, { release }) };
  } catch (error) {
    if (!hasCode<ClientMessageError>(error, 'invalid_message')) throw error;
    return isJson(text) ? { kind: 'malformed', fault: error.message } : { kind: 'not-json' };
  }
}

function isJson(text: string): boolean {
  try {
    parseStrictJson(text);
    return true;
  } catch (error) {
    return (error as StrictJsonError).fault.check !== 'json';
  }
}
