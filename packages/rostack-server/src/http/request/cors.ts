/** Which web pages may read the answers; credentials are sent in a header field, so cookies are never allowed. */
export interface CorsOptions {
  /** Origins such as `https://app.example.com`, or `*` for every one. */
  readonly origins: readonly string[] | '*';
  /**
   * How long a browser may cache the answer to a preflight, in seconds; at least 0.
   * @default 600
   */
  readonly maxAgeSeconds?: number;
}

export interface Cors {
  /** Header fields for an answer to a request from this origin. */
  headersFor(origin: string): Readonly<Record<string, string>>;
  /** Header fields for the answer to a preflight from this origin. */
  preflightHeadersFor(origin: string): Readonly<Record<string, string>>;
  /** Whether answers depend on the origin. */
  readonly variesByOrigin: boolean;
}

const EXPOSED = [
  'ETag',
  'Retry-After',
  'WWW-Authenticate',
  'X-Request-Id',
  'X-Rostack-API-Version',
  'X-Rostack-Protocol-Version',
].join(', ');
const NONE: Readonly<Record<string, string>> = {};

/** Prepares the header fields for cross-origin requests (Fetch standard, section 3.3); none if CORS is not configured. */
export function createCors(options: CorsOptions | undefined): Cors {
  if (options === undefined)
    return { headersFor: () => NONE, preflightHeadersFor: () => NONE, variesByOrigin: false };
  const { origins, maxAgeSeconds = 600 } = options;
  const allowed = origins === '*' ? undefined : new Set(origins);
  const headersFor = (origin: string): Readonly<Record<string, string>> => {
    if (allowed?.has(origin) === false) return NONE;
    return {
      'Access-Control-Allow-Origin': allowed === undefined ? '*' : origin,
      'Access-Control-Expose-Headers': EXPOSED,
    };
  };
  return {
    headersFor,
    preflightHeadersFor: (origin) => {
      const headers = headersFor(origin);
      if (headers === NONE) return NONE;
      return {
        ...headers,
        'Access-Control-Allow-Methods': 'GET, HEAD, OPTIONS',
        'Access-Control-Allow-Headers': 'Authorization, Accept, If-None-Match, X-Request-Id',
        'Access-Control-Max-Age': String(maxAgeSeconds),
      };
    },
    variesByOrigin: allowed !== undefined,
  };
}
