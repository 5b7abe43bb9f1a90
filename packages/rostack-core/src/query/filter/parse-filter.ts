import { parseStrictJson, StrictJsonError } from '../../text/strict-json/parse-strict-json.ts';
import { isLongerThan, quote } from '../../text/strings.ts';
import { DEFAULT_RELEASE, type Release } from '../../wire/release/release.ts';
import { isPointer, parsePointer } from '../pointer/pointer.ts';
import { conjunctionOf, type Filter } from './filter.ts';
import { FilterError, type FilterPlace, invalidFilter } from './filter-error.ts';
import { DEFAULT_FILTER_LIMITS, type FilterLimits } from './filter-limits.ts';
import { FILTER_OPERATOR_NAMES, type FilterOperator, OPERAND_KINDS } from './operator-names.ts';
import { type OperandRules, parseOperand } from './parse-operand.ts';

const NO_MEMBER = 'pass at least one field, $and, $or or $not; to take everything, leave the filter out';

/**
 * Parses a filter from parsed JSON. Members are ANDed, and so are the operators of one member; there is at least one
 * of each. To match everything, use no filter. The result is flat: `and` never holds another `and`, nor a single filter.
 * @param limits @default DEFAULT_FILTER_LIMITS
 * @param release @default '2026-08-13'
 * @throws FilterError `invalid_filter` when the value does not conform to the grammar or exceeds a limit;
 *   `unsupported_filter` for an operand that only release 2026-08-12 allows: an object, or an array of other than scalars
 * @see protocol section 6 and 10
 */
export function parseFilter(
  value: unknown,
  limits: FilterLimits = DEFAULT_FILTER_LIMITS,
  release: Release = DEFAULT_RELEASE,
): Filter {
  const parsing: Parsing = { limits, release, nodes: 0, unsupported: undefined };
  const filter = parseNode(value, parsing, undefined, 1);
  if (parsing.unsupported !== undefined) throw parsing.unsupported;
  return filter;
}

/**
 * Parses a filter from JSON text, such as the (percent-decoded) `filter` parameter. Members must not repeat, and a double
 * must keep every number.
 * @param limits @default DEFAULT_FILTER_LIMITS
 * @param release @default '2026-08-13'
 * @throws FilterError `invalid_filter` when the text is too long, is not JSON, or is not a filter; `unsupported_filter`
 *   as `parseFilter`
 * @see protocol section 5 and 6
 */
export function parseFilterText(
  text: string,
  limits: FilterLimits = DEFAULT_FILTER_LIMITS,
  release: Release = DEFAULT_RELEASE,
): Filter {
  if (text.length > limits.maxTextLength) {
    throw invalidFilter(`the filter is longer than ${limits.maxTextLength} characters`, undefined, 'limits');
  }
  return parseFilter(parseJson(text), limits, release);
}

function parseJson(text: string): unknown {
  try {
    return parseStrictJson(text);
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    const { check, path, message } = error.fault;
    if (check === 'json') throw invalidFilter('the filter is not JSON', undefined);
    throw new FilterError('invalid_filter', `${quote(path)}: ${message}`, path, check);
  }
}

interface Parsing extends OperandRules {
  nodes: number;
}

type Place = FilterPlace | undefined;

function parseNode(value: unknown, parsing: Parsing, at: Place, depth: number): Filter {
  if (depth > parsing.limits.maxDepth) {
    throw invalidFilter(`the filter is nested deeper than ${parsing.limits.maxDepth} levels`, at, 'limits');
  }
  const members = membersOf(value, at, 'a filter is a JSON object');
  const names = Object.keys(members);
  if (names.length === 0) throw invalidFilter(NO_MEMBER, at);
  const own: Filter[] = [];
  let nested: readonly Filter[] = [];
  for (const name of names) {
    const here = { around: at, name };
    const member = members[name];
    if (name === '$and') nested = parseList(member, parsing, here, depth);
    else if (name === '$or') own.push(disjunction(parseList(member, parsing, here, depth)));
    else if (name === '$not') own.push(parseNot(member, parsing, here, depth));
    else parseComparisons(name, member, parsing, here, own);
  }
  return conjunctionOf([...own, ...nested]);
}

function parseNot(value: unknown, parsing: Parsing, at: Place, depth: number): Filter {
  countNode(parsing, at);
  return { kind: 'not', filter: parseNode(value, parsing, at, depth + 1) };
}

function parseList(value: unknown, parsing: Parsing, at: Place, depth: number): Filter[] {
  countNode(parsing, at);
  if (!Array.isArray(value) || value.length === 0) {
    throw invalidFilter('pass a non-empty array of filters', at);
  }
  return value.map((entry, index) =>
    parseNode(entry, parsing, { around: at, name: String(index) }, depth + 1),
  );
}

function parseComparisons(
  pointer: string,
  value: unknown,
  parsing: Parsing,
  at: Place,
  found: Filter[],
): void {
  if (!pointer.startsWith('/')) {
    throw invalidFilter(
      `${quote(pointer)} is neither a field nor a logical member: write a field as a JSON Pointer that starts with "/", or use $and, $or or $not`,
      at,
    );
  }
  if (isLongerThan(pointer, parsing.limits.maxStringBytes)) {
    throw invalidFilter(
      `the pointer is longer than ${parsing.limits.maxStringBytes} bytes`,
      at?.around,
      'limits',
    );
  }
  if (!isPointer(pointer)) {
    throw invalidFilter(
      `${quote(pointer)} is not a JSON Pointer: write "~" as "~0" and "/" inside a name as "~1"`,
      at,
      'field_pointer',
    );
  }
  if (!pointer.isWellFormed()) {
    throw invalidFilter('the pointer contains half of a surrogate pair', at, 'whole_characters');
  }
  const path = parsePointer(pointer);
  const members = membersOf(value, at, 'pass an object of operators, such as {"eq": 1}');
  const operators = Object.keys(members);
  if (operators.length === 0) throw invalidFilter('pass at least one operator, such as {"eq": 1}', at);
  for (const operator of operators) {
    const here = { around: at, name: operator };
    countNode(parsing, here);
    if (!isOperator(operator)) {
      throw invalidFilter(
        `${quote(operator)} is not an operator: use one of ${FILTER_OPERATOR_NAMES.join(', ')}`,
        here,
      );
    }
    const operand = parseOperand(operator, members[operator], parsing, here);
    found.push({ kind: 'comparison', pointer, path, operator, operand });
  }
}

function membersOf(value: unknown, at: Place, expectation: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidFilter(expectation, at);
  return value as Readonly<Record<string, unknown>>;
}

function isOperator(name: string): name is FilterOperator {
  return Object.hasOwn(OPERAND_KINDS, name);
}

function countNode(parsing: Parsing, at: Place): void {
  parsing.nodes += 1;
  if (parsing.nodes > parsing.limits.maxNodes) {
    throw invalidFilter(
      `the filter has more than ${parsing.limits.maxNodes} comparisons and logical members`,
      at,
      'limits',
    );
  }
}

function disjunction(filters: readonly Filter[]): Filter {
  const only = filters[0];
  return filters.length === 1 && only !== undefined ? only : { kind: 'or', filters };
}
