import {
  type AnyDiscoveryDocument,
  createUriMatcher,
  DISCOVERY_PATH,
  type HttpOperation,
  type Resource,
} from 'rostack-core';

/** What a URL is of the target's: an operation of the JSON API. */
export interface Place {
  readonly operation: HttpOperation;
  /** Undefined for discovery. */
  readonly resource?: Resource;
}

const withoutScheme = (url: string): string => url.replace(/^[a-z]+:/i, '').replace(/[?#].*$/s, '');

/** Tells the places of an implementation apart by their URLs, whatever their scheme and query. */
export function placesOf({ resources }: AnyDiscoveryDocument): (url: string) => Place | undefined {
  const items = resources.map((resource) => ({
    resource,
    matches: createUriMatcher(withoutScheme(resource.item_url_template)),
  }));
  return (url) => {
    const place = withoutScheme(url);
    if (place.endsWith(DISCOVERY_PATH)) return { operation: 'discovery' };
    const list = resources.find(({ collection_url }) => withoutScheme(collection_url) === place);
    if (list !== undefined) return { operation: 'list', resource: list };
    const item = items.find(({ matches }) => matches(place) !== undefined);
    return item && { operation: 'get', resource: item.resource };
  };
}
