import { createLocalJWKSet, type JWTVerifyGetKey } from 'jose';
import { defineError } from 'rostack-core';
import { type FetchOptions, fetchKeySet } from './authorization-server.ts';

/** Least time between two attempts if the authorization server does not answer. */
const RETRY_AFTER_MS = 1_000;
/** Most unknown keys looked up within the cooldown, since tokens can name any number of keys. */
const MAX_LOOK_UPS = 10;

/** The authorization server does not answer, and no suitable key is known. */
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
  /** Least time in ms between two reads caused by the same unknown key. */
  readonly refetchCooldownMs: number;
  readonly onRefreshError: (error: unknown) => void;
}

/** The signing keys of one issuer at one time. */
export interface KeySet {
  readonly getKey: JWTVerifyGetKey;
  readonly readAtMs: number;
}

/** A read caused by an unknown key. */
interface LookUp {
  readonly keys: Promise<KeySet | undefined>;
  readonly atMs: number;
  /** How long until the key may be looked up again. */
  pauseMs: number;
}

/**
 * Caches an issuer's signing keys: they are read when first needed, again in the background when they age, and at once for each unknown
 * key, at most once within the cooldown. Known keys stay usable while the issuer is unavailable.
 */
export class IssuerKeys {
  readonly #options: IssuerKeysOptions;
  #current: KeySet | undefined;
  #reading: Promise<KeySet | undefined> | undefined;
  #lastReadFailed = false;
  #lastReadAtMs = Number.NEGATIVE_INFINITY;
  /** By key id. */
  readonly #lookUps = new Map<string, LookUp>();

  constructor(options: IssuerKeysOptions) {
    this.#options = options;
  }

  /**
   * The known keys, which are read first if there are none.
   * @throws IssuerUnavailableError if there are none and they cannot be read
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
   * Newer keys than `seen`, for a token whose key is not among them; undefined if there are none now.
   * @throws IssuerUnavailableError if the last attempt to read them failed
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
    // A running read may have begun before the key was published.
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

/** Also true if the clock was set back, so that a wrong clock cannot prevent reads for long. */
function hasPassed(sinceMs: number, durationMs: number, nowMs: number): boolean {
  return Math.abs(nowMs - sinceMs) >= durationMs;
}
