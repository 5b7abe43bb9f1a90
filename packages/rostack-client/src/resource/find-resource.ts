import {
  type AnyDiscoveryDocument,
  checkFilter,
  type JsonObject,
  parseFilter,
  type Resource,
} from 'rostack-core';
import { UsageError } from '../error/errors.ts';

/** The resource as discovery declares it. @throws UsageError `invalid_options` */
export function findResource({ resources }: AnyDiscoveryDocument, name: string): Resource {
  const found = resources.find((resource) => resource.name === name);
  if (found !== undefined) return found;
  const names = resources.map((resource) => resource.name).join(', ');
  throw new UsageError(`the server has no resource "${name}"; it has: ${names}`);
}

/**
 * Makes sure before anything is sent that the server can take a filter.
 * @throws FilterError of rostack-core, `invalid_filter` or `unsupported_filter`
 */
export function checkResourceFilter(
  { capabilities }: AnyDiscoveryDocument,
  resource: Resource,
  filter: JsonObject | undefined,
): void {
  if (filter === undefined) return;
  checkFilter(parseFilter(filter), resource.filtering, capabilities.filter_operators);
}
