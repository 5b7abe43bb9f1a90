import {
  type AnyDiscoveryDocument,
  createUriMatcher,
  DISCOVERY_PATH,
  type HttpOperation,
  hasCode,
  type Resource,
  type UriMatcher,
  type UriTemplateError,
} from 'rostack-core';

/** What a URL of the target is for: an operation of the JSON API. */
export interface Place {
  readonly operation: HttpOperation;
  /** Undefined for discovery. */
  readonly resource?: Resource;
}

const withoutScheme = (url: string): string => url.replace(/^[a-z]+:/i, '').replace(/[?#].*$/s, '');

/** A malformed template matches nothing; the checks of discovery report it. */
function matcherOf({ item_url_template: template }: Resource): UriMatcher {
  try {
    return createUriMatcher(withoutScheme(template));
  } catch (error) {
    if (!hasCode<UriTemplateError>(error, 'invalid_uri_template')) throw error;
    return () => undefined;
  }
}

/** Finds what a URL of an implementation is for, regardless of its scheme and query. */
export function placesOf({ resources }: AnyDiscoveryDocument): (url: string) => Place | undefined {
  const items = resources.map((resource) => ({ resource, matches: matcherOf(resource) }));
  return (url) => {
    const place = withoutScheme(url);
    if (place.endsWith(DISCOVERY_PATH)) return { operation: 'discovery' };
    const list = resources.find(({ collection_url }) => withoutScheme(collection_url) === place);
    if (list !== undefined) return { operation: 'list', resource: list };
    const item = items.find(({ matches }) => matches(place) !== undefined);
    return item && { operation: 'get', resource: item.resource };
  };
}
