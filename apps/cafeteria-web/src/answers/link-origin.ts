const LOOPBACK_HOST = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/;

/** Scheme and host of the absolute links in an answer to a request with this `Host`. */
export type OriginOf = (host: string | undefined) => string;

/**
 * The configured origin, else the request's own when it is loopback. A `Host` header that names anything else is never
 * trusted.
 *
 * @param ownUrl where this process listens, for requests whose host is not trusted
 */
export function linkOrigin(publicUrl: string | undefined, ownUrl: () => string): OriginOf {
  if (publicUrl !== undefined) return () => publicUrl;
  return (host) => (host !== undefined && LOOPBACK_HOST.test(host) ? `http://${host}` : ownUrl());
}
