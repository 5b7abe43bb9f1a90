import type { AnyDiscoveryDocument, Collations, JsonObject, Predicate, Resource } from 'rostack-core';
import { checkFilter, collateFilter, compileFilter, hashFilter, parseFilter } from 'rostack-core/filter';
import { loadLaterParts } from '../connection/platform/platform.ts';
import { findResource } from '../http/discovery-cache.ts';
import type { JsonApi } from '../list/json-api.ts';
import { readRecordSchemas } from '../list/read-record-schemas.ts';

/**
 * Makes sure that the server can take a filter, before anything is sent.
 * @throws FilterError of rostack-core, `invalid_filter` or `unsupported_filter`
 */
export function checkResourceFilter(
  { capabilities }: AnyDiscoveryDocument,
  resource: Resource,
  filter: JsonObject,
): void {
  checkFilter(parseFilter(filter), resource.filtering, capabilities.filter_operators);
}

/** Equal for filters of the same meaning and form; 64 hexadecimal digits. @throws FilterError */
export function filterHash(filter: JsonObject): string {
  return hashFilter(parseFilter(filter));
}

/** Finds, in the JSON text of a filter, a string that may have a collation: decimals and instants start with a digit. */
const COLLATED_OPERAND = /"-?\d/;
const NO_COLLATIONS: Collations = new Map();

/** Whether a record matches as on the server: strings compare by value where its schema says so. @throws ClientError */
export async function readMatcher(
  api: JsonApi,
  resource: string,
  filter: JsonObject,
  signal: AbortSignal,
): Promise<Predicate> {
  let collations = NO_COLLATIONS;
  if (COLLATED_OPERAND.test(JSON.stringify(filter))) {
    const found = findResource(api.newest, resource);
    const [{ fieldCollations }, schemas] = await Promise.all([
      loadLaterParts(),
      readRecordSchemas(api, found, signal),
    ]);
    collations = fieldCollations(found, schemas);
  }
  return compileFilter(collateFilter(parseFilter(filter), collations));
}
