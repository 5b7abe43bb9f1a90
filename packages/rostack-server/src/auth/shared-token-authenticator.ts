import { timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { aFunction, type OptionCheck, objectWith, optional, optionsOf, wholeNumber } from 'rostack-core';
import type {
  AuthenticationResult,
  Authenticator,
  Awaitable,
  Credential,
  RefusalReason,
} from './authenticator.ts';
import type { PrincipalIdDeriver } from './principal-id.ts';
import { parseSharedToken, verifierOf } from './shared-token.ts';
import type { SharedTokenRecord, SharedTokenStore } from './shared-token-store.ts';

/** The longest time for which a revocation may go unnoticed. */
const MAX_CACHE_MS = 5_000;

export interface SharedTokenAuthenticatorOptions {
  readonly store: SharedTokenStore;
  readonly principalId: PrincipalIdDeriver;
  /**
   * How long a record read from the store is trusted, 0 to 5,000 ms: a revocation is noticed within this time.
   * @default 2000
   */
  readonly cacheMs?: number;
  /** Most records kept at once. @default 10000 */
  readonly maxCachedTokens?: number;
  /** When clients should try again while the store does not answer. @default 1000 */
  readonly retryAfterMs?: number;
}

const authenticatorOptions: OptionCheck = optionsOf<SharedTokenAuthenticatorOptions>({
  store: objectWith('find'),
  principalId: aFunction,
  cacheMs: optional(wholeNumber(0, MAX_CACHE_MS)),
  maxCachedTokens: optional(wholeNumber(1)),
  retryAfterMs: optional(wholeNumber(0)),
});

interface CachedRecord {
  readonly record: SharedTokenRecord;
  readonly accepted: AuthenticationResult;
  readonly readAtMs: number;
}

/**
 * Accepts shared tokens by comparing their verifier in constant time with the one that the store keeps.
 * @throws RangeError when an option is wrong, with which and what
 * @see protocol section 4
 */
export function createSharedTokenAuthenticator(options: SharedTokenAuthenticatorOptions): Authenticator {
  const fault = authenticatorOptions(options, 'options');
  if (fault !== undefined) throw new RangeError(`${fault}.`);
  const { store, principalId, cacheMs = 2_000, maxCachedTokens = 10_000, retryAfterMs = 1_000 } = options;
  const cache = new LRUCache<string, CachedRecord>({ max: maxCachedTokens });

  function recall(tokenId: string, nowMs: number): CachedRecord | undefined {
    const cached = cache.get(tokenId);
    if (cached === undefined || nowMs < cached.readAtMs || nowMs - cached.readAtMs >= cacheMs)
      return undefined;
    return cached;
  }

  async function lookUp(tokenId: string, nowMs: number): Promise<CachedRecord | undefined> {
    const record = await store.find(tokenId);
    if (record === undefined) {
      cache.delete(tokenId);
      return undefined;
    }
    const credential = toCredential(record, principalId);
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
      if (found.record.revokedAtMs !== undefined) return refused('revoked');
      if (found.record.expiresAtMs !== undefined && found.record.expiresAtMs <= nowMs)
        return refused('expired');
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

function toCredential(record: SharedTokenRecord, principalId: PrincipalIdDeriver): Credential {
  return {
    principal: {
      id: principalId('shared_token', record.subject),
      method: 'shared_token',
      permissions: new Set(record.grants),
    },
    credentialId: record.tokenId,
    ...(record.expiresAtMs === undefined ? {} : { expiresAtMs: record.expiresAtMs }),
  };
}

function isSame(expected: Uint8Array, presented: Uint8Array): boolean {
  return expected.byteLength === presented.byteLength && timingSafeEqual(expected, presented);
}

function refused(reason: RefusalReason): AuthenticationResult {
  return { kind: 'refused', reason };
}
