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

// What the operators publish may be found and read for an answer; nobody here can permit training on it.
export const CONTENT_SIGNAL = 'search=yes, ai-input=yes, ai-train=no';

// The same in the vocabulary of the IETF (draft-ietf-aipref-attach). Its line in robots.txt is unknown to many readers of
// that file, which then refuse the whole of it: it is sent as a field alone.
export const CONTENT_USAGE = 'search=y, train-ai=n';

/** With every 503: when to ask again, in seconds. */
export const RETRY_LATER = { 'Retry-After': '30' } as const;

/** What could not be read now may be readable in a moment. */
export const NOT_KEPT = { 'Cache-Control': 'no-store' } as const;

/** Pages vary by form and language and may be kept for a minute. */
export const PAGE_HEADERS = {
  ...BASE_HEADERS,
  Vary: 'Accept, Accept-Language',
  'Cache-Control': 'public, max-age=60',
  'Content-Signal': CONTENT_SIGNAL,
  'Content-Usage': CONTENT_USAGE,
} as const;

export const HTML_HEADERS = {
  ...PAGE_HEADERS,
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'Cross-Origin-Opener-Policy': 'same-origin',
  // Tools of a page (WebMCP) are for pages that share no process with others of the site.
  'Origin-Agent-Cluster': '?1',
} as const;

export const MARKDOWN_HEADERS = {
  ...PAGE_HEADERS,
  'Content-Type': 'text/markdown; charset=utf-8',
} as const;

/** What programs find from any page without reading it (RFC 8288, RFC 9727). */
export const DISCOVERY_LINKS =
  '</.well-known/api-catalog>; rel="api-catalog", </.well-known/ard.json>; rel="ard"; type="application/json", </openapi.json>; rel="service-desc"; type="application/vnd.oai.openapi+json", </llms.txt>; rel="service-doc"; type="text/plain"';
