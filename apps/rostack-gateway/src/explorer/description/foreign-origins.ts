import type { DiscoveryDocument } from 'rostack-core';

/** The origins, in https, that a client has to ask besides that of the discovery document. */
export function foreignOrigins({ endpoints, resources }: DiscoveryDocument): readonly string[] {
  const urls = [
    endpoints.json_api,
    endpoints.websocket.replace(/^wss:/, 'https:'),
    ...resources.flatMap((one) => [one.collection_url, one.item_url_template]),
  ];
  const own = new URL(endpoints.discovery).origin;
  return [...new Set(urls.map((url) => new URL(url).origin))].filter((origin) => origin !== own);
}
