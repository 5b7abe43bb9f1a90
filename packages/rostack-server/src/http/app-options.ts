import type {
  AnyDiscoveryDocument,
  ImplementationTypes,
  ImplementedResource,
  JsonObject,
  JsonSchema,
  JsonValue,
  RecordSource,
  Typed,
} from 'rostack-core';
import type { Authenticator } from '../auth/index.ts';
import type { RateLimiter } from '../rate-limit/index.ts';
import type { ClientAddress } from './client-address.ts';
import type { CorsOptions } from './cors.ts';
import type { CursorKeys } from './cursors.ts';
import type { HttpHooks } from './hooks.ts';

/** What `defineImplementation` of rostack-core returns, as far as the app needs it. */
export interface ServedImplementation {
  /** The document that is served, and that the app keeps to. */
  readonly discovery: AnyDiscoveryDocument;
  /** The owned schemas by the URL that they are advertised at. */
  readonly schemas: ReadonlyMap<string, JsonSchema>;
  /** By name: which rows and fields a principal may see of each. */
  readonly resources: Readonly<
    Record<string, Pick<ImplementedResource, 'visible' | 'hidden' | 'requires' | 'schema' | 'schemaUrl'>>
  >;
}

/**
 * Turns a stored record into the JSON of another representation than `application/json`. The record is without the hidden fields that
 * need other permissions than the representation does.
 */
export type RecordRenderer = (record: JsonObject) => JsonValue;

/** By resource name, then by media type. */
export type RecordRenderers = Readonly<Record<string, Readonly<Record<string, RecordRenderer>>>>;

/** Renderers of an implementation: one for each representation, where the compiler knows them. */
export type RenderersOf<Types extends ImplementationTypes> = string extends keyof Types
  ? RecordRenderers
  : {
      readonly [Name in keyof Types as keyof Types[Name]['representations'] extends never ? never : Name]: {
        readonly [MediaType in keyof Types[Name]['representations']]: (
          record: Types[Name]['representations'][MediaType]['from'],
        ) => Types[Name]['representations'][MediaType]['to'];
      };
    };

/** What the HTTP part of an implementation needs. */
export interface RostackAppOptions<Types extends ImplementationTypes = ImplementationTypes> {
  /** What `defineImplementation` returns. */
  readonly implementation: ServedImplementation & Typed<Types>;
  /** The records of each resource. */
  readonly sources: (resourceName: keyof Types & string) => RecordSource;
  /** At least one for each method that discovery lists, and none for others. */
  readonly authenticators: readonly Authenticator[];
  /** Keep page and event cursors from being read and forged; the same for every server of the implementation. */
  readonly cursorKeys: CursorKeys;
  /**
   * How records become each representation besides `application/json`, and no other.
   * @default none, where the resources have only `application/json`
   */
  readonly renderers?: RenderersOf<Types>;
  /**
   * Values of `Host` that are answered, with the port where it is not the scheme's own; `any` where a proxy checks them.
   * @default the hosts of the advertised URLs
   */
  readonly hosts?: readonly string[] | 'any';
  /**
   * Path that a proxy, or the app around, takes off the front of the advertised paths, such as `/rostack`; `/.well-known/rostack` is
   * answered as it is. @default ''
   */
  readonly strippedPathPrefix?: string;
  /** @default no cross-origin access */
  readonly cors?: CorsOptions;
  /** @default no limit */
  readonly rateLimiter?: RateLimiter;
  /** @default the address of the connection under `@hono/node-server` */
  readonly clientAddress?: ClientAddress;
  /**
   * Calls for logs and metrics.
   * @default none
   */
  readonly hooks?: HttpHooks;
  /**
   * For how long clients may use discovery without asking again, in s; at least 0.
   * @default 60
   */
  readonly discoveryMaxAgeSeconds?: number;
  /**
   * For how long clients may use an owned schema without asking again, in s; at least 0.
   * @default 3600
   */
  readonly schemaMaxAgeSeconds?: number;
  /**
   * Memory for ready pages, in bytes; 0 keeps none.
   * @default 67108864 (64 MiB)
   */
  readonly pageCacheMaxBytes?: number;
  /**
   * Longest wait for a record source, in ms; then service-unavailable. At least 1.
   * @default 10000
   */
  readonly sourceTimeoutMs?: number;
  /**
   * What service-unavailable tells clients to wait, in ms; at least 0.
   * @default 1000
   */
  readonly retryAfterMs?: number;
  /** Milliseconds since the epoch. @default Date.now */
  readonly clock?: () => number;
  /** @default random UUIDs */
  readonly makeRequestId?: () => string;
}
