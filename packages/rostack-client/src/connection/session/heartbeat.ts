import { CLOSE_CODES } from 'rostack-core/client';
import { GatewayTimeoutError } from '../../http/error/errors.ts';
import {
  close,
  heartbeatDueMs,
  type SessionRules,
  type SessionState,
  type SessionStep,
  step,
} from './session-state.ts';

/** Pings when either side was silent for the interval; only the matching pong, in time, satisfies a ping. */
export function beat(rules: SessionRules, state: SessionState, nowMs: number): SessionStep {
  const { heartbeat } = state;
  if (nowMs < heartbeatDueMs(rules, heartbeat)) return step(state);
  if (heartbeat.awaited !== undefined) {
    const error = new GatewayTimeoutError(`no pong within ${rules.heartbeatTimeoutMs} ms`);
    return close(state, CLOSE_CODES.timeout, error);
  }
  return ping(state, nowMs);
}

/** Asks whether the other side is there, without waiting for the interval. */
export function probe(state: SessionState, nowMs: number): SessionStep {
  return state.phase === 'open' && state.heartbeat.awaited === undefined ? ping(state, nowMs) : step(state);
}

function ping(state: SessionState, nowMs: number): SessionStep {
  const { heartbeat } = state;
  const pingCount = heartbeat.pingCount + 1;
  const id = `client-${pingCount}`;
  return step({ ...state, heartbeat: { ...heartbeat, pingCount, pingedAtMs: nowMs, awaited: id } }, [
    { type: 'ping', id },
  ]);
}

export function receivePong(state: SessionState, id: string): SessionStep {
  const { heartbeat } = state;
  if (heartbeat.awaited !== id) return step(state);
  return step({ ...state, heartbeat: { ...heartbeat, awaited: undefined } });
}
