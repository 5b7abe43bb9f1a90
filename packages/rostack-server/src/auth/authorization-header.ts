import type { AuthenticationMethod } from './authenticator.ts';

/** `Authorization` schemes of the two methods; matched without case (RFC 9110 section 11.1). */
export const AUTHORIZATION_SCHEMES = {
  oauth2: 'Bearer',
  shared_token: 'Rostack-Token',
} as const satisfies Record<AuthenticationMethod, string>;

/** auth-scheme 1*SP token68 (RFC 9110 section 11.2) */
const CREDENTIALS = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+) +([0-9A-Za-z._~+/-]+=*)$/;

const METHOD_BY_SCHEME = new Map<string, AuthenticationMethod>([
  ['bearer', 'oauth2'],
  ['rostack-token', 'shared_token'],
]);

/** Reads an `Authorization` field; undefined when it is malformed or names a scheme that is not one of ours. */
export function parseAuthorization(
  field: string,
): { method: AuthenticationMethod; token: string } | undefined {
  const match = CREDENTIALS.exec(field.trim());
  const method = METHOD_BY_SCHEME.get(match?.[1]?.toLowerCase() ?? '');
  const token = match?.[2];
  return method === undefined || token === undefined ? undefined : { method, token };
}
