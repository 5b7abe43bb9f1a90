import { expecting, type OptionCheck, OptionsError, parseStrictJson } from 'rostack-core';
import { z } from 'zod';

/** Beginning of the message about an authenticator's options. */
export const REFUSED = 'The authenticator cannot be made';
const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);
const OAUTH_WELL_KNOWN = '/.well-known/oauth-authorization-server';
const OPENID_WELL_KNOWN = '/.well-known/openid-configuration';
const MAX_RESPONSE_BYTES = 1_048_576;

const Metadata = z.looseObject({
  issuer: z.url(),
  jwks_uri: z.url().optional(),
  introspection_endpoint: z.url().optional(),
});
const JsonWebKeySet = z.looseObject({ keys: z.array(z.looseObject({ kty: z.string() })) });

/** RFC 7662 section 2.2 */
const IntrospectionAnswer = z.looseObject({
  active: z.boolean(),
  iss: z.string().optional(),
  aud: z.union([z.string(), z.array(z.string())]).optional(),
  sub: z.string().optional(),
  client_id: z.string().optional(),
  exp: z.number().optional(),
  nbf: z.number().optional(),
});

export type Introspection = z.infer<typeof IntrospectionAnswer>;

export interface FetchOptions {
  readonly fetch: typeof globalThis.fetch;
  readonly timeoutMs: number;
}

/**
 * Reads an authorization server's metadata, then the JSON Web Key Set (RFC 7517 section 5) at its `jwks_uri`.
 * @throws Error if one of them cannot be read, a member is missing, the issuer differs, or the key URL is not https
 * @see RFC 8414 sections 2 and 3.3
 */
export async function fetchKeySet(
  metadataUrl: URL,
  expectedIssuer: string,
  options: FetchOptions,
): Promise<{ keys: { kty: string }[] }> {
  const { jwks_uri } = await fetchMetadata(metadataUrl, expectedIssuer, options);
  if (jwks_uri === undefined) throw new Error('The metadata names no jwks_uri.');
  return JsonWebKeySet.parse(await fetchJson(parseSecureUrl(jwks_uri), options));
}

/**
 * Reads the URL of an authorization server's introspection endpoint.
 * @throws Error as `fetchKeySet`, also if it has no such endpoint
 */
export async function fetchIntrospectionUrl(
  metadataUrl: URL,
  expectedIssuer: string,
  options: FetchOptions,
): Promise<URL> {
  const { introspection_endpoint } = await fetchMetadata(metadataUrl, expectedIssuer, options);
  if (introspection_endpoint === undefined) throw new Error('The metadata names no introspection_endpoint.');
  return parseSecureUrl(introspection_endpoint);
}

/** Introspects a token (RFC 7662 section 2). @throws Error if there is no valid answer */
export async function introspect(
  url: URL,
  token: string,
  { clientId, clientSecret }: { readonly clientId: string; readonly clientSecret: string },
  options: FetchOptions,
): Promise<Introspection> {
  const basic = Buffer.from([clientId, clientSecret].map(formEncoded).join(':')).toString('base64');
  const request = {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
    body: new URLSearchParams({ token, token_type_hint: 'access_token' }),
  };
  return IntrospectionAnswer.parse(await fetchJson(url, options, request));
}

/** RFC 6749 section 2.3.1 */
function formEncoded(text: string): string {
  return new URLSearchParams({ text }).toString().slice('text='.length);
}

async function fetchMetadata(
  metadataUrl: URL,
  expectedIssuer: string,
  options: FetchOptions,
): Promise<z.infer<typeof Metadata>> {
  const metadata = Metadata.parse(await fetchJson(metadataUrl, options));
  if (metadata.issuer === expectedIssuer) return metadata;
  throw new Error(`The metadata names the issuer ${metadata.issuer}, not ${expectedIssuer}.`);
}

/**
 * The issuer that a metadata URL belongs to, by RFC 8414 section 3 or OpenID Connect Discovery.
 * @throws OptionsError if the URL has neither form, so that the issuer has to be named
 */
export function issuerOfMetadataUrl(url: URL): string {
  if (url.pathname.startsWith(OAUTH_WELL_KNOWN))
    return url.origin + url.pathname.slice(OAUTH_WELL_KNOWN.length);
  if (url.pathname.endsWith(OPENID_WELL_KNOWN))
    return url.origin + url.pathname.slice(0, -OPENID_WELL_KNOWN.length);
  throw new OptionsError(REFUSED, [`Set "issuer": the metadata URL ${url.href} does not show it.`]);
}

const isSecure = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || (protocol === 'http:' && LOOPBACK_HOSTS.has(hostname));

/** What `parseSecureUrl` accepts. */
export const aSecureUrl: OptionCheck = expecting('an https URL; http only on loopback', (value) => {
  const url = typeof value === 'string' ? URL.parse(value) : null;
  return url !== null && isSecure(url);
});

/**
 * Parses an https URL; http is accepted on the loopback interface.
 * @throws Error on anything else
 */
export function parseSecureUrl(text: string): URL {
  const url = URL.parse(text);
  if (url !== null && isSecure(url)) return url;
  throw new Error(`${text} must be an https URL.`);
}

/**
 * Fetches a JSON document of at most 1 MiB; follows no redirect.
 * @throws Error on any other answer, with the URL and the reason
 */
async function fetchJson(
  url: URL,
  { fetch, timeoutMs }: FetchOptions,
  { headers, ...request }: RequestInit = {},
): Promise<unknown> {
  const response = await fetch(url, {
    ...request,
    headers: { accept: 'application/json', ...(headers as object) },
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
  return parseStrictJson(Buffer.concat(chunks).toString('utf8'));
}
