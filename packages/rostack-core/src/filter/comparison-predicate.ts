import type { JsonObject, JsonScalar } from '../json.ts';
import type { FilterComparison, FilterOperand, FilterOperator } from './filter.ts';
import { not, type Predicate } from './predicate.ts';
import { type MemberRead, memberRead, readPath, readPlain } from './read-member.ts';
import { contains, endsWith, equalTo, oneOf, ordered, startsWith, type ValueTest } from './value-test.ts';

/** The predicate of one comparison. `ne`, `nin` and `exists: false` are exact negations, so they match a missing field. */
export function comparisonPredicate({ path, operator, operand }: FilterComparison): Predicate {
  switch (operator) {
    case 'ne':
      return not(positive(path, 'eq', operand));
    case 'nin':
      return not(positive(path, 'in', operand));
    case 'exists':
      return operand === true ? positive(path, operator, true) : not(positive(path, operator, true));
    default:
      return positive(path, operator, operand);
  }
}

type PositiveOperator = Exclude<FilterOperator, 'ne' | 'nin'>;

/** A predicate that a missing field does not match. */
function positive(path: readonly string[], operator: PositiveOperator, operand: FilterOperand): Predicate {
  const reads = path.map(memberRead);
  const [read] = reads;
  if (reads.length === 1 && read !== undefined && read.place >= 0) {
    return plainMemberPredicate(read, operator, operand);
  }
  const test = valueTest(operator, operand);
  return (record) => {
    const value = readPath(record, reads);
    return value !== undefined && test(value);
  };
}

function valueTest(operator: PositiveOperator, operand: FilterOperand): ValueTest {
  switch (operator) {
    case 'eq':
      return equalTo(operand);
    case 'in':
      return oneOf(operand as readonly JsonScalar[]);
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return ordered(operator, operand);
    case 'contains':
      return contains(operand);
    case 'starts_with':
      return startsWith(operand as string);
    case 'ends_with':
      return endsWith(operand as string);
    default:
      return () => true;
  }
}

/** The same for a member of the record itself; the commonest operators are written out, which saves a call. */
function plainMemberPredicate(
  { name, place }: MemberRead,
  operator: PositiveOperator,
  operand: FilterOperand,
): Predicate {
  if (operator === 'eq' && typeof operand === 'string') {
    return (record) => isObject(record) && readPlain(record, name, place) === operand;
  }
  // Not one with the above: an engine compares faster where it has only ever seen strings.
  if (operator === 'eq' && typeof operand === 'number') {
    return (record) => isObject(record) && readPlain(record, name, place) === operand;
  }
  if (operator === 'in') {
    const members = new Set<unknown>(operand as readonly JsonScalar[]);
    return (record) => isObject(record) && members.has(readPlain(record, name, place));
  }
  if (typeof operand === 'number') {
    const predicate = numberOrderPredicate({ name, place }, operator, operand);
    if (predicate !== undefined) return predicate;
  }
  const test = valueTest(operator, operand);
  return (record) => {
    const value = isObject(record) ? readPlain(record, name, place) : undefined;
    return value !== undefined && test(value);
  };
}

function numberOrderPredicate(
  { name, place }: MemberRead,
  operator: PositiveOperator,
  bound: number,
): Predicate | undefined {
  switch (operator) {
    case 'gt':
      return (record) => {
        const value = isObject(record) ? readPlain(record, name, place) : undefined;
        return typeof value === 'number' && value > bound;
      };
    case 'gte':
      return (record) => {
        const value = isObject(record) ? readPlain(record, name, place) : undefined;
        return typeof value === 'number' && value >= bound;
      };
    case 'lt':
      return (record) => {
        const value = isObject(record) ? readPlain(record, name, place) : undefined;
        return typeof value === 'number' && value < bound;
      };
    case 'lte':
      return (record) => {
        const value = isObject(record) ? readPlain(record, name, place) : undefined;
        return typeof value === 'number' && value <= bound;
      };
    default:
      return undefined;
  }
}

/** An array passes too: a plain name finds its elements, or nothing. */
function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null;
}
