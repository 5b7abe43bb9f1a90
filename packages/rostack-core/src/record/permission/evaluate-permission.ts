import type { JsonObject } from '../../text/json.ts';

/** Who sends a request, as authenticated by the server. */
export interface Principal<PermissionName extends string = string> {
  /** Opaque and stable; holds no credential and no personal data. */
  readonly id: string;
  /** How it authenticated (protocol section 4). */
  readonly method: 'oauth2' | 'shared_token';
  /** Names from the permission registry: OAuth scopes, or the grants of a shared token. */
  readonly permissions: ReadonlySet<PermissionName>;
  /** What else the issuer says about it, such as the claims of an access token. For row rules; never logged, never sent. */
  readonly claims?: JsonObject;
}

/** What a principal wants to do with a resource; neither implies the other. */
export type ResourceOperation = 'read' | 'subscribe';

/** The part of a resource descriptor that decides about access. */
export interface GuardedResource {
  /** All of them are needed to list and to get. */
  readonly read_permissions: readonly string[];
  /** All of them are needed to subscribe; if empty, any authenticated principal may. */
  readonly subscribe_permissions: readonly string[];
}

/** The result; `permissions` are the missing ones, in the order of the resource. */
export type PermissionDecision =
  | { readonly kind: 'granted' }
  | { readonly kind: 'missing'; readonly permissions: readonly string[] }
  | { readonly kind: 'unauthenticated' };

/**
 * Decides whether a principal may read or subscribe to a resource: every listed permission is needed,
 * and an empty `subscribe_permissions` lets any authenticated principal subscribe.
 * Evaluate it before filtering, look-up, or any message that could reveal that something exists.
 * @see protocol section 3
 */
export function evaluatePermission(
  principal: Principal | undefined,
  resource: GuardedResource,
  operation: ResourceOperation,
): PermissionDecision {
  if (principal === undefined) return { kind: 'unauthenticated' };
  const needed = operation === 'read' ? resource.read_permissions : resource.subscribe_permissions;
  const permissions = needed.filter((name) => !principal.permissions.has(name));
  return permissions.length === 0 ? { kind: 'granted' } : { kind: 'missing', permissions };
}
