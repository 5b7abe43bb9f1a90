import {
  type AuthenticateMessage,
  CLOSE_CODES,
  createErrorMessage,
  evaluatePermission,
  hiddenFrom,
  jsonEquals,
  type Principal,
} from 'rostack-core';
import type { AuthenticationResult, Credential } from '../../auth/authenticator.ts';
import type { Instant } from '../options/clock.ts';
import type { VerificationResult } from './session-input.ts';
import type { SessionRules } from './session-rules.ts';
import {
  close,
  closeForAuthentication,
  type Identity,
  keep,
  type SessionEffect,
  type SessionMessage,
  type SessionState,
  type SessionStep,
  type SubscriptionState,
  send,
} from './session-state.ts';

/** Starts to verify a first or a new credential; one with a method that is not offered is refused like any other. */
export function authenticate(
  state: SessionState,
  { method, token }: AuthenticateMessage,
  at: Instant,
): SessionStep {
  const { identity } = state;
  if (identity !== undefined && identity.principal.method !== method) return refuseIdentity(state);
  const attempt = state.attempts + 1;
  const verification = { attempt, method, startedAtMs: at.monotonicMs };
  return send(
    { ...state, attempts: attempt, verification },
    [],
    [{ kind: 'verify', attempt, method, token }],
  );
}

/** Handles the result of one attempt; results of earlier attempts are ignored. */
export function verified(
  rules: SessionRules,
  state: SessionState,
  attempt: number,
  result: VerificationResult,
  at: Instant,
): SessionStep {
  if (state.verification?.attempt !== attempt) return keep(state);
  const settled: SessionState = { ...state, verification: undefined };
  switch (result.kind) {
    case 'authenticated':
      return isExpired(result.credential, at) ? refuse(settled) : accept(rules, settled, result.credential);
    case 'refused':
      return refuse(settled);
    case 'rate_limited':
      return answerRateLimited(settled, result.retryAfterMs);
    case 'unavailable':
      return answerUnavailable(settled, result.retryAfterMs);
    default:
      return closeForTooManyConnections(settled, result.retryAfterMs);
  }
}

/** Handles a recheck of the active credential: it may be revoked, have lost permissions, or show other rows. */
export function rechecked(
  rules: SessionRules,
  state: SessionState,
  result: AuthenticationResult,
  at: Instant,
): SessionStep {
  const { identity } = state;
  if (identity === undefined) return keep(state);
  if (result.kind === 'refused') return closeForAuthentication(state, 'credential revoked');
  if (result.kind !== 'authenticated') return keep(state);
  const { credential } = result;
  if (isExpired(credential, at)) return closeForAuthentication(state, 'credential expired');
  if (credential.principal.id !== identity.principal.id) {
    return closeForAuthentication(state, 'credential revoked');
  }
  if (!isSame(identity, credential)) return adopt(rules, state, credential, []);
  // A row rule may depend on more than the credential.
  const ended = endedSubscriptions(rules, state, credential.principal);
  return ended.length === 0 ? keep(state) : endThem(state, ended);
}

/** The answer if the credential cannot be verified now, or that takes too long. */
export function answerUnavailable(state: SessionState, retryAfterMs: number): SessionStep {
  const message = createErrorMessage('service_unavailable', {
    message: 'Credentials cannot be verified now: try again later.',
    retry_after_ms: retryAfterMs,
  });
  const settled: SessionState = { ...state, verification: undefined };
  return state.identity === undefined
    ? close(settled, CLOSE_CODES.transient, 'credentials cannot be verified now', [message])
    : send(settled, [message]);
}

function closeForTooManyConnections(state: SessionState, retryAfterMs: number): SessionStep {
  const message = createErrorMessage('rate_limited', {
    message: 'This principal has as many connections as are allowed: close one first.',
    retry_after_ms: retryAfterMs,
  });
  return close(state, CLOSE_CODES.rateLimit, 'too many connections', [message]);
}

function accept(rules: SessionRules, state: SessionState, credential: Credential): SessionStep {
  const { principal, expiresAtMs } = credential;
  const { identity } = state;
  if (
    identity !== undefined &&
    (identity.principal.id !== principal.id || identity.principal.method !== principal.method)
  ) {
    return refuseIdentity(state);
  }
  const authenticated: SessionMessage = {
    type: 'authenticated',
    method: principal.method,
    protocol_version: 'rostack_v1',
    api_version: rules.apiVersion,
    principal_id: principal.id,
    ...(expiresAtMs === undefined ? {} : { reauthenticate_at: new Date(expiresAtMs).toISOString() }),
  };
  return adopt(rules, state, credential, [authenticated]);
}

