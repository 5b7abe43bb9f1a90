import { createLocalJWKSet, type JWTVerifyGetKey } from 'jose';
import { defineError } from 'rostack-core';
import { type FetchOptions, fetchKeySet } from './authorization-server.ts';

/** Least time between two attempts while the authorization server does not answer. */
const RETRY_AFTER_MS = 1_000;
/** Unknown keys that are looked for within the cooldown: tokens can name keys without end. */
const MAX_LOOK_UPS = 10;

/** The authorization server does not answer, and no key is known that would do. */
export class IssuerUnavailableError extends defineError(
  'IssuerUnavailableError',
  'issuer_unavailable',
  true,
) {}

export interface IssuerKeysOptions extends FetchOptions {
  readonly metadataUrl: URL;
  readonly issuer: string;
  /** Age in ms from which the keys are read again in the background. */
  readonly refreshAfterMs: number;
  /** Least time in ms between two reads on account of the same unknown key. */
  readonly refetchCooldownMs: number;
  readonly onRefreshError: (error: unknown) => void;
}

/** The signing keys of one issuer at one moment. */
export interface KeySet {
  readonly getKey: JWTVerifyGetKey;
  readonly readAtMs: number;
}

/** A read on account of an unknown key. */
interface LookUp {
  readonly keys: Promise<KeySet | undefined>;
  readonly atMs: number;
  /** How long the key is not looked for again. */
  pauseMs: number;
}

/**
 * Keeps an issuer's signing keys: read when first needed, again in the background when they age, and at once for each
 * unknown key, once within the cooldown. Keys already known outlive an outage of the issuer.
 */
export class IssuerKeys {
  readonly #options: IssuerKeysOptions;
  #current: KeySet | undefined;
  #reading: Promise<KeySet | undefined> | undefined;
  #lastReadFailed = false;
  #lastReadAtMs = Number.NEGATIVE_INFINITY;
  /** By the id of the key. */
  readonly #lookUps = new Map<string, LookUp>();

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
  async newerThan(seen: KeySet, keyId: string, nowMs: number): Promise<KeySet | undefined> {
    if (this.#current !== seen) return this.#current;
    for (const [id, { atMs, pauseMs }] of this.#lookUps)
      if (hasPassed(atMs, pauseMs, nowMs)) this.#lookUps.delete(id);
    const read = await (this.#lookUps.get(keyId)?.keys ?? this.#lookUp(keyId, nowMs));
    if (read === undefined && this.#lastReadFailed) {
      throw new IssuerUnavailableError('The authorization server does not answer.');
    }
    return read === seen ? undefined : read;
  }

  #lookUp(keyId: string, nowMs: number): Promise<KeySet | undefined> | undefined {
    if (this.#lookUps.size >= MAX_LOOK_UPS) return this.#reading;
    // A read that is under way may have begun before the key was there.
    const keys = Promise.resolve(this.#reading).then(() => this.#read(nowMs));
    const lookUp: LookUp = { keys, atMs: nowMs, pauseMs: this.#options.refetchCooldownMs };
    void keys.then((found) => {
      if (found === undefined) lookUp.pauseMs = RETRY_AFTER_MS;
    });
    this.#lookUps.set(keyId, lookUp);
    return keys;
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
