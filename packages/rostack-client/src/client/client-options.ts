import type { OptionCheck } from 'rostack-core';
import {
  aBoolean,
  aFunction,
  anInteger,
  aSignal,
  aString,
  checksOf,
  listOf,
  objectWith,
  optional,
  optionsOf,
} from 'rostack-core/client';
import { CLIENT_LIMITS, type ClientLimits } from '../connection/context/client-limits.ts';
import type { ConnectionStatus } from '../connection/link/connection-status.ts';
import type { ClientClock } from '../connection/platform/platform.ts';

/** See `ClientOptions.bookmarkAfterMs`. */
export const DEFAULT_BOOKMARK_AFTER_MS = 300_000;

/** Options of `connect`. */
export interface ClientOptions {
  /** Further https origins that may be asked and may get the credentials. @default only the origin connected to */
  readonly trustedOrigins?: readonly string[];
  /** Allows `http:` on loopback; advertised loopback URLs are then asked over http and ws. @default false */
  readonly allowInsecureLoopback?: boolean;
  /** @default DEFAULT_CLIENT_LIMITS */
  readonly limits?: Partial<ClientLimits>;
  /**
   * The cursor of a silent subscription is replaced by a newer one before it is this old, in milliseconds, so that the server still has it
   * after a lost connection. Discovery does not say how long a server keeps its log: use at most half of that. 0: never.
   * @default 300,000
   */
  readonly bookmarkAfterMs?: number;
  /**
   * Called with what happens to the gateway connections. Errors that it throws are shown as warnings of the platform
   * and end nothing.
   * @default not called
   */
  readonly onStatus?: (status: ConnectionStatus) => void;
  /**
   * Called after another discovery document has replaced the known one; it may throw, as `onStatus` may.
   * @default not called
   */
  readonly onDiscoveryChanged?: () => void;
  /**
   * Called, once each, with sentences about what is allowed and surely not meant: a filter that compares a number with a string found
   * nothing. It may throw, as `onStatus` may.
   * @default a warning of Node, an error reported to the browser's console
   */
  readonly onAdvice?: (sentence: string) => void;
  /** @default the platform's */
  readonly fetch?: typeof globalThis.fetch;
  /** @default the platform's */
  readonly WebSocket?: typeof globalThis.WebSocket;
  /** For tests; must not throw. @default the machine's clocks and timers */
  readonly clock?: ClientClock;
  /** From 0 to below 1, for the jitter of delays. @default Math.random */
  readonly random?: () => number;
  /**
   * Ends the client when it is aborted.
   * @default none
   */
  readonly signal?: AbortSignal;
}

/** @see connect */
export const clientOptions: OptionCheck = optionsOf<ClientOptions>({
  trustedOrigins: optional(listOf(aString)),
  allowInsecureLoopback: optional(aBoolean),
  limits: optional(optionsOf<ClientLimits>(checksOf(CLIENT_LIMITS))),
  bookmarkAfterMs: optional(anInteger(0)),
  onStatus: optional(aFunction),
  onAdvice: optional(aFunction),
  onDiscoveryChanged: optional(aFunction),
  fetch: optional(aFunction),
  WebSocket: optional(aFunction),
  clock: optional(objectWith('wallMs', 'monotonicMs', 'after')),
  random: optional(aFunction),
  signal: optional(aSignal),
});
