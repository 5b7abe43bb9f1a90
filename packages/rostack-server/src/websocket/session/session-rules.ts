import type { EventEncoding, EventPosition, FilterOperator, Release, Resource } from 'rostack-core';
import type { WebSocketLimits } from '../options/websocket-limits.ts';

export type CursorReading =
  | { readonly kind: 'position'; readonly from: EventPosition }
  | { readonly kind: 'cursor_scope_mismatch' | 'cursor_unavailable' };

/** Binds cursors to implementation, API version, resource and principal (protocol section 7). */
export interface CursorScope {
  /** Tag of all cursors of one resource for one principal. */
  tag(resource: string, principalId: string): string;
  read(cursor: string, scopeTag: string): CursorReading;
}

/** The rules of every session of a gateway: the discovery document's promises and the configured limits. */
export interface SessionRules {
  readonly apiVersion: string;
  /** That of the discovery document, which decides how filters are read. */
  readonly release: Release;
  readonly resources: ReadonlyMap<string, Resource>;
  readonly filterOperators: readonly FilterOperator[];
  readonly eventEncodings: ReadonlySet<EventEncoding>;
  readonly authenticationTimeoutMs: number;
  readonly heartbeatIntervalMs: number;
  readonly heartbeatTimeoutMs: number;
  readonly cursors: CursorScope;
  readonly limits: Pick<
    WebSocketLimits,
    | 'maxSubscriptions'
    | 'messageRate'
    | 'subscribeRate'
    | 'maxRateViolations'
    | 'maxInvalidMessages'
    | 'maxPermissionRefusals'
  >;
}
