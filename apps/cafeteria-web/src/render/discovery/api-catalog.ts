/** Media type of the catalogue. @see https://www.rfc-editor.org/rfc/rfc9727#section-4.2 */
export const API_CATALOG_TYPE = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

/** The site's APIs as a link set. @see https://www.rfc-editor.org/rfc/rfc9727 https://www.rfc-editor.org/rfc/rfc9264 */
export function apiCatalog(origin: string): object {
  const doc = [{ href: `${origin}/llms.txt`, type: 'text/plain' }];
  const status = [{ href: `${origin}/api/health`, type: 'application/json' }];
  const openapi = [{ href: `${origin}/openapi.json`, type: 'application/vnd.oai.openapi+json;version=3.1' }];
  const card = [{ href: `${origin}/.well-known/mcp/server-card.json`, type: 'application/json' }];
  return {
    linkset: [
      { anchor: `${origin}/proxy/search`, 'service-desc': openapi, 'service-doc': doc, status },
      { anchor: `${origin}/restaurants/`, 'service-desc': openapi, 'service-doc': doc, status },
      { anchor: `${origin}/rss.xml`, 'service-desc': openapi, 'service-doc': doc, status },
      { anchor: `${origin}/mcp`, 'service-desc': card, 'service-doc': doc, status },
    ],
  };
}
