import { z } from 'zod';

const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);
const OAUTH_WELL_KNOWN = '/.well-known/oauth-authorization-server';
const OPENID_WELL_KNOWN = '/.well-known/openid-configuration';
const MAX_RESPONSE_BYTES = 1_048_576;

const Metadata = z.looseObject({ issuer: z.url(), jwks_uri: z.url() });
const JsonWebKeySet = z.looseObject({ keys: z.array(z.looseObject({ kty: z.string() })) });

export interface FetchOptions {
  readonly fetch: typeof globalThis.fetch;
  readonly timeoutMs: number;
}

/**
 * Reads an authorization server's metadata, then the JSON Web Key Set (RFC 7517 section 5) that it names.
 * @throws Error when one of them cannot be read, a member is missing, the issuer is another one, or the key URL is not https
 * @see RFC 8414 sections 2 and 3.3
 */
export async function fetchKeySet(
  metadataUrl: URL,
  expectedIssuer: string,
  options: FetchOptions,
): Promise<{ keys: { kty: string }[] }> {
  const { issuer, jwks_uri } = Metadata.parse(await fetchJson(metadataUrl, options));
  if (issuer !== expectedIssuer) {
    throw new Error(`The metadata names the issuer ${issuer}, not ${expectedIssuer}.`);
  }
  return JsonWebKeySet.parse(await fetchJson(parseSecureUrl(jwks_uri), options));
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
  throw new RangeError(`Set "issuer": the metadata URL ${url.href} does not show it.`);
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

/**
 * Gets a JSON document of at most 1 MiB; follows no redirect.
 * @throws Error on any other answer, with the URL and the reason
 */
async function fetchJson(url: URL, { fetch, timeoutMs }: FetchOptions): Promise<unknown> {
  const response = await fetch(url, {
    headers: { accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (response.status !== 200 || response.body === null) {
    await response.body?.cancel();
    throw new Error(`${url.href} answered with status ${response.status}.`);
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.byteLength;
    if (size > MAX_RESPONSE_BYTES)
      throw new Error(`${url.href} answered with more than ${MAX_RESPONSE_BYTES} bytes.`);
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}
