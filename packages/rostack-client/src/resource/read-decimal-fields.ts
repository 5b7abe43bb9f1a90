import type { DecimalFields, JsonSchema, Resource } from 'rostack-core';
import { JSON_MEDIA_TYPE } from 'rostack-core/client';
import { decimalFields } from 'rostack-core/records';
import { ClientError } from '../error/errors.ts';
import { documentsOf, isObject } from '../schema/documents-of.ts';
import type { JsonApi } from './json-api.ts';

const SCHEMA_MEDIA_TYPE = 'application/schema+json';
/** Schemas that are read at most, those that others refer to included. */
const MAX_SCHEMAS = 50;

/**
 * The fields that compare as numbers though they are strings, by the schema of the records that the server publishes. A
 * schema that cannot be read says of none.
 */
export async function readDecimalFields(
  api: JsonApi,
  resource: Resource,
  signal: AbortSignal,
): Promise<DecimalFields> {
  const ofRecords = resource.representations.find(({ media_type: type }) => type === JSON_MEDIA_TYPE);
  const schemas = new Map<string, JsonSchema>();
  const urls = [ofRecords?.schema_url ?? ''];
  for (let url = urls.pop(); url !== undefined; url = urls.pop()) {
    if (schemas.has(url) || schemas.size >= MAX_SCHEMAS) continue;
    const schema = await readSchema(api, url, signal);
    schemas.set(url, schema);
    urls.push(...documentsOf(schema, url));
  }
  return decimalFields(resource, schemas);
}

async function readSchema(api: JsonApi, url: string, signal: AbortSignal): Promise<JsonSchema> {
  try {
    const { value } = await api.getJson(url, { signal, mediaType: SCHEMA_MEDIA_TYPE });
    return isObject(value) ? (value as JsonSchema) : {};
  } catch (error) {
    if (error instanceof ClientError && !error.retryable) return {};
    throw error;
  }
}
