import type { JsonObject, Resource } from 'rostack-core';
import { loadLaterParts } from '../connection/platform/platform.ts';
import { ClientClosedError } from '../http/error/errors.ts';
import type { JsonApi } from './json-api.ts';

/** Tells where a filter can match nothing, by the published schema. What goes wrong meanwhile is nobody's concern, but the end of the client. */
export async function advise(
  api: JsonApi,
  resource: Resource,
  filter: JsonObject,
  signal: AbortSignal | undefined,
): Promise<void> {
  try {
    const { adviseOnFilter } = await loadLaterParts();
    for (const sentence of await adviseOnFilter(api, resource, filter, signal)) api.advise(sentence);
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof ClientClosedError) throw error;
  }
}
