import { get as getPlain } from 'node:http';
import { get as getSecure, type RequestOptions } from 'node:https';
import { text } from 'node:stream/consumers';
import { rootCertificates } from 'node:tls';
import {
  type AnyDiscoveryDocument,
  type DescribedImplementation,
  defineError,
  detectRelease,
  type JsonSchema,
  parseDiscovery,
  parseStrictJson,
} from 'rostack-core';
import { z } from 'zod';
import { errorMessage } from '../../text/error-message.ts';
import { readTextFile, sentenceOfFile } from '../../text/text-file.ts';

const DISCOVERY_PATH = '/.well-known/rostack';
const MAX_SCHEMAS = 1_000;

/** An implementation cannot be read; the message names its URL or file. */
export class LoadImplementationError extends defineError(
  'LoadImplementationError',
  'implementation_unreadable',
  false,
) {}

export interface LoadOptions {
  /** PEM of additional certificate authorities, such as a development certificate. */
  readonly authorities?: string | undefined;
  readonly timeoutMs: number;
  /** Cancels the request. @default only the timeout does */
  readonly signal?: AbortSignal;
}

/**
 * Reads a discovery document and every schema that it advertises: from a URL (of the document or of the server), from a file with the
 * document, or from a file that also has the schemas, as `{ discovery, schemas }`.
 * @throws LoadImplementationError `implementation_unreadable`
 */
export async function loadImplementation(
  place: string,
  options: LoadOptions,
): Promise<DescribedImplementation> {
  try {
    const value = /^https?:\/\//.test(place)
      ? await fetchJson(discoveryUrl(place), options)
      : parseStrictJson(await readTextFile(place));
    if (isBundle(value)) return parseBundle(value);
    const discovery = readDiscovery(value);
    return { discovery, schemas: await fetchSchemas(discovery, options) };
  } catch (error) {
    const reason = sentenceOfFile(error) ?? errorMessage(error);
    const advice = isMissing(error) ? `: name ${WHAT_TO_NAME}` : '';
    throw new LoadImplementationError(`${place}: ${reason}${advice}`, { cause: error });
  }
}

const WHAT_TO_NAME =
  'the URL of a server, a file with a discovery document, or a configuration that ends in .yaml';

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';

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

const MAX_BYTES = 10_485_760;

/** Fetches a JSON document. It follows no redirects, so that exactly the named document is compared. */
export async function fetchJson(
  url: string,
  { authorities, timeoutMs, signal }: LoadOptions,
): Promise<unknown> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const options: RequestOptions = {
    headers: { Accept: 'application/json' },
    signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    ...(authorities !== undefined && { ca: [...rootCertificates, authorities] }),
  };
  const get = url.startsWith('https:') ? getSecure : getPlain;
  const answer = await new Promise<string>((resolve, reject) => {
    get(url, options, (response) => {
      const { statusCode } = response;
      if (statusCode !== 200) {
        response.destroy();
        reject(new Error(`${url} answers ${statusCode}`));
        return;
      }
      let bytes = 0;
      response.on('data', (piece: Buffer) => {
        bytes += piece.length;
        if (bytes > MAX_BYTES) response.destroy(new Error(`${url} is larger than ${MAX_BYTES} bytes`));
      });
      text(response).then(resolve, reject);
    }).on('error', (error) => reject(new Error(`${url} cannot be reached: ${error.message}`)));
  });
  return parseStrictJson(answer);
}

const bundleModel = z.object({
  discovery: z.unknown(),
  schemas: z.record(z.string(), z.union([z.boolean(), z.record(z.string(), z.json())])),
});

/** A discovery document and the schemas that it advertises, as one JSON text. */
export function formatBundle({ discovery, schemas }: DescribedImplementation): string {
  return JSON.stringify({ discovery, schemas: Object.fromEntries(schemas) });
}

/** Whether a JSON value looks like a bundle. */
export function isBundle(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'discovery' in value && 'schemas' in value;
}

/** @throws DiscoveryError of rostack-core, ZodError */
export function parseBundle(value: unknown): DescribedImplementation {
  const { discovery, schemas } = bundleModel.parse(value);
  return {
    discovery: readDiscovery(discovery),
    schemas: new Map(Object.entries(schemas as Record<string, JsonSchema>)),
  };
}

/** Reads a discovery document of any release. @throws DiscoveryError of rostack-core */
export function readDiscovery(value: unknown): AnyDiscoveryDocument {
  return parseDiscovery(value, { release: detectRelease(value) });
}
