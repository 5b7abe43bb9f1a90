import { readFile } from 'node:fs/promises';
import type { AnyDiscoveryDocument, DescribedImplementation, JsonSchema } from 'rostack-core';
import { fetchJson } from './fetch-json.ts';
import { isBundle, parseBundle, readDiscovery } from './implementation-bundle.ts';

const DISCOVERY_PATH = '/.well-known/rostack';
const MAX_SCHEMAS = 1_000;

/** An implementation that cannot be read, with the place. */
export class LoadImplementationError extends Error {
  override readonly name = 'LoadImplementationError';
  readonly code = 'implementation_unreadable';
  readonly retryable = false;
}

export interface LoadOptions {
  /** PEM of further certificate authorities, such as a development certificate. */
  readonly authorities?: string | undefined;
  readonly timeoutMs: number;
}

/**
 * Reads a discovery document and every schema that it advertises: from a URL (of the document, or of the server), from a file that
 * holds the document, or from one that holds the schemas too, as `{ discovery, schemas }`.
 * @throws LoadImplementationError `implementation_unreadable`
 */
export async function loadImplementation(
  place: string,
  options: LoadOptions,
): Promise<DescribedImplementation> {
  try {
    const value = /^https?:\/\//.test(place)
      ? await fetchJson(discoveryUrl(place), options)
      : (JSON.parse(await readFile(place, 'utf8')) as unknown);
    if (isBundle(value)) return parseBundle(value);
    const discovery = readDiscovery(value);
    return { discovery, schemas: await fetchSchemas(discovery, options) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new LoadImplementationError(`${place}: ${reason}`, { cause: error });
  }
}

function discoveryUrl(place: string): string {
  const url = new URL(place);
  if (url.pathname === '/') url.pathname = DISCOVERY_PATH;
  return url.href;
}

async function fetchSchemas(
  discovery: AnyDiscoveryDocument,
  options: LoadOptions,
): Promise<Map<string, JsonSchema>> {
  const schemas = new Map<string, JsonSchema>();
  const pending = discovery.resources.flatMap(({ representations, events }) =>
    [...representations, ...events].map(({ schema_url }) => schema_url),
  );
  for (let url = pending.pop(); url !== undefined; url = pending.pop()) {
    if (schemas.has(url)) continue;
    if (schemas.size === MAX_SCHEMAS) throw new Error(`it has more than ${MAX_SCHEMAS} schemas`);
    const schema = (await fetchJson(url, options)) as JsonSchema;
    schemas.set(url, schema);
    pending.push(...referencesOf(schema, url));
  }
  return schemas;
}

/** URLs of other documents that a schema refers to. */
function referencesOf(schema: unknown, base: string): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([keyword, value]) => {
    if ((keyword !== '$ref' && keyword !== '$dynamicRef') || typeof value !== 'string')
      return referencesOf(value, base);
    if (!URL.canParse(value, base)) return [];
    const url = new URL(value, base);
    url.hash = '';
    return url.href === base || !url.protocol.startsWith('http') ? [] : [url.href];
  });
}
