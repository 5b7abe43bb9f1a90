import type { IncomingHttpHeaders } from 'node:http';
import { documentKey, pageKey } from './ready-key.ts';
import type { Rendering } from './rendering.ts';
import type { Site } from './site.ts';

/** What a request without a body asks for. */
export interface ReadyRequest {
  readonly method?: string | undefined;
  /** Path and query as sent. */
  readonly url?: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

export interface ReadyAnswer {
  readonly rendering: Rendering;
  readonly route: string;
  /** True where the answer counts towards the limit of searches. */
  readonly limited: boolean;
}

const FEED = /^[^?]+(?:\/rss\.xml|\.ics)(?:\?|$)/;
/** With a configured origin links do not depend on the host, but what is no host is no request either. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

type Sources = Pick<Site, 'feed' | 'nowMs' | 'ownUrl' | 'publicUrl' | 'renderings' | 'searches'>;

/**
 * The answer that is ready for this request, as the routes would give it: a page, a feed or a search that was rendered
 * before and may be shown without asking for its data. Nothing that belongs to one visitor is ever ready.
 */
export function findReady(site: Sources, request: ReadyRequest): ReadyAnswer | undefined {
  const { method, url = '', headers } = request;
  const { host } = headers;
  if ((method !== 'GET' && method !== 'HEAD') || host === undefined || !HOST.test(host)) return undefined;
  if (url.startsWith('/proxy/search?')) {
    const found = site.searches.recent(url, site.nowMs());
    return found === undefined ? undefined : { ...found, limited: true };
  }
  if (url === '/rss.xml') {
    const rendering = site.feed.ready;
    return rendering === undefined ? undefined : { rendering, route: url, limited: false };
  }
  // The home page of a visitor with a cookie may be that visitor's own.
  const page = url.startsWith('/restaurants/') || (url === '/' && headers.cookie === undefined);
  if (!page) return undefined;
  const fields = { accept: headers.accept, acceptLanguage: headers['accept-language'], host };
  const key = FEED.test(url) ? documentKey(site, host, url) : pageKey(site, fields, url);
  const found = site.renderings.recent(key, site.nowMs());
  return found === undefined ? undefined : { ...found, limited: false };
}
