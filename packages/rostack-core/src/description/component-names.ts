import type { AnyDiscoveryDocument } from '../wire/discovery/discovery-model.ts';
import { JSON_MEDIA_TYPE } from '../wire/discovery/resource-model.ts';

/**
 * Names the schema documents, by URL, in the characters that OpenAPI and AsyncAPI allow: after their resource or event, or else by the
 * last part of the URL.
 * @param taken names that are already in use
 */
export function componentNames(
  { resources }: AnyDiscoveryDocument,
  urls: Iterable<string>,
  taken: readonly string[],
): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const used = new Set(taken);
  const give = (url: string, wanted: string): void => {
    if (names.has(url)) return;
    const name = unusedName(wanted.replaceAll(/[^\w.-]+/g, '-'), used);
    used.add(name);
    names.set(url, name);
  };
  for (const { name, representations, events } of resources) {
    for (const { media_type: mediaType, schema_url: url } of representations) {
      give(url, mediaType === JSON_MEDIA_TYPE ? name : `${name}.${mediaType.replace(/^[^/]*\//, '')}`);
    }
    for (const event of events) give(event.schema_url, event.name);
  }
  for (const url of urls) give(url, lastPart(url));
  return names;
}

/** The wanted name, with a number if it is in use. */
export function unusedName(wanted: string, used: ReadonlySet<string>): string {
  if (!used.has(wanted)) return wanted;
  let count = 2;
  while (used.has(`${wanted}-${count}`)) count += 1;
  return `${wanted}-${count}`;
}

const lastPart = (url: string): string =>
  (/([^/?#]+)\/?(?:[?#].*)?$/.exec(url)?.[1] ?? 'schema').replace(/(?:\.schema)?\.json$/, '');
