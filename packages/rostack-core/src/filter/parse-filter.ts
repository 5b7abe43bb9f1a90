import { formatPointer, isPointer, parsePointer } from '../pointer/index.ts';
import { quote } from '../text/quote.ts';
import { isLongerThan } from '../text/utf8-length.ts';
import { FILTER_OPERATORS, type Filter, type FilterOperator } from './filter.ts';
import { FilterError } from './filter-error.ts';
import { DEFAULT_FILTER_LIMITS, type FilterLimits } from './filter-limits.ts';
import { parseOperand } from './parse-operand.ts';

const OPERATORS: ReadonlySet<string> = new Set(FILTER_OPERATORS);

/**
 * Reads a filter from parsed JSON. Members, and the operators of one member, are ANDed; an empty object matches everything.
 * A conjunction comes out flat: members first, then the filters of `$and`; one filter alone stands for itself.
 * @param limits @default DEFAULT_FILTER_LIMITS
 * @throws FilterError `invalid_filter` when the value does not conform to the grammar or exceeds a limit
 * @see protocol section 6 and 10
 */
export function parseFilter(value: unknown, limits: FilterLimits = DEFAULT_FILTER_LIMITS): Filter {
  return parseNode(value, { limits, nodes: 0 }, []);
}

/**
 * Reads a filter from JSON text, such as the (percent-decoded) `filter` parameter. Of a repeated member the last one counts.
 * @param limits @default DEFAULT_FILTER_LIMITS
 * @throws FilterError `invalid_filter` when the text is too long, is not JSON, or is not a filter
 * @see protocol section 5 and 6
 */
export function parseFilterText(text: string, limits: FilterLimits = DEFAULT_FILTER_LIMITS): Filter {
  if (text.length > limits.maxTextLength) {
    throw new FilterError(
      'invalid_filter',
      `the filter is longer than ${limits.maxTextLength} characters`,
      '',
    );
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new FilterError('invalid_filter', 'the filter is not JSON', '');
  }
  return parseFilter(value, limits);
}

interface Parsing {
  readonly limits: FilterLimits;
  nodes: number;
}

type Path = readonly string[];

/** `at` is the way to this filter; its logical members are two (array) or one (`$not`) tokens each, so it bounds the depth. */
function parseNode(value: unknown, parsing: Parsing, at: Path, depth = 1): Filter {
  if (depth > parsing.limits.maxDepth) {
    throw invalid(`the filter is nested deeper than ${parsing.limits.maxDepth} levels`, at);
  }
  const members = membersOf(value, at, 'a filter is a JSON object');
  const own: Filter[] = [];
  const nested: Filter[] = [];
  for (const name of Object.keys(members)) {
    const here = [...at, name];
    const member = members[name];
    if (name === '$and') nested.push(...parseList(member, parsing, here, depth));
    else if (name === '$or') own.push(disjunction(parseList(member, parsing, here, depth)));
    else if (name === '$not') own.push(parseNot(member, parsing, here, depth));
    else own.push(...parseComparisons(name, member, parsing, here));
  }
  return conjunction([...own, ...nested]);
}

function parseNot(value: unknown, parsing: Parsing, at: Path, depth: number): Filter {
  countNode(parsing, at);
  return { kind: 'not', filter: parseNode(value, parsing, at, depth + 1) };
}

function parseList(value: unknown, parsing: Parsing, at: Path, depth: number): Filter[] {
  countNode(parsing, at);
  if (!Array.isArray(value) || value.length === 0) {
    throw invalid('give a non-empty array of filters', at);
  }
  return value.map((entry, index) => parseNode(entry, parsing, [...at, String(index)], depth + 1));
}

function parseComparisons(pointer: string, value: unknown, parsing: Parsing, at: Path): Filter[] {
  if (!pointer.startsWith('/')) {
    throw invalid(
      `${quote(pointer)} is neither a field nor a logical member: write a field as a JSON Pointer that starts with "/", or use $and, $or or $not`,
      at,
    );
  }
  if (isLongerThan(pointer, parsing.limits.maxStringBytes)) {
    throw invalid(`the pointer is longer than ${parsing.limits.maxStringBytes} bytes`, at.slice(0, -1));
  }
  if (!isPointer(pointer)) {
    throw invalid(
      `${quote(pointer)} is not a JSON Pointer: write "~" as "~0" and "/" inside a name as "~1"`,
      at,
    );
  }
  if (!pointer.isWellFormed()) throw invalid('the pointer holds half of a surrogate pair', at);
  const path = parsePointer(pointer);
  const members = membersOf(value, at, 'give an object of operators, such as {"eq": 1}');
  const operators = Object.keys(members);
  if (operators.length === 0) throw invalid('give at least one operator, such as {"eq": 1}', at);
  return operators.map((operator) => {
    const here = [...at, operator];
    countNode(parsing, here);
    if (!isOperator(operator)) {
      throw invalid(`${quote(operator)} is not an operator: use one of ${FILTER_OPERATORS.join(', ')}`, here);
    }
    const operand = parseOperand(operator, members[operator], parsing.limits, (fault) =>
      invalid(fault, here),
    );
    return { kind: 'comparison', pointer, path, operator, operand };
  });
}

function membersOf(value: unknown, at: Path, expectation: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid(expectation, at);
  return value as Readonly<Record<string, unknown>>;
}

function isOperator(name: string): name is FilterOperator {
  return OPERATORS.has(name);
}

function countNode(parsing: Parsing, at: Path): void {
  parsing.nodes += 1;
  if (parsing.nodes > parsing.limits.maxNodes) {
    throw invalid(`the filter has more than ${parsing.limits.maxNodes} comparisons and logical members`, at);
  }
}

/** One level of nested conjunctions is taken in, so that `and` never stands directly inside `and`. */
function conjunction(filters: readonly Filter[]): Filter {
  const flat = filters.flatMap((filter) => (filter.kind === 'and' ? filter.filters : [filter]));
  const only = flat[0];
  return flat.length === 1 && only !== undefined ? only : { kind: 'and', filters: flat };
}

function disjunction(filters: readonly Filter[]): Filter {
  const only = filters[0];
  return filters.length === 1 && only !== undefined ? only : { kind: 'or', filters };
}

function invalid(message: string, at: Path): FilterError {
  const location = formatPointer(at);
  return new FilterError(
    'invalid_filter',
    location === '' ? message : `${quote(location)}: ${message}`,
    location,
  );
}
