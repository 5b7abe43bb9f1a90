import { RELAY_FAILURE_HEADER } from '../../description/explorer-data.ts';

/** The address of the page's own server that passes a request to `url` on, by the same kind of scheme. */
export function relayedUrl(relay: string, url: string | URL): URL {
  const address = new URL(relay, location.href);
  if (String(url).startsWith('ws')) address.protocol = address.protocol.replace('http', 'ws');
  address.searchParams.set('url', String(url));
  return address;
}

/** A `fetch` by way of the page's own server; it rejects where the server behind it cannot be reached. */
export function relayedFetch(relay: string): typeof fetch {
  return async (input, init) => {
    const url = input instanceof Request ? input.url : input;
    const response = await fetch(relayedUrl(relay, url), init);
    if (response.headers.has(RELAY_FAILURE_HEADER)) throw new TypeError(await response.text());
    return response;
  };
}
