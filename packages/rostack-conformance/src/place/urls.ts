import { parseUriTemplate, type Resource } from 'rostack-core';

/** The URL of a record. */
export const itemUrl = ({ item_url_template }: Pick<Resource, 'item_url_template'>, id: string): string =>
  parseUriTemplate(item_url_template).expand({ id });

/** The URL of a list with a query, percent-encoded: a plus is not everywhere a space. */
export function listUrl(
  { collection_url: url }: Pick<Resource, 'collection_url'>,
  query: Readonly<Record<string, string>> = {},
): string {
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  if (pairs.length === 0) return url;
  return `${url}${url.includes('?') ? '&' : '?'}${pairs.join('&')}`;
}
