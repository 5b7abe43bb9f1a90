import {
  aFunction,
  type ImplementationTypes,
  listOf,
  type OptionChecks,
  objectWith,
  optional,
  optionsOf,
  type RecordSource,
  type Typed,
} from 'rostack-core';
import { type Authenticator, anAuthenticator } from '../auth/authenticator.ts';
import { aRateLimiter, aStrippedPrefix, servedHosts } from '../guard/option-checks.ts';
import type { RateLimiter } from '../rate-limit/index.ts';
import { type CursorKeys, cursorKeys } from './cursor-keys.ts';
import type { GatewayHooks } from './gateway-hooks.ts';
import type { HttpHooks } from './http-hooks.ts';
import { anImplementation, type ServedImplementation } from './served-implementation.ts';

/** Where the records come from: a store such as that of rostack-store, or a function that returns the source of a resource by name. */
export type RecordSources<Types extends ImplementationTypes = ImplementationTypes> =
  | {
      readonly store: { source(resourceName: NoInfer<keyof Types & string>): RecordSource };
      readonly sources?: undefined;
    }
  | {
      readonly sources: (resourceName: NoInfer<keyof Types & string>) => RecordSource;
      readonly store?: undefined;
    };

/** Calls for logs and metrics, of HTTP and WebSocket. */
export type ServedHooks = HttpHooks & GatewayHooks;

/** The options of an implementation that are the same wherever it is served: over HTTP, over WebSocket, or both. */
export type ServedOptions<Types extends ImplementationTypes = ImplementationTypes> = RecordSources<Types> & {
  /** What `defineImplementation` returns. */
  readonly implementation: ServedImplementation & Typed<Types>;
  /** At least one for each method that discovery lists, and none for others. */
  readonly authenticators: readonly Authenticator[];
  /** Keys that keep page and event cursors from being read or forged; the same for every server of the implementation. */
  readonly cursorKeys: CursorKeys;
  /**
   * Accepted values of `Host`, with the port unless it is the scheme's default; `any` if a proxy checks them.
   * @default the hosts of the advertised URLs
   */
  readonly hosts?: readonly string[] | 'any';
  /**
   * Path that a proxy, or the surrounding app, strips from the front of the advertised paths, such as `/rostack`; `/.well-known/rostack` is
   * answered unchanged.
   * @default ''
   */
  readonly strippedPathPrefix?: string;
  /** Counts requests over HTTP, and failed authentications over HTTP and WebSocket. @default no limit */
  readonly rateLimiter?: RateLimiter;
  /** Calls for logs and metrics; each part calls its own ones. @default none */
  readonly hooks?: ServedHooks;
};

const callback = optional(aFunction);

/** @see ServedOptions */
export const servedOptions: OptionChecks<ServedOptions> = {
  implementation: anImplementation,
  store: optional(objectWith('source')),
  sources: optional(aFunction),
  authenticators: listOf(anAuthenticator),
  cursorKeys,
  hosts: servedHosts,
  strippedPathPrefix: aStrippedPrefix,
  rateLimiter: optional(aRateLimiter),
  hooks: optional(
    optionsOf<ServedHooks>({
      onRequest: callback,
      onError: callback,
      onAlarm: callback,
      onUpgradeRefused: callback,
      onConnected: callback,
      onAuthenticated: callback,
      onAuthenticationFailed: callback,
      onErrorSent: callback,
      onClosed: callback,
      onDelivered: callback,
    }),
  ),
};

/** A sentence if there is no source of records, or two of them. */
export function sourcesFault({ store, sources }: RecordSources): string | undefined {
  return (store === undefined) === (sources === undefined)
    ? 'Give either a store or sources: where the records come from.'
    : undefined;
}

/** The function that returns the source of each resource. */
export const sourcesOf = (from: RecordSources): ((resourceName: string) => RecordSource) =>
  from.sources ?? ((name) => from.store.source(name));

/** Picks the served options out of larger options. */
export const servedOptionsOf = (options: ServedOptions): ServedOptions =>
  Object.fromEntries(
    Object.entries(options).filter(([name]) => Object.hasOwn(servedOptions, name)),
  ) as unknown as ServedOptions;
