import type { AuthenticationMethod, Release } from 'rostack-core';
import type { Driver } from '../check/driver.ts';
import type { Level } from '../check/level.ts';
import type { Clock } from '../clock/clock.ts';
import { KitError } from '../error/kit-error.ts';

/** What is to be checked, and with what. */
export interface Target {
  /** `https://host`; `http://` on loopback, where the secure URLs of discovery then mean insecure ones. */
  readonly url: string;
  /** May read and follow every resource. */
  readonly token?: string | undefined;
  /** Of another principal with the same permissions. */
  readonly secondToken?: string | undefined;
  /** Of a principal that lacks permissions. */
  readonly poorToken?: string | undefined;
  /** What the tokens are. @default 'shared_token' where the target offers it, else 'oauth2' */
  readonly method?: AuthenticationMethod | undefined;
  /** @default the one that the discovery document is of */
  readonly release?: Release | undefined;
  /** PEM of an authority to trust. @default those of the system */
  readonly ca?: string | undefined;
  /** An integer that all random choices follow from. @default 1 */
  readonly seed?: number | undefined;
  /** How long live traffic is watched without a driver. @default 0 */
  readonly observeMs?: number | undefined;
  /** Checks up to this level. @default 'survives' */
  readonly level?: Level | undefined;
  /** Names of checks, ids of requirements, or beginnings of either that end before a dot. @default all */
  readonly only?: readonly string[] | undefined;
  /** Changes the target from behind; without one, what needs it is skipped. */
  readonly driver?: Driver | undefined;
  /** Requests that may be sent at most. @default 5000 */
  readonly maxRequests?: number | undefined;
  /** @default the system's */
  readonly clock?: Clock | undefined;
  /** Gives the run up. */
  readonly signal?: AbortSignal | undefined;
}

/** Requests of one run at most, if the target does not say otherwise. */
export const DEFAULT_MAX_REQUESTS = 5_000;

/** @throws KitError `usage` for a target without a URL */
export function checkTarget(target: Target): void {
  if (typeof Object(target).url === 'string') return;
  throw new KitError('usage', 'Give a target with a url, such as https://data.example.com.');
}
