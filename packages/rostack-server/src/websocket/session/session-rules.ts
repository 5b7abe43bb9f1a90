import type {
  Collations,
  EventEncoding,
  EventPosition,
  FilterOperator,
  HiddenField,
  Principal,
  Release,
  Resource,
  Visibility,
} from 'rostack-core';
import type { WebSocketLimits } from '../options/websocket-limits.ts';

export type CursorReading =
  | { readonly kind: 'position'; readonly from: EventPosition }
  | { readonly kind: 'cursor_scope_mismatch' | 'cursor_unavailable' };

/** Binds cursors to implementation, API version, resource, principal and visible rows (protocol section 7). */
export interface CursorScope {
  /** Tag of all cursors of one resource for one principal. @param rows `Visibility.digest` */
  tag(resource: string, principalId: string, rows: string): string;
  read(cursor: string, resource: string, scopeTag: string): CursorReading;
}

/** The rules of every session of a gateway: the discovery document's promises and the configured limits. */
export interface SessionRules {
  readonly apiVersion: string;
  /** The release of the discovery document, which decides how filters are read. */
  readonly release: Release;
  readonly resources: ReadonlyMap<string, Resource>;
  /** The rows of a resource that a principal may see now. @throws what the resource's rule throws */
  readonly visibilityOf: (resource: string, principal: Principal) => Visibility;
  /** The fields of each resource that are compared as numbers although they are strings. */
  readonly collations: ReadonlyMap<string, Collations>;
  /** The fields of a resource that need additional permissions. */
  readonly hiddenFields: (resource: string) => readonly HiddenField[];
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
