import type { JsonObject, JsonValue } from '../../src/index.ts';

/** Evaluates the JSON of a filter word for word as the protocol says it, with no thought of speed: the measure for the real one. */
export function matchesNaively(filter: JsonObject, record: JsonValue): boolean {
  return Object.entries(filter).every(([name, value]) => {
    const filters = value as readonly JsonObject[];
    if (name === '$and') return filters.every((part) => matchesNaively(part, record));
    if (name === '$or') return filters.some((part) => matchesNaively(part, record));
    if (name === '$not') return !matchesNaively(value as JsonObject, record);
    const field = resolve(record, name);
    return Object.entries(value as JsonObject).every(([operator, operand]) =>
      holds(operator, field, operand),
    );
  });
}

function resolve(record: JsonValue, pointer: string): JsonValue | undefined {
  let value: JsonValue | undefined = record;
  for (const token of pointer.split('/').slice(1)) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(value)) value = String(Number(name)) === name ? value[Number(name)] : undefined;
    else if (typeof value === 'object' && value !== null) {
      value = new Map(Object.entries(value)).get(name);
    } else return undefined;
  }
  return value;
}

function holds(operator: string, value: JsonValue | undefined, operand: JsonValue): boolean {
  const members = Array.isArray(operand) ? (operand as readonly JsonValue[]) : [];
  switch (operator) {
    case 'eq':
      return equal(value, operand);
    case 'ne':
      return !equal(value, operand);
    case 'in':
      return members.some((member) => equal(value, member));
    case 'nin':
      return !members.some((member) => equal(value, member));
    case 'gt':
      return compare(value, operand) > 0;
    case 'gte':
      return compare(value, operand) >= 0;
    case 'lt':
      return compare(value, operand) < 0;
    case 'lte':
      return compare(value, operand) <= 0;
    case 'exists':
      return (value !== undefined) === operand;
    case 'contains':
      if (Array.isArray(value)) return value.some((member: JsonValue) => equal(member, operand));
      return typeof value === 'string' && typeof operand === 'string' && value.includes(operand);
    case 'starts_with':
      return typeof value === 'string' && value.startsWith(operand as string);
    case 'ends_with':
      return typeof value === 'string' && value.endsWith(operand as string);
    default:
      throw new Error(`no operator ${operator}`);
  }
}

function equal(value: JsonValue | undefined, operand: JsonValue): boolean {
  if (Array.isArray(value) && Array.isArray(operand)) {
    return value.length === operand.length && value.every((member, at) => equal(member, operand[at]));
  }
  return typeof value !== 'object' || value === null ? value === operand : false;
}

/** NaN, which is neither above nor below nor equal, where the two have no common order. */
function compare(value: JsonValue | undefined, operand: JsonValue): number {
  if (value === null && operand === null) return 0;
  if (typeof value !== typeof operand || value === undefined) return Number.NaN;
  if (typeof value === 'number' || typeof value === 'boolean') {
    return Number(value) - Number(operand);
  }
  if (typeof value !== 'string') return Number.NaN;
  const left = Array.from(value, (character) => character.codePointAt(0) ?? 0);
  const right = Array.from(operand as string, (character) => character.codePointAt(0) ?? 0);
  const at = left.findIndex((point, index) => point !== right[index]);
  if (at === -1) return left.length - right.length;
  return (left[at] ?? 0) - (right[at] ?? -1);
}