/** Makes a credential the active one, and ends the subscriptions that it does not permit or for which it shows other rows. */
function adopt(
  rules: SessionRules,
  state: SessionState,
  credential: Credential,
  messages: readonly SessionMessage[],
): SessionStep {
  const { principal, expiresAtMs } = credential;
  const adopted: SessionState = { ...state, identity: { principal, expiresAtMs } };
  const step = endThem(adopted, endedSubscriptions(rules, state, principal));
  return send(step.state, [...messages, ...step.messages], [{ kind: 'adopt', credential }, ...step.effects]);
}

interface EndedSubscription extends Pick<SubscriptionState, 'ticket'> {
  readonly subscriptionId: string;
  readonly error: SessionMessage;
}

function endedSubscriptions(
  rules: SessionRules,
  { subscriptions }: SessionState,
  principal: Principal,
): readonly EndedSubscription[] {
  const digests = new Map<string, string>();
  const digestOf = (resource: string): string => {
    const digest = digests.get(resource) ?? rules.visibilityOf(resource, principal).digest;
    digests.set(resource, digest);
    return digest;
  };
  return [...subscriptions.values()].flatMap(({ ticket, requested }) => {
    const { subscriptionId, resource, visibility, filter } = requested;
    const isPermitted =
      evaluatePermission(principal, resource, 'subscribe').kind === 'granted' &&
      hiddenFrom(principal.permissions, rules.hiddenFields(resource.name), { filter }).length === 0;
    if (isPermitted && digestOf(resource.name) === visibility.digest) return [];
    const error = isPermitted ? otherRows(subscriptionId) : revocationOf(subscriptionId);
    return [{ ticket, subscriptionId, error }];
  });
}

function endThem(state: SessionState, ended: readonly EndedSubscription[]): SessionStep {
  if (ended.length === 0) return keep(state);
  const subscriptions = new Map(state.subscriptions);
  for (const { subscriptionId } of ended) subscriptions.delete(subscriptionId);
  return send(
    { ...state, subscriptions },
    ended.map(({ error }) => error),
    ended.map(({ subscriptionId, ticket }): SessionEffect => ({ kind: 'stop', subscriptionId, ticket })),
  );
}

function revocationOf(subscriptionId: string): SessionMessage {
  return createErrorMessage('permission_revoked', {
    subscription_id: subscriptionId,
    message: 'The credential no longer permits this subscription.',
  });
}

/** The log has no events for rows that become visible or invisible this way. */
function otherRows(subscriptionId: string): SessionMessage {
  return createErrorMessage('cursor_unavailable', {
    subscription_id: subscriptionId,
    message:
      'The credential shows other records than before: take a new snapshot and subscribe from its event_cursor.',
  });
}

function refuseIdentity(state: SessionState): SessionStep {
  return send(state, [
    createErrorMessage('reauthentication_identity_mismatch', {
      message:
        'Another method or principal: authenticate again as the same principal, or open a new connection.',
    }),
  ]);
}

function refuse(state: SessionState): SessionStep {
  const message = createErrorMessage('authentication_failed', {
    message: 'The credential was not accepted.',
  });
  return state.identity === undefined
    ? closeForAuthentication(state, 'authentication failed', [message])
    : send(state, [message]);
}

/** The answer to a refused credential if too many were refused for its address; an active credential stays active. */
function answerRateLimited(state: SessionState, retryAfterMs: number): SessionStep {
  const message = createErrorMessage('rate_limited', {
    message: 'Too many failed authentications came from this address: wait.',
    retry_after_ms: retryAfterMs,
  });
  return state.identity === undefined
    ? close(state, CLOSE_CODES.rateLimit, 'too many failed authentications', [message])
    : send(state, [message]);
}

function isSame({ principal, expiresAtMs }: Identity, credential: Credential): boolean {
  const { permissions, claims = NO_CLAIMS } = credential.principal;
  return (
    expiresAtMs === credential.expiresAtMs &&
    jsonEquals(claims, principal.claims ?? NO_CLAIMS) &&
    permissions.size === principal.permissions.size &&
    [...permissions].every((name) => principal.permissions.has(name))
  );
}

const NO_CLAIMS = {};

function isExpired({ expiresAtMs }: Credential, at: Instant): boolean {
  return expiresAtMs !== undefined && expiresAtMs <= at.wallMs;
}
