import type { Filter } from '../../query/filter/filter.ts';
import type { SortKey } from '../../query/sort/sort.ts';
import { isObject } from '../../schema/graph/json-schema.ts';
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

/** A field that can only be seen, filtered and sorted by with permissions beyond those of its resource. */
export interface HiddenField {
  /** JSON Pointer. */
  readonly pointer: string;
  /** The pointer's reference tokens, unescaped. */
  readonly path: readonly string[];
  /** All are needed together. */
  readonly permissions: readonly string[];
}

/** The record without the fields; objects on the way to them stay. */
export function withoutFields(record: JsonObject, fields: readonly Pick<HiddenField, 'path'>[]): JsonObject {
  return fields.reduce((rest, { path }) => withoutField(rest, path), record);
}

function withoutField(record: JsonObject, [name = '', ...deeper]: readonly string[]): JsonObject {
  if (!Object.hasOwn(record, name)) return record;
  const { [name]: value = null, ...others } = record;
  if (deeper.length === 0) return others;
  return isObject(value) ? { ...record, [name]: withoutField(value, deeper) } : record;
}

/** The fields in use that are hidden from a principal with only these permissions. */
export function hiddenFrom(
  permissions: ReadonlySet<string>,
  hidden: readonly HiddenField[],
  { filter, sort = [] }: { readonly filter?: Filter | undefined; readonly sort?: readonly SortKey[] },
): readonly HiddenField[] {
  const used = [...sort.map(({ pointer }) => pointer), ...(filter === undefined ? [] : fieldsOf(filter))];
  return hidden.filter(
    ({ pointer, permissions: needed }) =>
      needed.some((name) => !permissions.has(name)) &&
      used.some((each) => each === pointer || each.startsWith(`${pointer}/`)),
  );
}

function fieldsOf(filter: Filter): string[] {
  if (filter.kind === 'comparison') return [filter.pointer];
  return (filter.kind === 'not' ? [filter.filter] : filter.filters).flatMap(fieldsOf);
}
