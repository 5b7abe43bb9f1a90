import type { AnyDiscoveryDocument, DecimalFields, JsonObject, Predicate, Resource } from 'rostack-core';
import { checkFilter, compileFilter, hashFilter, parseFilter, readDecimals } from 'rostack-core/filter';

/**
 * Makes sure before anything is sent that the server can take a filter.
 * @throws FilterError of rostack-core, `invalid_filter` or `unsupported_filter`
 */
export function checkResourceFilter(
  { capabilities }: AnyDiscoveryDocument,
  resource: Resource,
  filter: JsonObject,
): void {
  checkFilter(parseFilter(filter), resource.filtering, capabilities.filter_operators);
}

/** The same for filters of the same meaning and form, 64 hexadecimal digits. @throws FilterError */
export function filterHash(filter: JsonObject): string {
  return hashFilter(parseFilter(filter));
}

/** Whether a record matches. @param decimals fields whose strings compare as numbers @throws FilterError */
export function filterMatcher(filter: JsonObject, decimals: DecimalFields): Predicate {
  return compileFilter(readDecimals(parseFilter(filter), decimals));
}
