import { CLOSE_CODES } from 'rostack-core';
import { answerUnavailable, rechecked, verified } from './authenticating.ts';
import { beat, heartbeatDueMs } from './heartbeat.ts';
import { closeOverrun, closeUnreadable, receive } from './receive.ts';
import type { Draining, SessionInput } from './session-input.ts';
import type { SessionRules } from './session-rules.ts';
import type { SessionState } from './session-state.ts';
import { close, closeForAuthentication, keep, type SessionStep, send } from './session-step.ts';
import { caughtUp, ended, opened } from './subscribing.ts';

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
