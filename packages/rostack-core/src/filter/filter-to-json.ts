import type { JsonObject } from '../json.ts';
import type { Filter } from './filter.ts';

/**
 * The JSON of a filter. What `parseFilter` read comes back with the same meaning and within the same limits,
 * though members may stand elsewhere.
 * @see protocol section 6
 */
export function filterToJson(filter: Filter): JsonObject {
  switch (filter.kind) {
    case 'comparison':
      return Object.fromEntries([[filter.pointer, { [filter.operator]: filter.operand }]]);
    case 'not':
      return { $not: filterToJson(filter.filter) };
    case 'or':
      return { $or: filter.filters.map(filterToJson) };
    default:
      return conjunctionToJson(filter.filters);
  }
}

/** Each filter joins the one object as long as its member is free; the others follow in `$and`. */
function conjunctionToJson(filters: readonly Filter[]): JsonObject {
  const members = new Map<string, JsonObject | readonly JsonObject[]>();
  const rest: JsonObject[] = [];
  for (const filter of filters) {
    const json = filterToJson(filter);
    const entries = Object.entries(json) as [string, JsonObject][];
    if (filter.kind === 'comparison') addComparison(filter.pointer, json, members, rest);
    else if (entries.some(([name]) => members.has(name) || name === '$and')) rest.push(json);
    else for (const [name, value] of entries) members.set(name, value);
  }
  if (rest.length > 0) members.set('$and', rest);
  return Object.fromEntries(members);
}

function addComparison(
  pointer: string,
  json: JsonObject,
  members: Map<string, JsonObject | readonly JsonObject[]>,
  rest: JsonObject[],
): void {
  const operators = (members.get(pointer) ?? {}) as JsonObject;
  const added = json[pointer] as JsonObject;
  if (Object.keys(added).some((operator) => Object.hasOwn(operators, operator))) rest.push(json);
  else members.set(pointer, { ...operators, ...added });
}
