const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** On every response. */
export const BASE_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
} as const;

// What the operators publish may be searched and used for answers; training on it is not ours to permit.
export const CONTENT_SIGNAL = 'search=yes, ai-input=yes, ai-train=no';

// The same in the IETF's vocabulary (draft-ietf-aipref-attach). Sent as a header field only: many readers of robots.txt
// do not know its line there and then refuse the whole file.
export const CONTENT_USAGE = 'search=y, train-ai=n';

/** With every 503: when to ask again, in seconds. */
export const RETRY_LATER = { 'Retry-After': '30' } as const;

/** With a 503 for what is on its way. */
export const RETRY_SOON = { 'Retry-After': '2' } as const;

/** For answers that lack something, which may be readable in a moment. */
export const NOT_KEPT = { 'Cache-Control': 'no-store' } as const;

/** Pages vary by form and language, so only browsers keep them, for a minute: some shared caches ignore `Vary`. */
export const PAGE_HEADERS = {
  ...BASE_HEADERS,
  Vary: 'Accept, Accept-Language',
  'Cache-Control': 'private, max-age=60',
  'Content-Signal': CONTENT_SIGNAL,
  'Content-Usage': CONTENT_USAGE,
} as const;

export const HTML_HEADERS = {
  ...PAGE_HEADERS,
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'Cross-Origin-Opener-Policy': 'same-origin',
  // A page may offer tools (WebMCP) only if it shares no process with other origins of the site.
  'Origin-Agent-Cluster': '?1',
} as const;

export const MARKDOWN_HEADERS = {
  ...PAGE_HEADERS,
  'Content-Type': 'text/markdown; charset=utf-8',
} as const;

/** What programs can discover from any page without reading it (RFC 8288, RFC 9727). */
export const DISCOVERY_LINKS =
  '</.well-known/api-catalog>; rel="api-catalog", </.well-known/ard.json>; rel="ard"; type="application/json", </openapi.json>; rel="service-desc"; type="application/vnd.oai.openapi+json", </llms.txt>; rel="service-doc"; type="text/plain"';
