import { LRUCache } from 'lru-cache';
import {
  declaredErrors,
  decodeEventCursor,
  detectRelease,
  type EventCursorError,
  type EventCursorScope,
  eventScopeTag,
  hasCode,
  OptionsError,
  visibilityOf,
  type WebSocketErrorCode,
  type WebSocketOperation,
} from 'rostack-core';
import { authenticatorFaults } from '../auth/authenticator-faults.ts';
import type { HistoryTexts } from '../guard/history-texts.ts';
import { collationsOf, ruledResource } from '../guard/option-checks.ts';
import { undeclaredErrors } from '../guard/undeclared-errors.ts';
import type { Clock } from './options/clock.ts';
import { REFUSED } from './options/gateway-option-checks.ts';
import type { WebSocketGatewayOptions } from './options/gateway-options.ts';
import { Throttle } from './options/throttle.ts';
import type { WebSocketLimits } from './options/websocket-limits.ts';
import type { CursorScope, SessionRules } from './session/session-rules.ts';

/** Every error that a gateway may send, with the operation it is sent for. */
const SENT_ERRORS: Readonly<Record<WebSocketOperation, readonly WebSocketErrorCode[]>> = {
  authenticate: [
    'authentication_failed',
    'reauthentication_identity_mismatch',
    'rate_limited',
    'service_unavailable',
  ],
  subscribe: [
    'permission_denied',
    'resource_not_found',
    'unsupported_event_type',
    'unsupported_filter',
    'unsupported_encoding',
    'subscription_id_conflict',
    'cursor_scope_mismatch',
    'cursor_unavailable',
    'rate_limited',
    'service_unavailable',
  ],
  subscription: ['permission_revoked', 'cursor_unavailable', 'internal_error'],
  session: ['invalid_message', 'rate_limited'],
};

/**
 * Creates the rules of sessions from the discovery document and the limits.
 * @throws OptionsError `invalid_options`, with every fault
 */
export function createSessionRules(
  options: WebSocketGatewayOptions,
  limits: WebSocketLimits,
  histories: ReadonlyMap<string, HistoryTexts>,
  foreignScopes: ForeignScopes,
): SessionRules {
  const { implementation, cursorKeys } = options;
  const { discovery, schemas, resources } = implementation;
  const ruleFaults: string[] = [];
  const ruled = new Map(
    discovery.resources
      .filter(({ events }) => events.length > 0)
      .map(({ name }) => [name, ruledResource(name, resources, ruleFaults)]),
  );
  const declared = declaredErrors(discovery).websocket;
  const isDeclared = (operation: WebSocketOperation, error: WebSocketErrorCode): boolean =>
    declared.some(({ code, operations }) => code === error && operations.some((each) => each === operation));
  const faults = [
    ...ruleFaults,
    ...undeclaredErrors('websocket', SENT_ERRORS, isDeclared),
    ...authenticatorFaults(options),
    ...limitFaults(limits),
  ];
  if (faults.length > 0) throw new OptionsError(REFUSED, faults);
  const { websocket, filter_operators: filterOperators } = discovery.capabilities;
  const { id: implementationId, api_version: apiVersion } = discovery.implementation;
  const collations = new Map(
    discovery.resources.map((resource) => [
      resource.name,
      collationsOf(resource, schemas, resources[resource.name]),
    ]),
  );
  return {
    apiVersion,
    release: detectRelease(discovery),
    resources: new Map(discovery.resources.map((resource) => [resource.name, resource])),
    visibilityOf: (resource, principal) =>
      visibilityOf(ruled.get(resource)?.visible, principal, collations.get(resource)),
    hiddenFields: (resource) => ruled.get(resource)?.hidden ?? [],
    collations,
    filterOperators,
    eventEncodings: new Set(websocket.event_encodings),
    authenticationTimeoutMs: websocket.authentication_timeout_ms,
    heartbeatIntervalMs: websocket.heartbeat_interval_ms,
    heartbeatTimeoutMs: websocket.heartbeat_timeout_ms,
    cursors: createCursorScope({ implementationId, apiVersion }, cursorKeys.events, histories, foreignScopes),
    limits,
  };
}

function createCursorScope(
  implementation: Pick<EventCursorScope, 'implementationId' | 'apiVersion'>,
  key: Uint8Array,
  histories: ReadonlyMap<string, HistoryTexts>,
  foreignScopes: ForeignScopes,
): CursorScope {
  return {
    tag: (resource, principalId, rows) =>
      eventScopeTag({ ...implementation, resource, principalId, rows }, key),
    read: (cursor, resource, scopeTag) => {
      try {
        const from = decodeEventCursor(cursor, scopeTag, histories.get(resource)?.positions);
        foreignScopes.matched(scopeTag);
        return { kind: 'position', from };
      } catch (error) {
        if (!hasCode<EventCursorError>(error, 'cursor_scope_mismatch', 'cursor_unavailable')) throw error;
        if (error.code === 'cursor_scope_mismatch') foreignScopes.mismatched(scopeTag);
        return { kind: error.code };
      }
    },
  };
}

function limitFaults({ pauseAboveBytes, resumeBelowBytes }: WebSocketLimits): readonly string[] {
  return resumeBelowBytes > 0 && resumeBelowBytes <= pauseAboveBytes
    ? []
    : ['resumeBelowBytes must be above 0 and at most pauseAboveBytes.'];
}

/** This many cursors of another scope in a row are suspicious. */
const SUSPICIOUS = 3;
/** Cursors that arrive at the same time, as on a reconnection, count once. */
const APART_MS = 1_000;
const WINDOW_MS = 600_000;
const ALARM_PAUSE_MS = 60_000;
const MAX_SCOPES = 10_000;

interface Mismatches {
  readonly count: number;
  readonly atMs: number;
}

/**
 * Notices that the HTTP part signs its cursors with a different key. A client whose cursor has another scope takes a new snapshot and comes
 * back with a fresh cursor: if that one and the next one have another scope again, the keys differ.
 */
export class ForeignScopes {
  readonly #clock: Clock;
  readonly #onSuspicion: () => void;
  readonly #byScope = new LRUCache<string, Mismatches>({ max: MAX_SCOPES });
  readonly #alarms = new Throttle(ALARM_PAUSE_MS);

  /** @param onSuspicion called at most once a minute */
  constructor(clock: Clock, onSuspicion: () => void) {
    this.#clock = clock;
    this.#onSuspicion = onSuspicion;
  }

  /** Reports a cursor that did not belong to the scope in which it was used. */
  mismatched(scopeTag: string): void {
    const nowMs = this.#clock.monotonicMs();
    const known = this.#byScope.get(scopeTag);
    const before = known !== undefined && nowMs - known.atMs < WINDOW_MS ? known : undefined;
    if (before !== undefined && nowMs - before.atMs < APART_MS) return;
    const count = (before?.count ?? 0) + 1;
    this.#byScope.set(scopeTag, { count, atMs: nowMs });
    if (count >= SUSPICIOUS && this.#alarms.permits(nowMs)) this.#onSuspicion();
  }

  /** Reports a cursor that belonged to its scope, so the keys are the same. */
  matched(scopeTag: string): void {
    this.#byScope.delete(scopeTag);
  }
}
