import type { JsonSchema, Resource } from 'rostack-core';
import { JSON_MEDIA_TYPE } from 'rostack-core/client';
// Imported from the entry, from which all code that is loaded first can be reached: esbuild then keeps that code in one file.
import { ClientError } from '../index.ts';
import type { JsonApi } from './json-api.ts';
import { documentsOf, isObject } from './schema/documents-of.ts';

const SCHEMA_MEDIA_TYPE = 'application/schema+json';
/** The most schemas that are read, including those that others refer to. */
const MAX_SCHEMAS = 50;

/** The schema of a resource's records and those that it refers to, by URL. One that cannot be read allows anything. @throws ClientError */
export async function readRecordSchemas(
  api: JsonApi,
  { representations }: Resource,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, JsonSchema>> {
  const ofRecords = representations.find(({ media_type: type }) => type === JSON_MEDIA_TYPE);
  const schemas = new Map<string, JsonSchema>();
  const urls = [ofRecords?.schema_url ?? ''];
  for (let url = urls.pop(); url !== undefined; url = urls.pop()) {
    if (schemas.has(url) || schemas.size >= MAX_SCHEMAS) continue;
    const schema = await readSchema(api, url, signal);
    schemas.set(url, schema);
    urls.push(...documentsOf(schema, url));
  }
  return schemas;
}

async function readSchema(api: JsonApi, url: string, signal: AbortSignal | undefined): Promise<JsonSchema> {
  try {
    const { value } = await api.getJson(url, { signal, mediaType: SCHEMA_MEDIA_TYPE });
    return isObject(value) ? (value as JsonSchema) : {};
  } catch (error) {
    if (error instanceof ClientError && !error.retryable) return {};
    throw error;
  }
}
