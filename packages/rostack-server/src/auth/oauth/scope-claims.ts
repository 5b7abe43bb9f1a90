import {
  expecting,
  isPointer,
  type JsonObject,
  type JsonValue,
  type OptionCheck,
  parsePointer,
  resolvePointer,
} from 'rostack-core';

/** The claims with a token's scopes: their names, or JSON Pointers to them. */
export type ScopeClaims = string | readonly string[];

/** Checks `scopeClaim` of an authenticator. */
export const someScopeClaims: OptionCheck = expecting(
  'the name of a claim, a JSON Pointer such as /realm_access/roles, or a list of such, not empty',
  (value) => {
    const names: unknown[] = [value].flat();
    return names.length > 0 && names.every(isClaimName);
  },
);

function isClaimName(name: unknown): boolean {
  return typeof name === 'string' && name !== '' && (!name.startsWith('/') || isPointer(name));
}

/** The scopes of all these claims, each a string, separated by spaces, or a list; undefined if the token has none of the claims. */
export function scopesOf(claims: JsonObject, names: ScopeClaims): readonly string[] | undefined {
  const found = [names]
    .flat()
    .map((name) => claimOf(claims, name))
    .filter((claim) => claim !== undefined);
  return found.length === 0 ? undefined : found.flatMap(scopesIn);
}

/** A name that begins with `/` is a JSON Pointer (RFC 6901). */
function claimOf(claims: JsonObject, name: string): JsonValue | undefined {
  return resolvePointer(claims, name.startsWith('/') ? parsePointer(name) : [name]);
}

function scopesIn(claim: JsonValue): readonly string[] {
  if (typeof claim === 'string') return claim.split(' ').filter((scope) => scope !== '');
  return Array.isArray(claim) ? claim.filter((scope) => typeof scope === 'string') : [];
}
