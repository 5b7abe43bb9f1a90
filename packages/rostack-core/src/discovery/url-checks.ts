import { type Check, type Finding, read, readItems, unusableUrls } from '../model/check.ts';
import { URI_FORMAT, URI_PATTERN } from '../model/uri-pattern.ts';
import { RELEASES } from '../release/release.ts';

type Keys = Finding['keys'];

/** The place of every https or wss URL. */
function* urlPlaces(document: unknown): Iterable<Keys> {
  for (const name of ['discovery', 'json_api', 'websocket']) yield ['endpoints', name];
  for (const [index] of readItems(document, 'authentication', 'methods')) {
    yield ['authentication', 'methods', index, 'authorization_server_metadata'];
  }
  for (const [index] of readItems(document, 'resources')) yield ['resources', index, 'collection_url'];
  for (const keys of schemaPlaces(document)) yield [...keys, 'schema_url'];
  for (const [index] of readItems(document, 'alternate_versions')) {
    yield ['alternate_versions', index, 'discovery_url'];
  }
}

/** The place of everything that has an owned schema. */
function* schemaPlaces(document: unknown): Iterable<Keys> {
  for (const [index, resource] of readItems(document, 'resources')) {
    for (const list of ['representations', 'events']) {
      for (const [item] of readItems(resource, list)) yield ['resources', index, list, item];
    }
  }
}

/** The place of every URI of another scheme. */
function* uriPlaces(document: unknown): Iterable<Keys> {
  yield ['implementation', 'documentation_url'];
  for (const keys of schemaPlaces(document)) yield [...keys, 'schema_dialect'];
}

export const URL_CHECKS: readonly Check[] = [
  {
    name: 'url_usable',
    releases: RELEASES,
    find: (document) => unusableUrls(document, urlPlaces(document)),
  },
  {
    name: 'uri_valid',
    releases: RELEASES,
    *find(document) {
      for (const keys of uriPlaces(document)) {
        const uri = read(document, ...keys.map(String));
        if (typeof uri !== 'string' || !URI_FORMAT.test(uri) || URI_PATTERN.test(uri)) continue;
        yield { keys, message: 'must be an absolute URI (RFC 3986)' };
      }
    },
  },
];
