import {
  type Fault,
  hasCode,
  JSON_MEDIA_TYPE,
  PROTOCOL_VERSION,
  parseCollection,
  type Resource,
} from 'rostack-core';
import type { Watch } from '../../check/check.ts';
import { fieldsNamed, mediaTypeOf } from '../../probe/http/exchange.ts';
import { placesOf } from '../../probe/place/place-of.ts';

const API_VERSION = 'json.version.api';
const PROTOCOL = 'json.version.protocol';
const PROTOCOL_EVERYWHERE = 'version.protocol';
const CONTENT_TYPE = 'json.content-type';
const CLOSED = 'json.collection.closed';
const NEXT_CURSOR = 'json.page.next-cursor';
const EVENT_CURSOR = 'json.page.event-cursor';

/** Every list and item names the versions and its media type; every list has the right shape. */
export const successes: Watch = {
  name: 'speaks.successes',
  level: 'speaks',
  requirements: [API_VERSION, PROTOCOL, PROTOCOL_EVERYWHERE, CONTENT_TYPE, CLOSED, NEXT_CURSOR, EVENT_CURSOR],
  watch(exchange, { discovery, findings }) {
    const { method, status, url, responseHeaders, json } = exchange;
    if (status !== 200 || (method !== 'GET' && method !== 'HEAD')) return;
    const place = placesOf(discovery)(url);
    if (place?.resource === undefined) return;
    const { operation, resource } = place;
    const { api_version: wanted } = discovery.implementation;
    const [apiVersion] = fieldsNamed(responseHeaders, 'x-rostack-api-version');
    findings.judge(API_VERSION, apiVersion === wanted, () => ({
      expected: `X-Rostack-API-Version is that of discovery: ${wanted}.`,
      got: apiVersion ?? 'The field is missing.',
      exchange,
    }));
    const [protocol] = fieldsNamed(responseHeaders, 'x-rostack-protocol-version');
    findings.judge(PROTOCOL, protocol === PROTOCOL_VERSION, () => ({
      expected: `X-Rostack-Protocol-Version is ${PROTOCOL_VERSION}.`,
      got: protocol ?? 'The field is missing.',
      exchange,
    }));
    if (protocol !== undefined) {
      findings.judge(PROTOCOL_EVERYWHERE, protocol === PROTOCOL_VERSION, () => ({
        expected: `The protocol version is ${PROTOCOL_VERSION}, wherever it is said.`,
        got: protocol,
        exchange,
      }));
    }
    const mediaType = mediaTypeOf(exchange);
    const advertised = resource.representations.map(({ media_type }) =>
      media_type.split(';')[0]?.trim().toLowerCase(),
    );
    findings.judge(CONTENT_TYPE, advertised.includes(mediaType), () => ({
      expected: `Content-Type names a representation that is advertised: ${advertised.join(', ')}.`,
      got: mediaType === '' ? 'The field is missing.' : `${mediaType}.`,
      exchange,
    }));
    if (operation !== 'list' || method !== 'GET' || mediaType !== JSON_MEDIA_TYPE) return;
    const faults = collectionFaults(json, resource);
    for (const [id, path] of [
      [CLOSED, undefined],
      [NEXT_CURSOR, '/page/next_cursor'],
      [EVENT_CURSOR, '/page/event_cursor'],
    ] as const) {
      if (id === EVENT_CURSOR && resource.events.length === 0) continue;
      const fault = faults.find((found) =>
        path === undefined ? !CURSORS.includes(found.path) : found.path === path,
      );
      findings.judge(id, fault === undefined, () => ({
        expected: 'A list is an object with items and page, as the protocol has them.',
        got: fault === undefined ? '' : `${fault.path === '' ? 'The body' : fault.path} ${fault.message}.`,
        exchange,
      }));
    }
  },
};

const CURSORS: readonly string[] = ['/page/next_cursor', '/page/event_cursor'];

function collectionFaults(body: unknown, resource: Resource): readonly Fault[] {
  try {
    const { page } = parseCollection(body, resource);
    if (page.has_more === (page.next_cursor !== null)) return [];
    const message = `is ${page.next_cursor === null ? 'null' : 'a string'} while has_more is ${page.has_more}`;
    return [{ check: 'has_more', path: '/page/next_cursor', message }];
  } catch (error) {
    if (
      hasCode<Error & { readonly code: string; readonly faults: readonly Fault[] }>(
        error,
        'invalid_collection',
      )
    )
      return error.faults;
    throw error;
  }
}
