import type { Filter } from '../../query/filter/filter.ts';
import { FilterError, invalidFilter } from '../../query/filter/filter-error.ts';
import { type FilterOperator, type OperandKind } from '../../query/filter/operator-names.ts';
import { FILTER_OPERATORS } from '../../query/filter/operators.ts';
import { parseFilter } from '../../query/filter/parse-filter.ts';
import { formatPointer } from '../../query/pointer/format-pointer.ts';
import { isPointer, parsePointer, resolvePointer } from '../../query/pointer/pointer.ts';
import { isArray, type JsonObject, type JsonValue } from '../../text/json.ts';
import { quote } from '../../text/strings.ts';
import type { Principal } from '../permission/permission.ts';
import type { RowRule, RowRuleField, RowRuleWithFields } from './visibility.ts';

/** A filter that compares fields with what is known about a principal. */
export interface WrittenRowRule extends RowRuleWithFields {
  /** Every comparison of the written filter, in its order. */
  readonly fields: readonly ComparedField[];
}

/** A field in a written rule. */
export interface ComparedField extends RowRuleField {
  /** JSON Pointer of the operator in the written rule. */
  readonly path: string;
}

/** What replaces a reference while a rule is read. */
const PLACEHOLDERS: Readonly<Record<OperandKind, JsonValue>> = {
  scalar_or_array: '',
  array: [],
  string: '',
  boolean: true,
};

/**
 * Reads a row rule that is written as a filter. An operand, or an item of an operand that is a list, may be
 * `{ "principal": REFERENCE }`: `id`, `method`, `permissions`, `claims.NAME`, or a JSON Pointer into these such as
 * `/claims/https:~1~1example.com~1tenant`. A principal that has no such value, or one of a type that the operator does not take, sees
 * nothing.
 * @throws FilterError `invalid_filter` when the rule is not a filter, or a reference is invalid; `location` is a JSON Pointer into the rule
 * @see protocol section 6
 */
export function parseRowRule(written: JsonObject): WrittenRowRule {
  const fields: ComparedField[] = [];
  const shape = withOperands(written, [], (operand, operator, path) => {
    const [pointer = ''] = path.slice(-2);
    fields.push({ pointer, operator: operator as FilterOperator, path: formatPointer(path) });
    const kind = Object.hasOwn(FILTER_OPERATORS, operator)
      ? FILTER_OPERATORS[operator as FilterOperator].operand
      : 'scalar_or_array';
    return readOperand(operand, (reference, isItem) => {
      checkReference(reference, path);
      return isItem ? '' : PLACEHOLDERS[kind];
    });
  });
  parseFilter(shape);
  const known = new WeakMap<Principal, Filter | 'none'>();
  const rule: RowRule = (principal) => {
    let rows = known.get(principal);
    if (rows === undefined) {
      rows = rowsFor(written, principal);
      known.set(principal, rows);
    }
    return rows;
  };
  return { rule, fields };
}

function rowsFor(written: JsonObject, { id, method, permissions, claims = {} }: Principal): Filter | 'none' {
  const known: JsonObject = { id, method, permissions: [...permissions].sort(), claims };
  let isMissing = false;
  const filter = withOperands(written, [], (operand, operator) => {
    const { operand: kind } = FILTER_OPERATORS[operator as FilterOperator];
    return readOperand(operand, (reference, isItem) => {
      const value = resolvePointer(known, pathOf(reference)) ?? null;
      if (isItem ? isValue(value) : fits(value, kind)) return value;
      isMissing = true;
      return null;
    });
  });
  if (isMissing) return 'none';
  try {
    return parseFilter(filter);
  } catch (error) {
    // A claim beyond the limits of filters: too long, or too many.
    if (error instanceof FilterError) return 'none';
    throw error;
  }
}

type ChangeOperand = (operand: JsonValue, operator: string, path: readonly string[]) => JsonValue;

/** The filter with other operands; anything that is not a filter stays as it is. */
function withOperands(node: JsonValue, path: readonly string[], change: ChangeOperand): JsonValue {
  if (!isObject(node)) return node;
  return mapMembers(node, (member, name) => {
    const at = [...path, name];
    if (name === '$not') return withOperands(member, at, change);
    if (name === '$and' || name === '$or') {
      return isArray(member)
        ? member.map((part, index) => withOperands(part, [...at, String(index)], change))
        : member;
    }
    return isObject(member)
      ? mapMembers(member, (operand, operator) => change(operand, operator, [...at, operator]))
      : member;
  });
}

function readOperand(operand: JsonValue, read: (reference: string, isItem: boolean) => JsonValue): JsonValue {
  const reference = referenceIn(operand);
  if (reference !== undefined) return read(reference, false);
  if (!isArray(operand)) return operand;
  return operand.map((item) => {
    const inner = referenceIn(item);
    return inner === undefined ? item : read(inner, true);
  });
}

function referenceIn(value: JsonValue): string | undefined {
  if (!isObject(value) || Object.keys(value).length !== 1) return undefined;
  return typeof value['principal'] === 'string' ? value['principal'] : undefined;
}

/** `claims.a.b`, or a JSON Pointer if a name has a full stop. */
const pathOf = (reference: string): string[] =>
  reference.startsWith('/') ? parsePointer(reference) : reference.split('.');

/** @throws FilterError `invalid_filter` */
function checkReference(reference: string, path: readonly string[]): void {
  const parts = reference.startsWith('/') && !isPointer(reference) ? [] : pathOf(reference);
  const [root = '', ...names] = parts;
  const isKnown =
    root === 'claims'
      ? names.length > 0 && names.every((name) => name !== '')
      : names.length === 0 && (root === 'id' || root === 'method' || root === 'permissions');
  if (isKnown) return;
  const place = path.reduce<Parameters<typeof invalidFilter>[1]>(
    (around, name) => ({ around, name }),
    undefined,
  );
  throw invalidFilter(
    `${quote(reference)} names nothing of a principal; write id, method, permissions, claims.NAME, or a JSON Pointer such as /claims/NAME`,
    place,
  );
}

function fits(value: JsonValue, kind: OperandKind): boolean {
  if (kind === 'array') return isArray(value) && value.every(isValue);
  if (kind === 'string') return typeof value === 'string';
  return kind === 'boolean' ? typeof value === 'boolean' : isValue(value);
}

/** A scalar other than null. */
const isValue = (value: JsonValue): boolean => value !== null && typeof value !== 'object';

const isObject = (value: JsonValue): value is JsonObject =>
  typeof value === 'object' && value !== null && !isArray(value);

const mapMembers = (members: JsonObject, change: (value: JsonValue, name: string) => JsonValue): JsonObject =>
  Object.fromEntries(Object.entries(members).map(([name, member]) => [name, change(member, name)]));
