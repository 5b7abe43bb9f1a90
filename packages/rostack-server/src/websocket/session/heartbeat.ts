import { CLOSE_CODES } from 'rostack-core';
import type { Instant } from '../options/clock.ts';
import type { SessionRules } from './session-rules.ts';
import { close, keep, quietSinceMs, type SessionState, type SessionStep, send } from './session-state.ts';

/**
 * Sends a ping if either side was silent for the interval; only the matching pong answers it. While waiting bytes are still being sent to
 * the peer, or a credential is being verified, the peer counts as alive.
 */
export function beat(
  rules: SessionRules,
  state: SessionState,
  at: Instant,
  deliveredAtMs: number,
  progressAtMs: number,
): SessionStep {
  const { heartbeat } = state;
  const nowMs = at.monotonicMs;
  if (heartbeat.awaited !== undefined) {
    const deadlineMs = Math.max(heartbeat.pingedAtMs, progressAtMs) + rules.heartbeatTimeoutMs;
    return nowMs >= deadlineMs && state.verification === undefined
      ? close(state, CLOSE_CODES.timeout, 'heartbeat timeout')
      : keep(state);
  }
  const sentAtMs = Math.max(heartbeat.sentAtMs, deliveredAtMs);
  if (nowMs < quietSinceMs({ ...heartbeat, sentAtMs }) + rules.heartbeatIntervalMs) {
    return keep({ ...state, heartbeat: { ...heartbeat, sentAtMs } });
  }
  const pingCount = heartbeat.pingCount + 1;
  const id = `ping-${pingCount}`;
  return send({ ...state, heartbeat: { ...heartbeat, pingCount, pingedAtMs: nowMs, awaited: id } }, [
    { type: 'ping', id },
  ]);
}

export function receivePong(state: SessionState, id: string): SessionStep {
  const { heartbeat } = state;
  if (heartbeat.awaited !== id) return keep(state);
  return keep({ ...state, heartbeat: { ...heartbeat, awaited: undefined } });
}
