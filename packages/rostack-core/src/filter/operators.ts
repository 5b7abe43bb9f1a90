import { canonicalJson, isArray, type JsonScalar, type JsonType, type JsonValue } from '../json/json.ts';
import { compareCodePoints } from '../text/strings.ts';

/** A scalar, or an array of scalars. */
export type FilterOperand = JsonScalar | readonly JsonScalar[];

/** What an operator takes: a scalar or an array of scalars, an array of scalars, a string, or a boolean. */
export type OperandKind = 'scalar_or_array' | 'array' | 'string' | 'boolean';

/** Decides on the value of a field; undefined where the record has no such field. */
export type ValueTest = (value: JsonValue | undefined) => boolean;

/** Everything that this package knows about one operator. */
export interface Operator<Name extends string> {
  readonly operand: OperandKind;
  /** The JSON types of field values that the operator can match. */
  readonly fieldTypes: readonly JsonType[];
  /** @param operand of the operator's kind */
  matches(operand: FilterOperand): ValueTest;
  /** The comparison that matches exactly the other records; without it, only `$not` can express that. */
  negate?(operand: FilterOperand): OperatorUse<Name>;
  /** The normal form of a comparison; without it, each comparison is its own. */
  normalize?(operand: FilterOperand): OperatorUse<Name>;
}

interface OperatorUse<Name extends string> {
  readonly operator: Name;
  readonly operand: FilterOperand;
}

const SCALARS: readonly JsonType[] = ['null', 'boolean', 'number', 'string'];
const EQUATABLE: readonly JsonType[] = [...SCALARS, 'array'];
const ORDERED: readonly JsonType[] = ['number', 'string'];

// Infers the names from the keys, so that an entry can refer to the others.
const table = <Name extends string>(operators: Readonly<Record<Name, Operator<NoInfer<Name>>>>) => operators;

/** The operators of a filter, in the order of the protocol (section 6). */
export const FILTER_OPERATORS = table({
  eq: {
    operand: 'scalar_or_array',
    fieldTypes: EQUATABLE,
    matches: equals,
    negate: (operand) => ({ operator: 'ne', operand }),
  },
  ne: {
    operand: 'scalar_or_array',
    fieldTypes: EQUATABLE,
    matches: (operand) => not(equals(operand)),
    negate: (operand) => ({ operator: 'eq', operand }),
  },
  gt: {
    operand: 'scalar_or_array',
    fieldTypes: ORDERED,
    matches: (operand) =>
      typeof operand === 'number'
        ? (value) => typeof value === 'number' && value > operand
        : ordered(operand, (order) => order > 0),
  },
  gte: {
    operand: 'scalar_or_array',
    fieldTypes: ORDERED,
    matches: (operand) =>
      typeof operand === 'number'
        ? (value) => typeof value === 'number' && value >= operand
        : ordered(operand, (order) => order >= 0),
  },
  lt: {
    operand: 'scalar_or_array',
    fieldTypes: ORDERED,
    matches: (operand) =>
      typeof operand === 'number'
        ? (value) => typeof value === 'number' && value < operand
        : ordered(operand, (order) => order < 0),
  },
  lte: {
    operand: 'scalar_or_array',
    fieldTypes: ORDERED,
    matches: (operand) =>
      typeof operand === 'number'
        ? (value) => typeof value === 'number' && value <= operand
        : ordered(operand, (order) => order <= 0),
  },
  in: {
    operand: 'array',
    fieldTypes: SCALARS,
    matches: isAmong,
    negate: (operand) => ({ operator: 'nin', operand }),
    normalize: (operand: readonly JsonScalar[]) => fewest(operand, 'eq', 'in'),
  },
  nin: {
    operand: 'array',
    fieldTypes: SCALARS,
    matches: (operand: readonly JsonScalar[]) => not(isAmong(operand)),
    negate: (operand) => ({ operator: 'in', operand }),
    normalize: (operand: readonly JsonScalar[]) => fewest(operand, 'ne', 'nin'),
  },
  contains: {
    operand: 'scalar_or_array',
    fieldTypes: ['string', 'array'],
    matches(operand) {
      const isOperand = equals(operand);
      return (value) =>
        typeof value === 'string'
          ? typeof operand === 'string' && value.includes(operand)
          : isArray(value) && value.some(isOperand);
    },
  },
  starts_with: {
    operand: 'string',
    fieldTypes: ['string'],
    matches: (operand: string) => (value) => typeof value === 'string' && value.startsWith(operand),
  },
  ends_with: {
    operand: 'string',
    fieldTypes: ['string'],
    matches: (operand: string) => (value) => typeof value === 'string' && value.endsWith(operand),
  },
  exists: {
    operand: 'boolean',
    fieldTypes: [...EQUATABLE, 'object'],
    matches: (operand) => (value) => (value !== undefined) === operand,
    negate: (operand) => ({ operator: 'exists', operand: operand === false }),
  },
});

export type FilterOperator = keyof typeof FILTER_OPERATORS;

/** The operators by name, in the order of the protocol. */
export const FILTER_OPERATOR_NAMES = Object.keys(FILTER_OPERATORS) as readonly FilterOperator[];

function not(test: ValueTest): ValueTest {
  return (value) => !test(value);
}

/** Scalars are equal when type and value are; arrays when they have equal members in the same order. */
function equals(operand: FilterOperand): ValueTest {
  if (!isArray(operand)) return (value) => value === operand;
  return (value) =>
    isArray(value) && value.length === operand.length && value.every((member, at) => member === operand[at]);
}

/** An array or object is never a member: the members are scalars. */
function isAmong(operand: readonly JsonScalar[]): ValueTest {
  const members = new Set<unknown>(operand);
  return (value) => members.has(value);
}

/** Order among values of the operand's own type: strings by code point, false before true, null equal to null. */
function ordered(operand: FilterOperand, accepts: (order: number) => boolean): ValueTest {
  if (typeof operand === 'string') {
    return (value) => typeof value === 'string' && accepts(compareCodePoints(value, operand));
  }
  if (typeof operand === 'boolean') {
    return (value) => typeof value === 'boolean' && accepts(Number(value) - Number(operand));
  }
  return (value) => operand === null && value === null && accepts(0);
}

/** Without repetition and sorted by their texts; a single value becomes a plain comparison. */
function fewest<Name extends string>(
  values: readonly JsonScalar[],
  ofOne: Name,
  ofMany: Name,
): OperatorUse<Name> {
  const byText = new Map(values.map((value) => [canonicalJson(value), value]));
  const members = [...byText].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value);
  const [only] = members;
  return members.length === 1 && only !== undefined
    ? { operator: ofOne, operand: only }
    : { operator: ofMany, operand: members };
}
