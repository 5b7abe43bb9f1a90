import { decodeJwt, decodeProtectedHeader } from 'jose';
import type { AuthenticationResult } from '../authenticator.ts';

export type Refused = Extract<AuthenticationResult, { kind: 'refused' }>;

/** The claims and header fields that a token must have. */
export interface ShownRules {
  readonly issuer: string;
  readonly audience: string;
  readonly algorithms: readonly string[];
  readonly clockToleranceMs: number;
}

/**
 * What is wrong with a token before its signature is verified; undefined if verification has to decide. A token refused here needs no key,
 * so its issuer, which may be unavailable, is not contacted.
 */
export function shownFault(token: string, rules: ShownRules, nowMs: number): Refused | undefined {
  const { issuer, audience, algorithms, clockToleranceMs } = rules;
  const read = readToken(token);
  if (read === undefined) return { kind: 'refused', reason: 'malformed', detail: 'it is not a JWT' };
  const { claims, algorithm = 'none' } = read;
  if (!algorithms.includes(algorithm))
    return { kind: 'refused', reason: 'malformed', detail: `alg is not one of ${algorithms.join(', ')}` };
  if (claims.iss !== issuer) return refusedFor('wrong_issuer', 'iss', claims.iss);
  if (![claims.aud].flat().includes(audience)) return refusedFor('wrong_audience', 'aud', claims.aud);
  if (typeof claims.exp !== 'number') return refusedFor('malformed', 'exp', claims.exp);
  const isOver = claims.exp * 1_000 + clockToleranceMs <= nowMs;
  return isOver ? { kind: 'refused', reason: 'expired' } : undefined;
}

/** A refusal that names the claim, not its value. */
export function refusedFor(reason: Refused['reason'], claim: string, value: unknown): Refused {
  const fault = value === undefined ? 'is missing' : 'is not the one expected';
  return { kind: 'refused', reason, detail: `claim ${claim} ${fault}` };
}

function readToken(token: string) {
  try {
    return { claims: decodeJwt(token), algorithm: decodeProtectedHeader(token).alg };
  } catch {
    return undefined;
  }
}
