import {
  type Collation,
  compileFilter,
  type FilterComparison,
  type FilterOperator,
  type JsonObject,
  type JsonValue,
  parseFilter,
  resolvePointer,
} from 'rostack-core';
import { type Candidate, filterOf } from './comparison-candidates.ts';

const ORDERED: readonly FilterOperator[] = ['gt', 'gte', 'lt', 'lte'];
const NEGATED: readonly FilterOperator[] = ['ne', 'nin'];

/** What the protocol says about a record and a comparison. */
export interface Judgement {
  readonly matches: boolean;
  /** The requirement that says so; undefined if none does, so that either answer is right. */
  readonly by: string | undefined;
}

/** Judges records by a comparison. */
export function judgeBy(candidate: Candidate): (record: JsonObject) => Judgement {
  const { operator, operand, path, collation } = candidate;
  const parsed = parseFilter(filterOf(candidate)) as FilterComparison;
  const matches = compileFilter(collation === undefined ? parsed : { ...parsed, collation });
  return (record) => ({
    matches: matches(record),
    by: requirementFor(candidate, resolvePointer(record, path), operator, operand),
  });
}

/** The requirement that says how strings of a collation compare. */
export function requirementOf(collation: Collation): 'decided.decimals' | 'decided.instants' {
  return collation === 'decimal' ? 'decided.decimals' : 'decided.instants';
}

function requirementFor(
  { collation }: Candidate,
  value: JsonValue | undefined,
  operator: FilterOperator,
  operand: JsonValue,
): string | undefined {
  const own = `filter.operator.${operator}`;
  if (operator === 'exists') return own;
  if (value === undefined) return 'decided.missing-field';
  if (collation !== undefined) return requirementOf(collation);
  if (ORDERED.includes(operator)) {
    if (typeof value !== typeof operand || value === null) return 'decided.other-types';
    return typeof value === 'string' || typeof value === 'number' ? own : undefined;
  }
  // Only for `ne` and `nin` does the protocol say whether null counts as a different value.
  if (value === null && operand !== null && !NEGATED.includes(operator)) return own;
  const operands = Array.isArray(operand) && (operator === 'in' || operator === 'nin') ? operand : [operand];
  // An array contains its members, which are of the operand's type.
  const values: readonly JsonValue[] = operator === 'contains' && Array.isArray(value) ? value : [value];
  return operands.length === 0 ||
    operands.some((operand: JsonValue) => values.some((each) => isAlike(each, operand)))
    ? own
    : 'filter.no-conversion';
}

const isAlike = (value: JsonValue, operand: JsonValue): boolean =>
  typeof value === typeof operand && (value === null) === (operand === null);

/** Wrong ways to compare strings, and the requirement that each breaks. */
const MISREADINGS: readonly {
  readonly breaks: string;
  readonly compare?: (a: string, b: string) => number;
  readonly fold?: (text: string) => string;
}[] = [
  { breaks: 'filter.code-points', compare: (a, b) => (a < b ? -1 : a === b ? 0 : 1) },
  { breaks: 'filter.case', fold: (text) => text.toLowerCase() },
  { breaks: 'filter.code-points', compare: (a, b) => a.localeCompare(b) },
];

/** A record that was answered wrongly. */
export interface Wrong {
  readonly record: JsonObject;
  readonly by: string;
}

/**
 * Which requirements a wrong answer breaks: if one misreading of strings explains the whole answer, the requirement of that; otherwise
 * those that each wrong record is judged by.
 * @param isListed whether the target lists a record
 */
export function blame(
  candidate: Candidate,
  records: readonly JsonObject[],
  isListed: (record: JsonObject) => boolean,
  wrong: readonly Wrong[],
): readonly string[] {
  const values = records.filter((record) => typeof resolvePointer(record, candidate.path) === 'string');
  const isOfTexts = wrong.every(({ record }) => values.includes(record) && candidate.collation === undefined);
  const misreading = MISREADINGS.find(
    (reading) =>
      isOfTexts &&
      values.every(
        (record) =>
          isListed(record) === matchesMisread(candidate, resolvePointer(record, candidate.path), reading),
      ),
  );
  return misreading === undefined ? [...new Set(wrong.map(({ by }) => by))] : [misreading.breaks];
}

function matchesMisread(
  { operator, operand }: Candidate,
  value: JsonValue | undefined,
  { compare = (a, b) => (a < b ? -1 : a === b ? 0 : 1), fold = (text) => text }: (typeof MISREADINGS)[number],
): boolean | undefined {
  if (typeof value !== 'string') return undefined;
  const text = fold(value);
  const operands = [operand]
    .flat()
    .filter((each) => typeof each === 'string')
    .map(fold);
  const [other] = operands;
  if (operator === 'in') return operands.includes(text);
  if (operator === 'nin') return !operands.includes(text);
  if (other === undefined) return undefined;
  const order = compare(text, other);
  switch (operator) {
    case 'eq':
      return text === other;
    case 'ne':
      return text !== other;
    case 'gt':
      return order > 0;
    case 'gte':
      return order >= 0;
    case 'lt':
      return order < 0;
    case 'lte':
      return order <= 0;
    case 'contains':
      return text.includes(other);
    case 'starts_with':
      return text.startsWith(other);
    case 'ends_with':
      return text.endsWith(other);
    default:
      return undefined;
  }
}
