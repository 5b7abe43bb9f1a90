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

/** The answer to a preflight request. */
export function preflight(origin: string | null): Response {
  return new Response(null, {
    status: 204,
    headers: {
      ...corsHeaders(origin),
      'access-control-allow-methods': 'POST, OPTIONS',
      'access-control-allow-headers': ALLOWED_HEADERS,
      'access-control-max-age': '86400',
    },
  });
}

/** Adds headers to a response. Creating it with its headers is faster: do that where you can. */
export function withHeaders(response: Response, headers: Readonly<Record<string, string>>): Response {
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}
