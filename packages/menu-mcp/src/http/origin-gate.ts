/**
 * Who may call from a browser and by which host name:
 * - `loopback`: a server bound to a loopback address; only loopback hosts and origins (DNS rebinding)
 * - `public`: a server on the internet without credentials; any origin, since anybody may ask what it answers
 */
export type Exposure = 'loopback' | 'public';

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

const ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:.]+\])$/;

/**
 * True when requests with this `Host` header are served. Browsers always send one.
 *
 * @param names what a public server is called from outside; then addresses, and names without a dot, are those of its own
 * network, and all other names are refused. @default any name
 */
export function isHostAllowed(
  host: string | null,
  exposure: Exposure,
  names: readonly string[] | undefined,
): boolean {
  if (host === null) return true;
  const name = parseUrl(`http://${host}`)?.hostname ?? '';
  if (LOOPBACK.test(name)) return true;
  if (exposure !== 'public') return false;
  return (
    names === undefined ||
    (name !== '' && (!name.includes('.') || ADDRESS.test(name) || names.includes(name)))
  );
}

/** True when requests with this `Origin` header are served. The text `null` is that of sandboxed frames and files. */
export function isOriginAllowed(origin: string | null, exposure: Exposure): boolean {
  if (origin === null || exposure === 'public') return true;
  const url = parseUrl(origin);
  return (
    url !== undefined &&
    url.origin === origin &&
    /^https?:$/.test(url.protocol) &&
    LOOPBACK.test(url.hostname)
  );
}

const ALLOWED_HEADERS =
  'content-type, accept, mcp-protocol-version, mcp-session-id, mcp-method, mcp-name, last-event-id';

/** CORS headers for an allowed origin; there are no credentials to allow. @see https://fetch.spec.whatwg.org/#http-cors-protocol */
export function corsHeaders(origin: string | null): Record<string, string> {
  if (origin === null) return { vary: 'origin' };
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': 'mcp-session-id, mcp-protocol-version',
    vary: 'origin',
  };
}

/** The answer to a preflight request. @param asked the headers that the browser wants to send */
export function preflight(origin: string | null, asked: string | null): Response {
  return new Response(null, {
    status: 204,
    headers: {
      ...corsHeaders(origin),
      'access-control-allow-methods': 'POST, OPTIONS',
      // No header can do harm: there are no credentials. Clients send some of their own.
      'access-control-allow-headers': asked ?? ALLOWED_HEADERS,
      'access-control-max-age': '86400',
      vary: 'origin, access-control-request-headers',
    },
  });
}
