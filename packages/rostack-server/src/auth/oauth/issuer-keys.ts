import { createLocalJWKSet, type JWTVerifyGetKey } from 'jose';
import { type FetchOptions, fetchKeySet } from './authorization-server.ts';

/** Least time between two attempts while no key is known. */
const RETRY_AFTER_MS = 1_000;

/** The authorization server does not answer, and no key is known that would do. */
export class IssuerUnavailableError extends Error {
  override readonly name = 'IssuerUnavailableError';
  readonly code = 'issuer_unavailable';
  readonly retryable = true;
}

export interface IssuerKeysOptions extends FetchOptions {
  readonly metadataUrl: URL;
  readonly issuer: string;
  /** Age in ms from which the keys are read again in the background. */
  readonly refreshAfterMs: number;
  /** Least time in ms between two reads on account of an unknown key. */
  readonly refetchCooldownMs: number;
  readonly onRefreshError: (error: unknown) => void;
}

/** The signing keys of one issuer at one moment. */
export interface KeySet {
  readonly getKey: JWTVerifyGetKey;
  readonly readAtMs: number;
}

/**
 * Keeps an issuer's signing keys: read when first needed, again in the background when they age, and at once for an
 * unknown key, though not more often than the cooldown allows. Keys already known outlive an outage of the issuer.
 */
export class IssuerKeys {
  readonly #options: IssuerKeysOptions;
  #current: KeySet | undefined;
  #reading: Promise<KeySet | undefined> | undefined;
  #lastReadFailed = false;
  #lastReadAtMs = Number.NEGATIVE_INFINITY;
  #lastRefetchAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: IssuerKeysOptions) {
    this.#options = options;
  }

  /**
   * The known keys, read first where there are none.
   * @throws IssuerUnavailableError when there are none and they cannot be read
   */
  async current(nowMs: number): Promise<KeySet> {
    const known = this.#current;
    const mayRetry = hasPassed(this.#lastReadAtMs, RETRY_AFTER_MS, nowMs);
    if (known !== undefined) {
      if (mayRetry && hasPassed(known.readAtMs, this.#options.refreshAfterMs, nowMs)) void this.#read(nowMs);
      return known;
    }
    const read = this.#reading !== undefined || mayRetry ? await this.#read(nowMs) : undefined;
    if (read === undefined)
      throw new IssuerUnavailableError('The keys of the authorization server are not known.');
    return read;
  }

  /**
   * Newer keys than `seen`, for a token whose key is not among them; undefined when there are none now.
   * @throws IssuerUnavailableError when the last attempt to read them failed
   */
  async newerThan(seen: KeySet, nowMs: number): Promise<KeySet | undefined> {
    if (this.#current !== seen) return this.#current;
    if (
      this.#reading === undefined &&
      hasPassed(this.#lastRefetchAtMs, this.#options.refetchCooldownMs, nowMs)
    ) {
      this.#lastRefetchAtMs = nowMs;
      void this.#read(nowMs);
    }
    const read = await this.#reading;
    if (read === undefined && this.#lastReadFailed) {
      throw new IssuerUnavailableError('The authorization server does not answer.');
    }
    return read;
  }

  #read(nowMs: number): Promise<KeySet | undefined> {
    this.#lastReadAtMs = nowMs;
    this.#reading ??= this.#fetch(nowMs)
      .then(
        (keys) => {
          this.#lastReadFailed = false;
          this.#current = keys;
          return keys;
        },
        (error: unknown) => {
          this.#lastReadFailed = true;
          this.#options.onRefreshError(error);
          return undefined;
        },
      )
      .finally(() => {
        this.#reading = undefined;
      });
    return this.#reading;
  }

  async #fetch(nowMs: number): Promise<KeySet> {
    const { metadataUrl, issuer } = this.#options;
    const keys = await fetchKeySet(metadataUrl, issuer, this.#options);
    return { getKey: createLocalJWKSet(keys), readAtMs: nowMs };
  }
}

/** Also true when the clock was set back, so that a wrong clock cannot stop the reading for long. */
function hasPassed(sinceMs: number, durationMs: number, nowMs: number): boolean {
  return Math.abs(nowMs - sinceMs) >= durationMs;
}
