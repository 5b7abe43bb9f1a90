import type { AnyDiscoveryDocument } from 'rostack-core';

/** The hosts (with their ports) of every HTTP URL that a discovery document advertises. */
export function advertisedHosts(discovery: AnyDiscoveryDocument): string[] {
  const urls = [
    discovery.endpoints.discovery,
    discovery.endpoints.json_api,
    ...discovery.resources.flatMap(({ collection_url, item_url_template, representations, events }) => [
      collection_url,
      item_url_template,
      ...representations.map(({ schema_url }) => schema_url),
      ...events.map(({ schema_url }) => schema_url),
    ]),
  ];
  return [...new Set(urls.map((url) => new URL(originOf(url)).host))];
}

/**
 * A host in the form in which hosts are compared: lower case, without the default port of https, which clients may add (RFC 9110 section
 * 4.2.3).
 */
export function comparedHost(host: string): string {
  return host.toLowerCase().replace(/:443$/, '');
}

/** Origin of an absolute URL or of a URI template with a literal origin. */
export function originOf(url: string): string {
  const pathStart = url.slice(url.indexOf('://') + 3).search(/[/?#{]/);
  return pathStart === -1 ? url : url.slice(0, url.indexOf('://') + 3 + pathStart);
}
