import type { FilterOperator } from '../../query/filter/operator-names.ts';
import type { Transition } from '../../record/change.ts';
import type { RowRule, RowRuleWithFields } from '../../record/visibility/visibility.ts';
import type { ErrorDeclaration } from '../../wire/discovery/errors-model.ts';
import type { EventEncoding } from '../../wire/message/shared-models.ts';
import type { Release } from '../../wire/release/release.ts';
import type { AnyRecord, RecordModel } from '../schema/record-model.ts';

/** The states of a record around a change, without hidden fields; `before` is absent for a create, `after` for a delete. */
export interface StateChange<RecordType = AnyRecord> {
  /** The record before the change; undefined for a create. */
  readonly before?: RecordType | undefined;
  /** The record after the change; undefined for a delete. */
  readonly after?: RecordType | undefined;
}

/** Event data that the implementer makes. */
export interface Projection<RecordType = AnyRecord> {
  /** What the event's `data` looks like; the event advertises the schema that is made from it. */
  readonly model: RecordModel;
  /** Pure; returns what `model` describes, or undefined for an event without data. */
  readonly project: (change: StateChange<RecordType>) => unknown;
}

/** One kind of event of a resource. */
export interface EventDeclaration<RecordType = AnyRecord> {
  /** What happened to the record: `create`, `update` or `delete` (protocol section 2, `state_transition`). */
  readonly transition: Transition;
  /**
   * For people, in the discovery document.
   * @default none
   */
  readonly description?: string;
  /**
   * The event's `data`: the record (after a create or update, before a delete), nothing, or a projection.
   * @default 'record'
   */
  readonly carries?: 'record' | 'nothing' | Projection<RecordType>;
  /**
   * Whether the data is a tombstone.
   * @default true for a delete, else false
   */
  readonly tombstone?: boolean;
}

/** A representation other than `application/json`. */
export interface RepresentationDeclaration<PermissionName extends string = string> {
  /** Such as `text/csv`; not `application/json`, which every resource has. */
  readonly mediaType: string;
  /** All are needed to get it, besides the read permissions. It shows the hidden fields that need no others. @default none */
  readonly permissions?: readonly PermissionName[];
  /** What one record looks like in this representation; the representation advertises the schema that is made from it. */
  readonly model: RecordModel;
  /**
   * For people, in the discovery document.
   * @default none
   */
  readonly description?: string;
}

/** One resource: its record, who may read it, and what can be queried. */
export interface ResourceDeclaration<
  PermissionName extends string = string,
  Model = RecordModel,
  ShownRecord = AnyRecord,
> {
  /**
   * For people, in the discovery document.
   * @default none
   */
  readonly description?: string;
  /** The record, as served and stored. */
  readonly model: Model;
  /**
   * JSON Pointer of the record's id: required, and in all records a string, or in all of them an integer. A model that admits both is
   * refused, because 42 and "42" would be one record.
   * @default '/id'
   */
  readonly id?: string;
  /** At least one; all are needed together to read. */
  readonly readPermissions: readonly PermissionName[];
  /**
   * All are needed together to subscribe; if empty, any authenticated principal may.
   * @default the read permissions
   */
  readonly subscribePermissions?: readonly PermissionName[];
  /**
   * JSON Pointer to operators; 'all' means every operator that can match the field's type.
   * @default no field
   */
  readonly filterable?: Readonly<Record<string, 'all' | readonly FilterOperator[]>>;
  /**
   * JSON Pointers.
   * @default no field
   */
  readonly sortable?: readonly string[];
  /**
   * By event name, such as `station.created`.
   * @default no event
   */
  readonly events?: Readonly<Record<string, EventDeclaration<ShownRecord>>>;
  /**
   * Whether subscriptions may carry a filter.
   * @default true if there is exactly one event for each transition
   */
  readonly eventFiltering?: boolean;
  /**
   * Which rows a principal may see, in lists, items and events alike. A resource with events then needs one event for each
   * transition, because a record that becomes visible to a principal is a create, and one that stops being visible is a delete. A store
   * can filter by the `fields` of a rule, which `parseRowRule` gives too. If the rule is only a function, its fields have to be in
   * `filterable`.
   * @default all of them
   */
  readonly visible?: RowRule<PermissionName> | RowRuleWithFields<PermissionName>;
  /**
   * JSON Pointers of fields, and the permissions that are needed together to see them, besides the read permissions. `application/json`
   * and event data leave these fields out, and so does every representation that does not need these permissions. Without the permissions
   * nobody can filter or sort by them. The model has to declare them as plain members.
   * @default no field
   */
  readonly hidden?: Readonly<Record<string, readonly PermissionName[]>>;
  /** @default only `application/json` */
  readonly representations?: readonly RepresentationDeclaration<PermissionName>[];
  /** @default `{jsonApi}/{name}` */
  readonly collectionUrl?: string;
  /** @default `{jsonApi}/{name}/{id}` */
  readonly itemUrlTemplate?: string;
}

