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
import { authenticate } from './authenticating.ts';
import { receivePong } from './heartbeat.ts';
import type { SessionRules } from './session-rules.ts';
import type { SessionState } from './session-state.ts';
import { close, closeForAuthentication, keep, type SessionStep, send } from './session-step.ts';
import { subscribe, unsubscribe } from './subscribing.ts';
import { takeToken } from './token-bucket.ts';

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
    message: 'Too many messages: this one was not looked at. Wait.',
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
