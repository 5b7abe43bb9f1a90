import { z } from 'zod';

const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);
const OAUTH_WELL_KNOWN = '/.well-known/oauth-authorization-server';
const OPENID_WELL_KNOWN = '/.well-known/openid-configuration';

const Metadata = z.looseObject({ issuer: z.url(), jwks_uri: z.url() });
const JsonWebKeySet = z.looseObject({ keys: z.array(z.looseObject({ kty: z.string() })) });

export interface AuthorizationServerMetadata {
  readonly issuer: string;
  readonly jwksUrl: URL;
}

/**
 * Reads authorization server metadata.
 * @throws Error when a needed member is missing, the issuer is another one, or the key URL is not https
 * @see RFC 8414 sections 2 and 3.3
 */
export function parseAuthorizationServerMetadata(
  value: unknown,
  expectedIssuer: string,
): AuthorizationServerMetadata {
  const { issuer, jwks_uri } = Metadata.parse(value);
  if (issuer !== expectedIssuer) {
    throw new Error(`The metadata names the issuer ${issuer}, not ${expectedIssuer}.`);
  }
  return { issuer, jwksUrl: parseSecureUrl(jwks_uri) };
}

/** Reads a JSON Web Key Set (RFC 7517 section 5). */
export function parseJsonWebKeySet(value: unknown): { keys: { kty: string }[] } {
  return JsonWebKeySet.parse(value);
}

/**
 * The issuer that a metadata URL belongs to, by RFC 8414 section 3 or OpenID Connect Discovery.
 * @throws RangeError when the URL has neither form: name the issuer then
 */
export function issuerOfMetadataUrl(url: URL): string {
  if (url.pathname.startsWith(OAUTH_WELL_KNOWN))
    return url.origin + url.pathname.slice(OAUTH_WELL_KNOWN.length);
  if (url.pathname.endsWith(OPENID_WELL_KNOWN))
    return url.origin + url.pathname.slice(0, -OPENID_WELL_KNOWN.length);
  throw new RangeError(`Set "issuer": it cannot be told from the metadata URL ${url.href}.`);
}

/**
 * Parses an https URL; http is accepted on the loopback interface.
 * @throws RangeError on anything else
 */
export function parseSecureUrl(text: string): URL {
  const url = new URL(text);
  if (url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK_HOSTS.has(url.hostname))) return url;
  throw new RangeError(`${text} must be an https URL.`);
}
