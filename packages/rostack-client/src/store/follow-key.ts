import { hashFilter, type JsonObject, parseFilter } from 'rostack-core';

const HASH_LENGTH = 32;

/**
 * The key of a follow that names none: the resource, and a hash of the filter's normal form (128 bits in hexadecimal digits), or `all`.
 * Filters of the same meaning and form share a key; event types and encoding make no difference to a follow's state.
 * @throws FilterError of rostack-core
 */
export function followKey(resource: string, filter: JsonObject | undefined): string {
  const selection = filter === undefined ? 'all' : hashFilter(parseFilter(filter)).slice(0, HASH_LENGTH);
  return `${resource}~${selection}`;
}
