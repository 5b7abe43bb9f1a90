import { quote } from '../../text/strings.ts';
import type { Filter } from './filter.ts';
import { FilterError } from './filter-error.ts';
import type { FilterOperator } from './operator-names.ts';

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
