import { canonicalJson, isArray, type JsonScalar, type JsonType, type JsonValue } from '../../text/json.ts';
import { compareCodePoints } from '../../text/strings.ts';
import { type FilterOperator, OPERAND_KINDS, type OperandKind } from './operator-names.ts';

/** A scalar, or an array of scalars. */
export type FilterOperand = JsonScalar | readonly JsonScalar[];

/** A JSON type, or `collated`: strings that compare by value, which operators see as texts that compare by code point. */
export type FieldType = JsonType | 'collated';

/** Members by name; undefined if there is none. */
export type Members = Readonly<Record<string, JsonValue | undefined>>;

/** Everything that this package knows about one operator. */
export interface Operator<Name extends string> {
  readonly operand: OperandKind;
  /** The types of field values that the operator can match. */
  readonly fieldTypes: readonly FieldType[];
  /**
   * A test of the member `name`. Each operator reads the member in its own function, because engines read faster at a place in
   * the code that sees few names.
   * @param operand of the operator's kind
   */
  matches(name: string, operand: FilterOperand): (members: Members) => boolean;
  /** The comparison that matches exactly the other records; without it, only `$not` can express that. */
  negate?(operand: FilterOperand): OperatorUse<Name>;
  /** The normal form of a comparison; without it, each comparison is its own normal form. */
  normalize?(operand: FilterOperand): OperatorUse<Name>;
}

interface OperatorUse<Name extends string> {
  readonly operator: Name;
  readonly operand: FilterOperand;
}

const SCALARS: readonly FieldType[] = ['null', 'boolean', 'number', 'string', 'collated'];
const EQUATABLE: readonly FieldType[] = [...SCALARS, 'array'];
const ORDERED: readonly FieldType[] = ['number', 'string', 'collated'];

/** The operators of a filter, in the order of the protocol (section 6). */
export const FILTER_OPERATORS: Readonly<Record<FilterOperator, Operator<FilterOperator>>> = {
  eq: {
    operand: OPERAND_KINDS.eq,
    fieldTypes: EQUATABLE,
    matches: (name, operand) =>
      isArray(operand) ? (members) => equals(members[name], operand) : (members) => members[name] === operand,
    negate: (operand) => ({ operator: 'ne', operand }),
  },
  ne: {
    operand: OPERAND_KINDS.ne,
    fieldTypes: EQUATABLE,
    matches: (name, operand) => (members) => !equals(members[name], operand),
    negate: (operand) => ({ operator: 'eq', operand }),
  },
  gt: {
    operand: OPERAND_KINDS.gt,
    fieldTypes: ORDERED,
    matches: (name, operand) =>
      typeof operand === 'number'
        ? (members) => {
            const value = members[name];
            return typeof value === 'number' && value > operand;
          }
        : (members) => compare(members[name], operand) > 0,
  },
  gte: {
    operand: OPERAND_KINDS.gte,
    fieldTypes: ORDERED,
    matches: (name, operand) =>
      typeof operand === 'number'
        ? (members) => {
            const value = members[name];
            return typeof value === 'number' && value >= operand;
          }
        : (members) => compare(members[name], operand) >= 0,
  },
  lt: {
    operand: OPERAND_KINDS.lt,
    fieldTypes: ORDERED,
    matches: (name, operand) =>
      typeof operand === 'number'
        ? (members) => {
            const value = members[name];
            return typeof value === 'number' && value < operand;
          }
        : (members) => compare(members[name], operand) < 0,
  },
  lte: {
    operand: OPERAND_KINDS.lte,
    fieldTypes: ORDERED,
    matches: (name, operand) =>
      typeof operand === 'number'
        ? (members) => {
            const value = members[name];
            return typeof value === 'number' && value <= operand;
          }
        : (members) => compare(members[name], operand) <= 0,
  },
  in: {
    operand: OPERAND_KINDS.in,
    fieldTypes: SCALARS,
    matches(name, operand: readonly JsonScalar[]) {
      const values = new Set<unknown>(operand);
      return (members) => values.has(members[name]);
    },
    negate: (operand) => ({ operator: 'nin', operand }),
    normalize: (operand: readonly JsonScalar[]) => fewest(operand, 'eq', 'in'),
  },
  nin: {
    operand: OPERAND_KINDS.nin,
    fieldTypes: SCALARS,
    matches(name, operand: readonly JsonScalar[]) {
      const values = new Set<unknown>(operand);
      return (members) => !values.has(members[name]);
    },
    negate: (operand) => ({ operator: 'in', operand }),
    normalize: (operand: readonly JsonScalar[]) => fewest(operand, 'ne', 'nin'),
  },
  contains: {
    operand: OPERAND_KINDS.contains,
    fieldTypes: ['string', 'array'],
    matches: (name, operand) => (members) => contains(members[name], operand),
  },
  starts_with: {
    operand: OPERAND_KINDS.starts_with,
    fieldTypes: ['string'],
    matches: (name, operand: string) => (members) => {
      const value = members[name];
      return typeof value === 'string' && value.startsWith(operand);
    },
  },
  ends_with: {
    operand: OPERAND_KINDS.ends_with,
    fieldTypes: ['string'],
    matches: (name, operand: string) => (members) => {
      const value = members[name];
      return typeof value === 'string' && value.endsWith(operand);
    },
  },
  exists: {
    operand: OPERAND_KINDS.exists,
    fieldTypes: [...EQUATABLE, 'object'],
    matches: (name, operand) => (members) => (members[name] !== undefined) === operand,
    negate: (operand) => ({ operator: 'exists', operand: operand === false }),
  },
};

/** Scalars are equal when type and value are; arrays when they have equal members in the same order. */
function equals(value: JsonValue | undefined, operand: FilterOperand): boolean {
  if (!isArray(operand)) return value === operand;
  return isArray(value) && value.length === operand.length && value.every((item, at) => item === operand[at]);
}

/** A substring of a string, or an item of an array. */
function contains(value: JsonValue | undefined, operand: FilterOperand): boolean {
  if (typeof value === 'string') return typeof operand === 'string' && value.includes(operand);
  return isArray(value) && value.some((item) => equals(item, operand));
}

/** Negative, zero or positive; NaN without a common order. Strings by code point, false before true, null equals null. */
function compare(value: JsonValue | undefined, operand: FilterOperand): number {
  if (typeof value === 'string' && typeof operand === 'string') return compareCodePoints(value, operand);
  if (typeof value === 'boolean' && typeof operand === 'boolean') return Number(value) - Number(operand);
  return value === null && operand === null ? 0 : Number.NaN;
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
