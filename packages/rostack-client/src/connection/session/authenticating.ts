import type { AuthenticatedMessage } from 'rostack-core';
import { CLOSE_CODES } from 'rostack-core/client';
import {
  AuthenticationError,
  type ClientError,
  ConnectionLostError,
  DiscoveryOutdatedError,
  type SubscriptionError,
} from '../../http/error/errors.ts';
import type { Credential } from '../credential/credentials.ts';
import {
  close,
  type Instant,
  type Renewal,
  refuse,
  type SessionRules,
  type SessionState,
  type SessionStep,
  step,
} from './session-state.ts';

/** A credential is renewed when this share of its time is left, but not earlier than `MAX_LEAD_MS` before its end. */
const LEAD_SHARE = 0.2;
const MAX_LEAD_MS = 60_000;
/** Time between two attempts to renew; a server that always says "now" gets no more than this. */
const MIN_RENEWAL_MS = 500;

/** Asks for the first credential, but not before the socket is open: a short-lived one must not expire while it opens. */
export function open(state: SessionState, at: Instant): SessionStep {
  if (state.phase !== 'connecting') return step(state);
  return step({ ...state, phase: 'waiting', sinceMs: at.monotonicMs }, [], [{ kind: 'ask' }]);
}

/** Sends a credential, the first or a renewed one. */
export function authenticate(state: SessionState, { method, token }: Credential, at: Instant): SessionStep {
  const messages = [{ type: 'authenticate', method, token }] as const;
  const sinceMs = at.monotonicMs;
  if (state.phase === 'waiting')
    return step({ ...state, phase: 'authenticating', sinceMs, method }, messages);
  if (state.renewal.kind !== 'renewing') return step(state);
  if (method !== state.method) return step(retryRenewal(state, at));
  return step({ ...state, renewal: { kind: 'replacing', sinceMs } }, messages);
}

/** Without the first credential there is no connection; if a renewed one is missing, it is tried again later. */
export function withoutCredential(state: SessionState, error: ClientError, at: Instant): SessionStep {
  if (state.phase === 'waiting') return close(state, CLOSE_CODES.transient, error);
  if (state.renewal.kind !== 'renewing') return step(state);
  return step(retryRenewal(state, at), [], [{ kind: 'complaint', error }]);
}

/** Asks for another credential when it is time. */
export function renewIfDue(state: SessionState, nowMs: number): SessionStep {
  if (state.renewal.kind !== 'due' || nowMs < state.renewal.atMs) return step(state);
  return step({ ...state, renewal: { kind: 'renewing' } }, [], [{ kind: 'ask' }]);
}

export function receiveAuthenticated(
  rules: SessionRules,
  state: SessionState,
  message: AuthenticatedMessage,
  at: Instant,
): SessionStep {
  const isFirst = state.phase === 'authenticating';
  if (!isFirst && state.renewal.kind !== 'replacing')
    return refuse(state, '"authenticated" was not asked for');
  if (message.method !== state.method) return refuse(state, '"authenticated" names another method');
  if (message.api_version !== rules.apiVersion) {
    const error = new DiscoveryOutdatedError(
      `the gateway speaks API version ${message.api_version}, discovery said ${rules.apiVersion}`,
    );
    return close(state, CLOSE_CODES.transient, error);
  }
  if (!isFirst && message.principal_id !== state.principalId) {
    return refuse(state, '"authenticated" names another principal than before');
  }
  const reauthenticateAtMs =
    message.reauthenticate_at === undefined ? undefined : Date.parse(message.reauthenticate_at);
  const next: SessionState = {
    ...state,
    phase: 'open',
    sinceMs: isFirst ? at.monotonicMs : state.sinceMs,
    principalId: message.principal_id,
    reauthenticateAtMs,
    renewal: rules.canRenew ? renewalBefore(reauthenticateAtMs, at) : { kind: 'none' },
  };
  return step(next, [], isFirst ? [{ kind: 'authenticated', principalId: message.principal_id }] : []);
}

/** Takes an error that concerns no subscription. */
export function receiveError(state: SessionState, error: SubscriptionError, at: Instant): SessionStep {
  if (state.phase !== 'open') {
    // Before a credential was sent, none can have been refused.
    if (state.phase === 'authenticating' && error.code === 'authentication_failed') {
      return close(state, CLOSE_CODES.authentication, new AuthenticationError(error.message));
    }
    return close(
      state,
      CLOSE_CODES.transient,
      new ConnectionLostError(4500, error.message, error.retryAfterMs),
    );
  }
  if (error.code === 'rate_limited') {
    // The server does not say which message it dropped, so it is no longer known what is subscribed.
    const lost = new ConnectionLostError(CLOSE_CODES.rateLimit, error.message, error.retryAfterMs);
    return close(state, CLOSE_CODES.transient, lost);
  }
  const complaint = { kind: 'complaint', error } as const;
  if (state.renewal.kind !== 'replacing') return step(state, [], [complaint]);
  // The old credential stays valid until it expires: another attempt is made before that.
  const isHopeless = error.code === 'reauthentication_identity_mismatch';
  return step(
    isHopeless ? { ...state, renewal: { kind: 'none' } } : retryRenewal(state, at),
    [],
    [complaint],
  );
}

function renewalBefore(reauthenticateAtMs: number | undefined, at: Instant): Renewal {
  if (reauthenticateAtMs === undefined) return { kind: 'none' };
  const leftMs = Math.max(reauthenticateAtMs - at.wallMs, 0);
  const leadMs = Math.min(leftMs * LEAD_SHARE, MAX_LEAD_MS);
  return { kind: 'due', atMs: at.monotonicMs + Math.max(leftMs - leadMs, MIN_RENEWAL_MS) };
}

/** Tries again after half of the time that is left, so that a temporary failure does not cost the connection. */
function retryRenewal(state: SessionState, at: Instant): SessionState {
  const leftMs = Math.max((state.reauthenticateAtMs ?? 0) - at.wallMs, 0);
  const waitMs = Math.max(Math.min(leftMs / 2, 10_000), MIN_RENEWAL_MS);
  return { ...state, renewal: { kind: 'due', atMs: at.monotonicMs + waitMs } };
}
