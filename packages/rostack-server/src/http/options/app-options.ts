import {
  anInteger,
  type GivenOptions,
  type ImplementationTypes,
  type JsonObject,
  type JsonValue,
  option,
} from 'rostack-core';
import type { ServedOptions } from '../../options/served-options.ts';
import type { ClientAddress } from '../request/client-address.ts';
import type { CorsOptions } from '../request/cors.ts';
import type { SharingOptions } from './sharing-options.ts';

/**
 * Turns a stored record into the JSON of a representation other than `application/json`. The record lacks the hidden fields that need
 * permissions beyond those of the representation.
 */
export type RecordRenderer = (record: JsonObject) => JsonValue;

/** By resource name, then by media type. */
export type RecordRenderers = Readonly<Record<string, Readonly<Record<string, RecordRenderer>>>>;

/** The renderers of an implementation: one for each representation, if the compiler knows them. */
export type RenderersOf<Types extends ImplementationTypes> = string extends keyof Types
  ? RecordRenderers
  : {
      readonly [Name in keyof Types as keyof Types[Name]['representations'] extends never ? never : Name]: {
        readonly [MediaType in keyof Types[Name]['representations']]: (
          record: Types[Name]['representations'][MediaType]['from'],
        ) => Types[Name]['representations'][MediaType]['to'];
      };
    };

/** How long answers may be cached, and how long they may take. */
export const HTTP_NUMBERS = {
  /**
   * How long clients may use discovery without revalidating, in s; at least 0.
   * @default 60
   */
  discoveryMaxAgeSeconds: option(anInteger(0), 60),
  /**
   * How long clients may use an owned schema without revalidating, in s; at least 0.
   * @default 3600
   */
  schemaMaxAgeSeconds: option(anInteger(0), 3_600),
  /**
   * Memory for cached pages, in bytes; 0 caches none.
   * @default 67108864 (64 MiB)
   */
  pageCacheMaxBytes: option(anInteger(0), 64 * 1_048_576),
  /**
   * Longest wait for a record source, in ms; then service-unavailable. At least 1.
   * @default 10000
   */
  sourceTimeoutMs: option(anInteger(1), 10_000),
  /**
   * How long service-unavailable asks clients to wait, in ms; at least 0.
   * @default 1000
   */
  retryAfterMs: option(anInteger(0), 1_000),
};

/** How records are shown over HTTP. */
export interface HttpSettings<Types extends ImplementationTypes = ImplementationTypes>
  extends GivenOptions<typeof HTTP_NUMBERS> {
  /**
   * Renderers for all representations besides `application/json`, and for no others.
   * @default none, if the resources only have `application/json`
   */
  readonly renderers?: RenderersOf<Types>;
  /** @default no cross-origin access */
  readonly cors?: CorsOptions;
  /**
   * Lists that a cache may share. Only for a cache that asks `audiencePath` for each request: any other would return pages to revoked
   * credentials.
   * @default none: lists are private
   */
  readonly sharing?: SharingOptions;
  /** @default random UUIDs */
  readonly makeRequestId?: () => string;
}

/** What the HTTP part of an implementation needs. */
export type RostackAppOptions<Types extends ImplementationTypes = ImplementationTypes> =
  ServedOptions<Types> &
    HttpSettings<Types> & {
      /** The client's address, for the limiter. @default the address of the connection under `@hono/node-server` */
      readonly clientAddress?: ClientAddress;
      /** Milliseconds since the epoch. @default Date.now */
      readonly clock?: () => number;
    };
