import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import {
  aFunction,
  anInteger,
  aString,
  checkOptions,
  type OptionCheck,
  objectWith,
  optional,
  optionsOf,
} from 'rostack-core';
import { boundedCache } from '../guard/bounded-cache.ts';
import type {
  AuthenticationResult,
  Authenticator,
  Awaitable,
  Credential,
  RefusalReason,
} from './authenticator.ts';
import { cohortOrSubject, type PrincipalIdDeriver } from './principal-id.ts';
import type { SharedTokenRecord, SharedTokenStore } from './shared-token-store.ts';

const PREFIX = 'rostack_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ID_BYTES = 8;
const SECRET_BYTES = 32;
const CHECKSUM_BYTES = 4;
const ID_LENGTH = base62Length(ID_BYTES);
const SECRET_LENGTH = base62Length(SECRET_BYTES);
const CHECKSUM_LENGTH = base62Length(CHECKSUM_BYTES);
const TOKEN = new RegExp(
  `^${PREFIX}([0-9A-Za-z]{${ID_LENGTH}})_[0-9A-Za-z]{${SECRET_LENGTH}}_([0-9A-Za-z]{${CHECKSUM_LENGTH}})$`,
);

/** A new shared token: the text for its holder, and what the server stores. */
export interface NewSharedToken {
  /** The secret; show it once, store it nowhere. */
  readonly token: string;
  /** Public id of the token: the part after the prefix. */
  readonly tokenId: string;
  /** SHA-256 of the token, 32 bytes: all that the server stores. */
  readonly verifier: Uint8Array;
}

/**
 * Makes a shared token of 256 random bits: `rostack_<id>_<secret>_<checksum>`, letters, digits and `_` only, so
 * that secret scanners recognise it and a mistyped one is refused without a look-up.
 * @see protocol section 4
 */
export function createSharedToken(): NewSharedToken {
  const tokenId = encodeBase62(randomBytes(ID_BYTES));
  const unchecked = `${PREFIX}${tokenId}_${encodeBase62(randomBytes(SECRET_BYTES))}`;
  const token = `${unchecked}_${checksumOf(unchecked)}`;
  return { token, tokenId, verifier: verifierOf(token) };
}

/** The token's public id; undefined if the text is not a complete shared token (form or checksum). */
export function parseSharedToken(token: string): string | undefined {
  const match = TOKEN.exec(token);
  if (match === null) return undefined;
  const unchecked = token.slice(0, -(CHECKSUM_LENGTH + 1));
  return checksumOf(unchecked) === match[2] ? match[1] : undefined;
}

/** The one-way verifier of a token: SHA-256, enough for a secret of 256 random bits. */
export function verifierOf(token: string): Uint8Array {
  // Four times as fast as returning a buffer directly.
  return Buffer.from(hash('sha256', token, 'hex'), 'hex');
}

function checksumOf(text: string): string {
  let value = crc32(text);
  let digits = '';
  while (digits.length < CHECKSUM_LENGTH) {
    digits = ALPHABET.charAt(value % 62) + digits;
    value = Math.floor(value / 62);
  }
  return digits;
}

function encodeBase62(bytes: Buffer): string {
  let value = BigInt(`0x${bytes.toString('hex')}`);
  let text = '';
  while (value > 0n) {
    text = `${ALPHABET.charAt(Number(value % 62n))}${text}`;
    value /= 62n;
  }
  return text.padStart(base62Length(bytes.byteLength), '0');
}

function base62Length(bytes: number): number {
  return Math.ceil((bytes * 8) / Math.log2(62));
}

/** The longest time until a revocation is noticed. */
const MAX_CACHE_MS = 5_000;

/** Where shared tokens are looked up, and how long an answer is cached. */
export interface SharedTokenAuthenticatorOptions {
  /** Finds the record of a token by its id; `store.tokens` of rostack-store is one. */
  readonly store: SharedTokenStore;
  /** Derives the `principal_id` from the token's subject; see `createPrincipalIdDeriver`. */
  readonly principalId: PrincipalIdDeriver;
  /**
   * Claim of token records that names a cohort: all credentials of one cohort have the same principal. If it is not a string, or empty, the
   * subject is used.
   * @default none
   */
  readonly cohortClaim?: string;
  /**
   * How long a record read from the store is cached, 0 to 5,000 ms: a revocation is noticed within this time. After half of it, the record
   * is read again in the background while requests use the cached one.
   * @default 2000
   */
  readonly cacheMs?: number;
  /**
   * Most records cached; at least 1.
   * @default 10000
   */
  readonly maxCachedTokens?: number;
  /**
   * When clients should try again while the store does not answer, in ms; at least 0.
   * @default 1000
   */
  readonly retryAfterMs?: number;
}

