import { CLOSE_CODES, type ClientMessage } from 'rostack-core';
import { type ClientError, ProtocolViolationError } from '../error/index.ts';
import type { SessionEffect, SessionStep } from './session-output.ts';
import type { SessionState, SessionSubscription } from './session-state.ts';

export const step = (
  state: SessionState,
  messages: readonly ClientMessage[] = [],
  effects: readonly SessionEffect[] = [],
): SessionStep => ({ state, messages, effects });

export function close(state: SessionState, code: number, error: ClientError): SessionStep {
  return step({ ...state, phase: 'closed' }, [], [{ kind: 'close', code, error }]);
}

/** The server broke the protocol: nothing that it says on this connection counts any more. */
export function refuse(state: SessionState, what: string, subscriptionId?: string): SessionStep {
  return close(state, CLOSE_CODES.invalidMessage, new ProtocolViolationError(what, subscriptionId));
}

export function withSubscription(
  state: SessionState,
  subscriptionId: string,
  subscription: SessionSubscription | undefined,
): SessionState {
  const subscriptions = new Map(state.subscriptions);
  if (subscription === undefined) subscriptions.delete(subscriptionId);
  else subscriptions.set(subscriptionId, subscription);
  return { ...state, subscriptions };
}
