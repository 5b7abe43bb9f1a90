import type { Site } from './site.ts';

const LOOPBACK_HOST = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/;

/**
 * Scheme and host of absolute links: the configured one, else the request's own when it is loopback. A `Host` header
 * that names anything else is never believed.
 */
export function linkOrigin(site: Pick<Site, 'publicUrl' | 'ownUrl'>, host: string | undefined): string {
  if (site.publicUrl !== undefined) return site.publicUrl;
  return host !== undefined && LOOPBACK_HOST.test(host) ? `http://${host}` : site.ownUrl();
}
