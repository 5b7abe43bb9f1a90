import type { AuthenticationMethod, Release } from 'rostack-core';
import type { Clock } from '../base/clock.ts';
import { KitError } from '../base/kit-error.ts';
import type { Driver } from '../check/driver.ts';
import type { Level } from '../check/level.ts';

/** What to check, and with what. */
export interface Target {
  /** `https://host`; or `http://` on loopback, where the secure URLs in discovery are then read as insecure ones. */
  readonly url: string;
  /** A token that may read and follow every resource. */
  readonly token?: string | undefined;
  /** A token of another principal with the same permissions. */
  readonly secondToken?: string | undefined;
  /** A token of a principal that lacks permissions. */
  readonly poorToken?: string | undefined;
  /** The authentication method of the tokens. @default 'shared_token' if the target offers it, else 'oauth2' */
  readonly method?: AuthenticationMethod | undefined;
  /** @default the release of the discovery document */
  readonly release?: Release | undefined;
  /** PEM of an authority to trust. @default those of the system */
  readonly ca?: string | undefined;
  /** An integer that determines all random choices. @default 1 */
  readonly seed?: number | undefined;
  /** How long live traffic is watched without a driver. @default 0 */
  readonly observeMs?: number | undefined;
  /** Checks up to this level. @default 'survives' */
  readonly level?: Level | undefined;
  /** Names of checks, ids of requirements, or prefixes of either that end before a dot. @default all */
  readonly only?: readonly string[] | undefined;
  /** Changes the target from outside the protocol; without one, checks that need it are skipped. */
  readonly driver?: Driver | undefined;
  /** The most requests that may be sent. @default 5000 */
  readonly maxRequests?: number | undefined;
  /** @default the system's */
  readonly clock?: Clock | undefined;
  /** Cancels the run. */
  readonly signal?: AbortSignal | undefined;
}

/** The most requests in one run, unless the target sets another limit. */
export const DEFAULT_MAX_REQUESTS = 5_000;

/** @throws KitError `usage` for a target without a URL */
export function checkTarget(target: Target): void {
  if (typeof Object(target).url === 'string') return;
  throw new KitError('usage', 'Pass a target with a url, such as https://data.example.com.');
}
