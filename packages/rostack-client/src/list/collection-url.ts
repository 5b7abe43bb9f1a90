import { parseUriTemplate } from 'rostack-core';

/** The URL of one page: parameters that the template has a variable for go there, the others into the query. */
export function collectionUrl(
  template: string,
  parameters: Readonly<Record<string, string | undefined>>,
): string {
  const parsed = parseUriTemplate(template);
  const url = parsed.expand(parameters);
  const rest = Object.entries(parameters).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !parsed.variables.includes(entry[0]),
  );
  if (rest.length === 0) return url;
  const query = rest.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  return `${url}${url.includes('?') ? '&' : '?'}${query}`;
}
