import { CLOSE_CODES, type CloseCode } from 'rostack-core';
import type { SessionEffect, SessionMessage, SessionStep } from './session-output.ts';
import type { SessionState } from './session-state.ts';

/** Goes on with nothing to say. */
export function keep(state: SessionState): SessionStep {
  return { state, messages: [], effects: [] };
}

export function send(
  state: SessionState,
  messages: readonly SessionMessage[],
  effects: readonly SessionEffect[] = [],
): SessionStep {
  return { state, messages, effects };
}

/** Ends the session: messages that explain it, then the close. */
export function close(
  state: SessionState,
  code: CloseCode,
  reason: string,
  messages: readonly SessionMessage[] = [],
): SessionStep {
  const closed: SessionState = {
    ...state,
    phase: 'closed',
    identity: undefined,
    verification: undefined,
    subscriptions: new Map(),
  };
  return { state: closed, messages, effects: [{ kind: 'close', code, reason }] };
}

export function closeForAuthentication(
  state: SessionState,
  reason: string,
  messages: readonly SessionMessage[] = [],
): SessionStep {
  return close(state, CLOSE_CODES.authentication, reason, messages);
}
