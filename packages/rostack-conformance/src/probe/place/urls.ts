import { hasCode, parseUriTemplate, type Resource, type UriTemplateError } from 'rostack-core';

/** The URL of a record. In a malformed template, which the checks of discovery report, only `{id}` is expanded. */
export function itemUrl(
  { item_url_template: template }: Pick<Resource, 'item_url_template'>,
  id: string,
): string {
  try {
    return parseUriTemplate(template).expand({ id });
  } catch (error) {
    if (!hasCode<UriTemplateError>(error, 'invalid_uri_template')) throw error;
    return template.replaceAll('{id}', encodeURIComponent(id));
  }
}

/** The URL of a list with a query, percent-encoded, because not everyone reads a plus as a space. */
export function listUrl(
  { collection_url: url }: Pick<Resource, 'collection_url'>,
  query: Readonly<Record<string, string>> = {},
): string {
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  if (pairs.length === 0) return url;
  return `${url}${url.includes('?') ? '&' : '?'}${pairs.join('&')}`;
}
