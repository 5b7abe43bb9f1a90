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

/** How long answers may be kept and take. */
export const HTTP_NUMBERS = {
  /**
   * For how long clients may use discovery without asking again, in s; at least 0.
   * @default 60
   */
  discoveryMaxAgeSeconds: option(anInteger(0), 60),
  /**
   * For how long clients may use an owned schema without asking again, in s; at least 0.
   * @default 3600
   */
  schemaMaxAgeSeconds: option(anInteger(0), 3_600),
  /**
   * Memory for ready pages, in bytes; 0 keeps none.
   * @default 67108864 (64 MiB)
   */
  pageCacheMaxBytes: option(anInteger(0), 64 * 1_048_576),
  /**
   * Longest wait for a record source, in ms; then service-unavailable. At least 1.
   * @default 10000
   */
  sourceTimeoutMs: option(anInteger(1), 10_000),
  /**
   * What service-unavailable tells clients to wait, in ms; at least 0.
   * @default 1000
   */
  retryAfterMs: option(anInteger(0), 1_000),
};

/** How records are shown over HTTP. */
export interface HttpSettings<Types extends ImplementationTypes = ImplementationTypes>
  extends GivenOptions<typeof HTTP_NUMBERS> {
  /**
   * How records become each representation besides `application/json`, and no other.
   * @default none, where the resources have only `application/json`
   */
  readonly renderers?: RenderersOf<Types>;
  /** @default no cross-origin access */
  readonly cors?: CorsOptions;
  /**
   * Lists that a cache may share. Only for one that asks `audiencePath` for each request: any other would give pages to credentials
   * that have been revoked.
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
