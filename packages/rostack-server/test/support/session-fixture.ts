import { type JsonObject, parseRowRule, visibilityOf } from 'rostack-core';
import type { Credential } from '../../src/auth/index.ts';
import type { Instant } from '../../src/websocket/options/clock.ts';
import {
  DEFAULT_WEBSOCKET_LIMITS,
  type WebSocketLimits,
} from '../../src/websocket/options/websocket-limits.ts';
import type { SessionRules } from '../../src/websocket/session/session-rules.ts';
import { sampleDiscovery } from './sample-discovery.ts';

export const TIMEOUT_MS = 5_000;
export const INTERVAL_MS = 30_000;
export const PONG_MS = 10_000;

/** Shows principals with claims the stations of their region. */
const ROW_RULE = parseRowRule({ '/region': { eq: { principal: 'claims.region' } } }).rule;

/** Rules of the sample implementation; cursors read `<tag>@<position>`, any other text is unreadable. */
export function sessionRules(limits: Partial<WebSocketLimits> = {}): SessionRules {
  const discovery = sampleDiscovery();
  return {
    apiVersion: '1',
    release: '2026-08-13',
    resources: new Map(discovery.resources.map((resource) => [resource.name, resource])),
    visibilityOf: (_, principal) => visibilityOf(principal.claims && ROW_RULE, principal),
    collations: new Map(),
    hiddenFields: () => [],
    filterOperators: discovery.capabilities.filter_operators,
    eventEncodings: new Set(['json', 'compact-json']),
    authenticationTimeoutMs: TIMEOUT_MS,
    heartbeatIntervalMs: INTERVAL_MS,
    heartbeatTimeoutMs: PONG_MS,
    cursors: {
      tag: (resource, principalId, rows) => `${resource}/${principalId}${rows}`,
      read: (cursor, _resource, scopeTag) => {
        const [tag, position] = cursor.split('@');
        if (position === undefined) return { kind: 'cursor_unavailable' };
        if (tag !== scopeTag) return { kind: 'cursor_scope_mismatch' };
        return { kind: 'position', from: { epoch: 'e', position: Number(position), tag: '' } };
      },
    },
    limits: { ...DEFAULT_WEBSOCKET_LIMITS, ...limits },
  };
}

export const ALL_PERMISSIONS = ['stations:read', 'stations:subscribe'];

export function credentialOf(
  id = 'p',
  permissions: readonly string[] = ALL_PERMISSIONS,
  expiresAtMs?: number,
  claims?: JsonObject,
): Credential {
  return {
    principal: {
      id,
      method: 'shared_token',
      permissions: new Set(permissions),
      ...(claims !== undefined && { claims }),
    },
    credentialId: `token-of-${id}`,
    ...(expiresAtMs === undefined ? {} : { expiresAtMs }),
  };
}

/** A moment: the wall clock stands at 1,000,000 when the monotonic one stands at 0. */
export function instant(monotonicMs: number): Instant {
  return { monotonicMs, wallMs: 1_000_000 + monotonicMs };
}
