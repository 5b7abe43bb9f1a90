import { isArray, type JsonScalar, type JsonValue } from '../../text/json.ts';
import { quote } from '../../text/strings.ts';
import { COLLATIONS, type Collation, type Collations, collationKey } from '../collation/collation.ts';
import type { Filter, FilterComparison } from './filter.ts';
import { FilterError } from './filter-error.ts';
import type { FilterOperator } from './operator-names.ts';
import type { FilterOperand } from './operators.ts';

/** The `filtering` member of a resource in discovery. */
export interface AdvertisedFiltering {
  /** JSON Pointer of each filterable field, with the operators it takes. */
  readonly filterable_fields: Readonly<Record<string, readonly FilterOperator[]>>;
}

/**
 * Makes sure that a filter uses only advertised fields and operators.
 * @param filtering the resource's `filtering`
 * @param operators the implementation's `capabilities.filter_operators`
 * @throws FilterError `unsupported_filter` naming the first field or operator that is not advertised
 * @see protocol section 2 and 5
 */
export function checkFilter(
  filter: Filter,
  filtering: AdvertisedFiltering,
  operators: readonly FilterOperator[],
): void {
  switch (filter.kind) {
    case 'and':
    case 'or':
      for (const part of filter.filters) checkFilter(part, filtering, operators);
      return;
    case 'not':
      checkFilter(filter.filter, filtering, operators);
      return;
    case 'comparison':
      checkComparison(filter.pointer, filter.operator, filtering, operators);
  }
}

function checkComparison(
  pointer: string,
  operator: FilterOperator,
  { filterable_fields: fields }: AdvertisedFiltering,
  operators: readonly FilterOperator[],
): void {
  const allowed = fields[pointer];
  if (allowed === undefined) {
    const list = Object.keys(fields).join(', ');
    const hint = list === '' ? 'this resource has no filterable fields' : `filterable fields: ${list}`;
    throw new FilterError(
      'unsupported_filter',
      `the field ${quote(pointer)} cannot be filtered by; ${hint}`,
      '',
      'advertised',
    );
  }
  if (!allowed.includes(operator) || !operators.includes(operator)) {
    const list = allowed.filter((name) => operators.includes(name)).join(', ');
    throw new FilterError(
      'unsupported_filter',
      `the field ${quote(pointer)} does not take the operator ${operator}; its operators: ${list}`,
      '',
      'advertised',
    );
  }
}

/**
 * Marks the comparisons of fields that have a collation, which then compare by value.
 * @param collations of these fields; see `fieldCollations`
 * @throws FilterError `invalid_filter` when such a field is compared with anything but texts of its format, and null
 */
export function collateFilter(filter: Filter, collations: Collations): Filter {
  switch (filter.kind) {
    case 'comparison': {
      const collation = collations.get(filter.pointer);
      return collation === undefined ? filter : collateComparison(filter, collation);
    }
    case 'not':
      return { kind: 'not', filter: collateFilter(filter.filter, collations) };
    default:
      return { kind: filter.kind, filters: filter.filters.map((part) => collateFilter(part, collations)) };
  }
}

function collateComparison(comparison: FilterComparison, collation: Collation): Filter {
  const { pointer, operator, operand } = comparison;
  if (operator === 'exists') return comparison;
  const { accepts, holds, operand: wanted } = COLLATIONS[collation];
  const isList = operator === 'in' || operator === 'nin';
  const operands: readonly FilterOperand[] = isList && isArray(operand) ? operand : [operand];
  const isComparable = (each: FilterOperand) => each === null || (typeof each === 'string' && accepts(each));
  if (!operands.every(isComparable)) {
    const message = `the field ${quote(pointer)} has ${holds}: compare it with ${wanted}`;
    throw new FilterError('invalid_filter', message, '', 'advertised');
  }
  return { ...comparison, collation };
}

/** An operand, its strings as texts that compare by code point. */
export function collatedOperand(operand: FilterOperand, collation: Collation): FilterOperand {
  const keyOf = (scalar: JsonScalar): JsonScalar =>
    typeof scalar === 'string' ? collationKey(collation, scalar) : scalar;
  return isArray(operand) ? operand.map(keyOf) : keyOf(operand);
}

/** A value of a field that has a collation, as a text that compares by code point. */
export function collatedValue<Value extends JsonValue | undefined>(
  value: Value,
  collation: Collation,
): Value | string {
  return typeof value === 'string' ? collationKey(collation, value) : value;
}
