import type { AnyDiscoveryDocument, JsonSchema } from 'rostack-core';
import {
  aBoolean,
  aFunction,
  anObject,
  aSignal,
  isLoopback,
  listOf,
  optional,
  optionsOf,
} from 'rostack-core/client';
import { joinSignals, SYSTEM_CLOCK } from '../../connection/platform/platform.ts';
import {
  ClientError,
  checkUsage,
  NetworkError,
  ResponseError,
  UntrustedUrlError,
} from '../../http/error/errors.ts';
import { readJsonAnswer } from '../../http/json-answer.ts';
import { documentsOf } from './documents-of.ts';

/** Options of `readSchemas`. */
export interface ReadSchemasOptions {
  /** Asks for https URLs on loopback over http, as `connect` does. @default false */
  readonly allowInsecureLoopback?: boolean;
  /** @default the platform's */
  readonly fetch?: typeof globalThis.fetch;
  /**
   * Ends the requests when it is aborted, with the signal's reason.
   * @default none
   */
  readonly signal?: AbortSignal;
}

const readSchemasOptions = optionsOf<ReadSchemasOptions>({
  allowInsecureLoopback: optional(aBoolean),
  fetch: optional(aFunction),
  signal: optional(aSignal),
});

const MEDIA_TYPES = ['application/schema+json', 'application/json'];
const MAX_SCHEMAS = 1_000;
const MAX_SCHEMA_BYTES = 10_485_760;
const TIMEOUT_MS = 30_000;
const READ_AT_ONCE = 8;

/**
 * Reads every schema that a discovery document advertises, and those that they refer to, by URL: at most 1,000, of 10 MiB each. Schemas
 * are public: no credentials are sent.
 * @throws UsageError, UntrustedUrlError, NetworkError, ResponseError and the other errors of a request
 * @see protocol section 2, owned schemas
 */
export async function readSchemas(
  discovery: AnyDiscoveryDocument,
  options: ReadSchemasOptions = {},
): Promise<ReadonlyMap<string, JsonSchema>> {
  checkUsage(anObject, discovery, 'discovery');
  const { resources } = discovery;
  checkUsage(listOf(anObject), resources, 'discovery.resources');
  checkUsage(readSchemasOptions, options);
  const schemas = new Map<string, JsonSchema>();
  let pending = resources.flatMap(({ representations, events }) =>
    [...representations, ...events].map(({ schema_url: url }) => url),
  );
  while (pending.length > 0) {
    const missing = [...new Set(pending)].filter((url) => !schemas.has(url));
    if (schemas.size + missing.length > MAX_SCHEMAS) {
      throw new ResponseError(`the server has more than ${MAX_SCHEMAS} schemas`);
    }
    pending = [];
    for (let at = 0; at < missing.length; at += READ_AT_ONCE) {
      const urls = missing.slice(at, at + READ_AT_ONCE);
      const read = await Promise.all(urls.map(async (url) => [url, await readSchema(url, options)] as const));
      for (const [url, schema] of read) {
        schemas.set(url, schema);
        pending.push(...documentsOf(schema, url));
      }
    }
  }
  return schemas;
}

async function readSchema(advertised: string, options: ReadSchemasOptions): Promise<JsonSchema> {
  const url = askedUrl(advertised, options);
  const { fetch = globalThis.fetch, signal } = options;
  const joined = joinSignals([signal], { clock: SYSTEM_CLOCK, afterMs: TIMEOUT_MS });
  try {
    const response = await fetch(url, {
      headers: { accept: MEDIA_TYPES.join(', ') },
      redirect: 'manual',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      signal: joined.signal,
    });
    const type = MEDIA_TYPES.find((one) => response.headers.get('content-type')?.startsWith(one));
    const { value } = await readJsonAnswer(response, url, {
      maxBytes: MAX_SCHEMA_BYTES,
      release: '2026-08-12',
      mediaType: type ?? MEDIA_TYPES[0],
    });
    if (value === true || value === false) return value ? {} : { not: {} };
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonSchema;
    throw new ResponseError(`${url} is not a JSON Schema`);
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof ClientError) throw error;
    throw new NetworkError(url, error);
  } finally {
    joined.release();
  }
}

function askedUrl(advertised: string, { allowInsecureLoopback = false }: ReadSchemasOptions): string {
  const url = URL.parse(advertised);
  if (url?.protocol !== 'https:')
    throw new UntrustedUrlError('the server advertises a schema that is not at https://');
  if (allowInsecureLoopback && isLoopback(url.hostname)) url.protocol = 'http:';
  return url.href;
}
