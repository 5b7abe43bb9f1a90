import { type AnyDiscoveryDocument, parseUriTemplate } from 'rostack-core';

const SAMPLE_ID = 'id';

/** Every https origin that a client asks; that of the discovery document comes first. The gateway is listed by its https origin. */
export function askedOrigins({ endpoints, resources }: AnyDiscoveryDocument): readonly string[] {
  const urls = [
    endpoints.discovery,
    endpoints.json_api,
    endpoints.websocket.replace(/^wss:/, 'https:'),
    ...resources.flatMap((one) => [
      one.collection_url,
      parseUriTemplate(one.item_url_template).expand({ id: SAMPLE_ID }),
    ]),
  ];
  return [...new Set(urls.map((url) => new URL(url).origin))];
}
