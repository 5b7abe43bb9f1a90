import { quote } from '../../text/strings.ts';
import { formatPointer } from '../pointer/format-pointer.ts';

/** What this package refuses although the filter schema of the release allows it, by the name in `FilterError.check`. */
export const FILTER_RULES = {
  limits: 'A filter is within the limits of `FilterLimits`.',
  field_pointer: 'The name of a field is a JSON Pointer (RFC 6901).',
  whole_characters: 'No string contains half of a surrogate pair.',
  scalar_operand:
    'An operand is a scalar or an array of scalars; in release 2026-08-12 another one is unsupported.',
  unique_members: 'No object of the text has a member twice.',
  exact_numbers: 'A double keeps every number of the text.',
} as const;

/** A key of `FILTER_RULES`. */
export type FilterRule = keyof typeof FILTER_RULES;

/**
 * The filter cannot be used: `invalid_filter` when it does not conform to the filter grammar or exceeds a limit,
 * `unsupported_filter` when it names a field or an operator that the resource does not advertise, or an operand that no
 * operator compares.
 */
export class FilterError extends Error {
  override readonly name = 'FilterError';
  readonly code: 'invalid_filter' | 'unsupported_filter';
  readonly retryable = false;
  /** JSON Pointer to the wrong member of the filter; empty for the filter as a whole. */
  readonly location: string;
  /** `schema` for the filter schema of the release, `advertised` for what the resource offers, otherwise the rule. */
  readonly check: 'schema' | 'advertised' | FilterRule;

  constructor(code: FilterError['code'], message: string, location: string, check: FilterError['check']) {
    super(message);
    this.code = code;
    this.location = location;
    this.check = check;
  }
}

/** A place in a filter, linked to the one around it: only an error needs the whole path. */
export interface FilterPlace {
  readonly around: FilterPlace | undefined;
  readonly name: string;
}

/** The error for a fault at a place, or for the filter as a whole. */
export function invalidFilter(
  message: string,
  place: FilterPlace | undefined,
  check: 'schema' | FilterRule = 'schema',
): FilterError {
  return filterError('invalid_filter', message, place, check);
}

export function filterError(
  code: FilterError['code'],
  message: string,
  place: FilterPlace | undefined,
  check: FilterError['check'],
): FilterError {
  const path: string[] = [];
  for (let here = place; here !== undefined; here = here.around) path.push(here.name);
  const location = formatPointer(path.reverse());
  return new FilterError(code, location === '' ? message : `${quote(location)}: ${message}`, location, check);
}