const authenticatorOptions: OptionCheck = optionsOf<SharedTokenAuthenticatorOptions>({
  store: objectWith('find'),
  principalId: aFunction,
  cohortClaim: optional(aString),
  cacheMs: optional(anInteger(0, MAX_CACHE_MS)),
  maxCachedTokens: optional(anInteger(1)),
  retryAfterMs: optional(anInteger(0)),
});

interface CachedRecord {
  readonly record: SharedTokenRecord;
  readonly accepted: AuthenticationResult;
  readonly readAtMs: number;
}

interface LookUp {
  readonly found: Promise<CachedRecord | undefined>;
  readonly startedAtMs: number;
}

/**
 * Accepts shared tokens by comparing their verifier in constant time with the one that the store keeps.
 * @throws OptionsError `invalid_options` when an option is wrong: which, and what to use
 * @see protocol section 4
 */
export function createSharedTokenAuthenticator(options: SharedTokenAuthenticatorOptions): Authenticator {
  checkOptions(authenticatorOptions, options, 'The authenticator cannot be made');
  const { store, cacheMs = 2_000, maxCachedTokens = 10_000, retryAfterMs = 1_000 } = options;
  const cache = boundedCache<CachedRecord>(maxCachedTokens);
  const underWay = new Map<string, LookUp>();
  const isTrusted = (sinceMs: number, nowMs: number): boolean =>
    nowMs >= sinceMs && nowMs - sinceMs < cacheMs;

  function recall(tokenId: string, nowMs: number): CachedRecord | undefined {
    const cached = cache.get(tokenId);
    if (cached === undefined || !isTrusted(cached.readAtMs, nowMs)) return undefined;
    if (nowMs - cached.readAtMs >= cacheMs / 2) lookUp(tokenId, nowMs).catch(() => {});
    return cached;
  }

  /** Requests for a record that is being read share that read, unless its result will be too old for them. */
  function lookUp(tokenId: string, nowMs: number): Promise<CachedRecord | undefined> {
    const present = underWay.get(tokenId);
    if (present !== undefined && isTrusted(present.startedAtMs, nowMs)) return present.found;
    const found = read(tokenId, nowMs).finally(() => {
      if (underWay.get(tokenId)?.found === found) underWay.delete(tokenId);
    });
    underWay.set(tokenId, { found, startedAtMs: nowMs });
    return found;
  }

  async function read(tokenId: string, nowMs: number): Promise<CachedRecord | undefined> {
    const record = await store.find(tokenId);
    if (record === undefined) {
      cache.delete(tokenId);
      return undefined;
    }
    const credential = toCredential(record, options);
    const fresh: CachedRecord = { record, accepted: { kind: 'authenticated', credential }, readAtMs: nowMs };
    cache.set(tokenId, fresh);
    return fresh;
  }

  function check(
    tokenId: string,
    nowMs: number,
    isRight: (record: SharedTokenRecord) => boolean,
  ): Awaitable<AuthenticationResult> {
    const resultFor = (found: CachedRecord | undefined): AuthenticationResult => {
      if (found === undefined || !isRight(found.record)) return refused('unknown');
      if (found.record.revokedAtMs !== undefined) return refused('revoked', tokenId);
      if (found.record.expiresAtMs !== undefined && found.record.expiresAtMs <= nowMs)
        return refused('expired', tokenId);
      return found.accepted;
    };
    const known = recall(tokenId, nowMs);
    if (known !== undefined) return resultFor(known);
    return lookUp(tokenId, nowMs).then(resultFor, () => ({ kind: 'unavailable', retryAfterMs }));
  }

  return {
    method: 'shared_token',
    authenticate(token, nowMs) {
      const tokenId = parseSharedToken(token);
      if (tokenId === undefined) return refused('malformed');
      const verifier = verifierOf(token);
      return check(tokenId, nowMs, (record) => isSame(record.verifier, verifier));
    },
    recheck(credential, nowMs) {
      if (credential.credentialId === undefined) return refused('unknown');
      return check(credential.credentialId, nowMs, () => true);
    },
  };
}

function toCredential(
  record: SharedTokenRecord,
  { principalId, cohortClaim }: SharedTokenAuthenticatorOptions,
): Credential {
  return {
    principal: {
      id: principalId('shared_token', ...cohortOrSubject(record.claims, cohortClaim, record.subject)),
      method: 'shared_token',
      permissions: new Set(record.grants),
      ...(record.claims !== undefined && { claims: record.claims }),
    },
    credentialId: record.tokenId,
    ...(record.expiresAtMs === undefined ? {} : { expiresAtMs: record.expiresAtMs }),
  };
}

function isSame(expected: Uint8Array, presented: Uint8Array): boolean {
  return expected.byteLength === presented.byteLength && timingSafeEqual(expected, presented);
}

/** @param credentialId of a token with the right secret */
function refused(reason: RefusalReason, credentialId?: string): AuthenticationResult {
  return { kind: 'refused', reason, ...(credentialId !== undefined && { credentialId }) };
}
