import { CLOSE_CODES } from 'rostack-core/client';
import { CredentialsError, GatewayTimeoutError } from '../../http/error/errors.ts';
import { UPGRADES } from '../../http/error/reason.ts';
import { authenticate, open, renewIfDue, withoutCredential } from './authenticating.ts';
import { beat, heartbeatDueMs, probe } from './heartbeat.ts';
import { receive } from './receive.ts';
import type { Instant, SessionRules, SessionState } from './session-state.ts';
import type { SessionInput, SessionStep } from './session-step.ts';
import { close, step } from './session-step.ts';
import { subscribe, unsubscribe } from './subscribing.ts';

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
        ? new CredentialsError(`the credentials callback gave nothing within ${answerTimeoutMs} ms`)
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
