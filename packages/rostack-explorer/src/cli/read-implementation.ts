import {
  type DescribedImplementation,
  DISCOVERY_PATH,
  type DiscoveryError,
  detectRelease,
  hasCode,
  isLoopback,
  type JsonObject,
  type JsonSchema,
  PROTOCOL_VERSION,
  parseDiscovery,
} from 'rostack-core';
import { fetchJson } from './fetch-json.ts';
import { OpenError } from './open-error.ts';

const MAX_SHOWN_FAULTS = 10;
const FETCHED_AT_ONCE = 8;

/** An implementation with the address of its discovery document. */
export interface OpenedImplementation extends DescribedImplementation {
  readonly url: URL;
}

/**
 * Reads a discovery document and the schemas that it advertises.
 * @param place an origin, or the URL of a discovery document; https, or http on loopback
 * @param token for what is not public; it is only sent to the origin of `place`
 * @throws OpenError
 */
export async function readImplementation(
  place: string,
  token: string | undefined,
): Promise<OpenedImplementation> {
  const url = documentUrl(place);
  const discovery = readDiscovery(await fetchJson(url, token), url);
  const schemaUrls = new Set(
    discovery.resources.flatMap(({ representations, events }) =>
      [...representations, ...events].map(({ schema_url: schemaUrl }) => schemaUrl),
    ),
  );
  const schemas = new Map<string, JsonSchema>();
  const pending = schemaUrls.values();
  const work = async () => {
    for (const schemaUrl of pending) schemas.set(schemaUrl, await readSchema(schemaUrl, url, token));
  };
  await Promise.all(Array.from({ length: FETCHED_AT_ONCE }, work));
  return { url, discovery, schemas };
}

/** The URL to ask for an advertised one: a server that was opened by http on loopback is asked by http throughout. */
export function askedUrl(advertised: string, { url }: Pick<OpenedImplementation, 'url'>): string {
  return url.protocol === 'http:' && isLoopback(new URL(advertised).hostname)
    ? advertised.replace(/^(http|ws)s:/, '$1:')
    : advertised;
}

function documentUrl(place: string): URL {
  const url = URL.parse(place);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new OpenError('invalid_url', 'pass a URL, such as https://data.example.com');
  }
  if (url.username !== '' || url.password !== '') {
    throw new OpenError('invalid_url', 'the URL contains credentials: leave them out');
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new OpenError('invalid_url', `${url.origin} is not https; http is for servers on this computer`);
  }
  if (url.pathname === '/' && url.search === '') url.pathname = DISCOVERY_PATH;
  url.hash = '';
  return url;
}

function readDiscovery(value: unknown, { origin, pathname }: URL): DescribedImplementation['discovery'] {
  const shown = origin + pathname;
  const { protocol } = (value ?? {}) as {
    readonly protocol?: { readonly name?: unknown; readonly version?: unknown };
  };
  if (protocol?.name !== 'rostack') {
    throw new OpenError('not_rostack', `${shown} is not the discovery document of a rostack implementation`);
  }
  if (protocol.version !== PROTOCOL_VERSION) {
    throw new OpenError(
      'not_rostack',
      `${shown} is of protocol version ${JSON.stringify(protocol.version)}, not ${PROTOCOL_VERSION}`,
    );
  }
  try {
    return parseDiscovery(value, { release: detectRelease(value) });
  } catch (cause) {
    if (!hasCode<DiscoveryError>(cause, 'invalid_discovery')) throw cause;
    const { faults } = cause;
    const more = faults.length > MAX_SHOWN_FAULTS ? [`  and ${faults.length - MAX_SHOWN_FAULTS} more`] : [];
    const lines = faults.slice(0, MAX_SHOWN_FAULTS).map(({ path, message }) => `  ${path}: ${message}`);
    throw new OpenError(
      'invalid_discovery',
      [`${shown} breaks the protocol:`, ...lines, ...more].join('\n'),
      { cause },
    );
  }
}

async function readSchema(advertised: string, url: URL, token: string | undefined): Promise<JsonSchema> {
  const schemaUrl = new URL(askedUrl(advertised, { url }));
  let schema: unknown;
  try {
    schema = await fetchJson(schemaUrl, schemaUrl.origin === url.origin ? token : undefined);
  } catch (cause) {
    if (!(cause instanceof OpenError)) throw cause;
    throw new OpenError('schema_unreadable', `a schema cannot be read: ${cause.message}`, { cause });
  }
  if (typeof schema === 'boolean') return schema ? {} : { not: {} };
  if (typeof schema === 'object' && schema !== null && !Array.isArray(schema)) return schema as JsonObject;
  throw new OpenError('schema_unreadable', `${advertised} is not a JSON Schema`);
}