/** Page size, and times in whole milliseconds; each has a default. */
export interface LimitsDeclaration {
  /**
   * The largest `limit` of a list, in records; at least 1. Lists without one give at most 50.
   * @default 200
   */
  readonly maxPageSize?: number;
  /**
   * How long a connection may take to authenticate before it is closed with 4408. At least 1,000.
   * @default 10_000
   */
  readonly authenticationTimeoutMs?: number;
  /**
   * How long one side may be silent before it has to send a ping. At least 1,000.
   * @default 30_000
   */
  readonly heartbeatIntervalMs?: number;
  /**
   * How long the pong may take before the connection counts as lost. At least 1,000, at most the interval.
   * @default 10_000
   */
  readonly heartbeatTimeoutMs?: number;
  /**
   * The shortest delay before a client reconnects. At least 100.
   * @default 500
   */
  readonly reconnectMinDelayMs?: number;
  /**
   * The longest delay before a client reconnects. At least 1,000, and at least the shortest.
   * @default 30_000
   */
  readonly reconnectMaxDelayMs?: number;
  /**
   * How long clients wait before they read the discovery document again. At least 1,000.
   * @default 3_600_000
   */
  readonly discoveryRefreshAfterMs?: number;
}

/** An OAuth 2.0 authorization server. */
export interface AuthorizationServer {
  /**
   * An https URL of the server's metadata, such as `https://id.example/.well-known/oauth-authorization-server`.
   * @see RFC 8414
   */
  readonly metadataUrl: string;
}

/** How principals authenticate (protocol section 4). */
export interface AuthenticationDeclaration {
  /**
   * Shared tokens, which are handed out outside of the protocol. At least one of the two methods is needed.
   * @default false
   */
  readonly sharedToken?:
    | boolean
    | {
        /**
         * How to get a token; for people.
         * @default none
         */
        readonly description?: string;
      };
  /**
   * Access tokens of OAuth 2.0 authorization servers: of one or of several, by the URLs of their RFC 8414 metadata.
   * @default none
   */
  readonly oauth2?: AuthorizationServer | readonly AuthorizationServer[];
  /**
   * Whether discovery is served without credentials.
   * @default true
   */
  readonly discoveryPublic?: boolean;
}

/** Where things are served; each default follows from `baseUrl`. */
export interface UrlsDeclaration {
  /**
   * The discovery document, https.
   * @default `/.well-known/rostack` at the origin of `baseUrl`
   */
  readonly discovery?: string;
  /**
   * The JSON API, https; the URLs of resources begin with it by default.
   * @default `{baseUrl}/api`
   */
  readonly jsonApi?: string;
  /**
   * The WebSocket gateway, wss.
   * @default `{baseUrl}/gateway` with `wss`
   */
  readonly websocket?: string;
  /** Folder of the owned schemas. @default `{baseUrl}/schemas/{apiVersion}` */
  readonly schemas?: string;
}

/** The input of `defineImplementation`. */
export interface ImplementationDeclaration<
  PermissionName extends string = string,
  Resources = Readonly<Record<string, ResourceDeclaration<PermissionName>>>,
  DeclaredRelease extends Release = Release,
> {
  /**
   * The release whose discovery document is served; the rest is declared the same for each.
   * @default '2026-08-13'
   */
  readonly release?: DeclaredRelease;
  /** Stable id of the implementation, such as `observatory`. */
  readonly id: string;
  /** For people. */
  readonly name: string;
  /** Opaque; changes with every breaking change. Printable ASCII without a space at either end, since a header field carries it. */
  readonly apiVersion: string;
  /** A URL of documentation for people, such as `https://observatory.example/docs`. */
  readonly documentationUrl: string;
  /** An https URL without query, such as `https://observatory.example`. */
  readonly baseUrl: string;
  /**
   * Where things are served.
   * @default all below `baseUrl`, see each
   */
  readonly urls?: UrlsDeclaration;
  /** @default shared tokens, public discovery */
  readonly authentication?: AuthenticationDeclaration;
  /** Permission name, such as `stations:read`, to a text for people. */
  readonly permissions: Readonly<Record<PermissionName, string>>;
  /**
   * Page size, heartbeat and reconnection, as the discovery document advertises them.
   * @default see each
   */
  readonly limits?: LimitsDeclaration;
  /** @default both */
  readonly eventEncodings?: readonly EventEncoding[];
  /**
   * Whether the gateway offers permessage-deflate. What subscribers share is compressed once for all of them; reading what
   * a client compresses takes about 18 KiB of memory per connection.
   * @default false
   */
  readonly compression?: boolean;
  /** Not in release 2026-08-12, which has no place for it. @default everything that a server of this protocol can send */
  readonly errors?: ErrorDeclaration;
  /**
   * Other API versions of the same data that are served elsewhere.
   * @default none
   */
  readonly alternateVersions?: readonly {
    /** Opaque, as `implementation.api_version` of the other document has it. */
    readonly apiVersion: string;
    /** The https URL of the other discovery document. */
    readonly discoveryUrl: string;
  }[];
  /** By resource name, such as `stations`; at least one. */
  readonly resources: Resources;
  /**
   * Schemas that others refer to, by name: `^[a-z][a-z0-9-]*$`, not the name of a resource. A model's `$ref` leads to one by its file name,
   * `address.schema.json`, and to that of a resource's records in the same way. Each is served at its own URL.
   * @default none
   */
  readonly schemas?: Readonly<Record<string, RecordModel>>;
}
