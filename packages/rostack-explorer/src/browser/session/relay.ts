import { RELAY_FAILURE_HEADER } from '../../description/explorer-data.ts';

/** The address at which the page's own server passes a request on to `url`; `ws` stays `ws`. */
export function relayedUrl(relay: string, url: string | URL): URL {
  const address = new URL(relay, location.href);
  if (String(url).startsWith('ws')) address.protocol = address.protocol.replace('http', 'ws');
  address.searchParams.set('url', String(url));
  return address;
}

/** A `fetch` through the page's own server; it rejects when the server behind it cannot be reached. */
export function relayedFetch(relay: string): typeof fetch {
  return async (input, init) => {
    const url = input instanceof Request ? input.url : input;
    const response = await fetch(relayedUrl(relay, url), init);
    if (response.headers.has(RELAY_FAILURE_HEADER)) throw new TypeError(await response.text());
    return response;
  };
}

/** Documents only advertise https, but on a developer's machine the page's server may speak http. */
export function asPageIsServed(url: string): string {
  const isOwn = location.protocol === 'http:' && new URL(url).host === location.host;
  return isOwn ? url.replace(/^https:/, 'http:') : url;
}
