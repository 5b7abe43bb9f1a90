import { decodeJwt, decodeProtectedHeader } from 'jose';
import type { RefusalReason } from '../authenticator.ts';

/** What a token has to say of itself. */
export interface ShownRules {
  readonly issuer: string;
  readonly audience: string;
  readonly algorithms: readonly string[];
  readonly clockToleranceMs: number;
}

/**
 * What is wrong with a token by its own words, whoever signed it; undefined where a key has to decide. A token that is
 * refused for this needs no key: its issuer is not asked, and may be out of reach.
 */
export function shownFault(token: string, rules: ShownRules, nowMs: number): RefusalReason | undefined {
  const { issuer, audience, algorithms, clockToleranceMs } = rules;
  const claims = claimsOf(token, algorithms);
  if (claims === undefined) return 'malformed';
  if (claims.iss !== issuer) return 'wrong_issuer';
  if (![claims.aud].flat().includes(audience)) return 'wrong_audience';
  if (typeof claims.exp !== 'number') return 'malformed';
  return claims.exp * 1_000 + clockToleranceMs <= nowMs ? 'expired' : undefined;
}

function claimsOf(token: string, algorithms: readonly string[]): ReturnType<typeof decodeJwt> | undefined {
  try {
    const { alg } = decodeProtectedHeader(token);
    return alg !== undefined && algorithms.includes(alg) ? decodeJwt(token) : undefined;
  } catch {
    return undefined;
  }
}
