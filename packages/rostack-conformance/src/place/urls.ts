import { parseUriTemplate, type Resource } from 'rostack-core';

/** The URL of a record. */
export const itemUrl = ({ item_url_template }: Pick<Resource, 'item_url_template'>, id: string): string =>
  parseUriTemplate(item_url_template).expand({ id });

/** The URL of a list with a query. */
export function listUrl(
  { collection_url }: Pick<Resource, 'collection_url'>,
  query: Readonly<Record<string, string>> = {},
): string {
  const url = new URL(collection_url);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
}
