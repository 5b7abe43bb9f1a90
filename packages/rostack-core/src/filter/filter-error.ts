import { formatPointer } from '../pointer/pointer.ts';
import { quote } from '../text/strings.ts';

/**
 * The filter cannot be used: `invalid_filter` when it does not conform to the filter grammar or exceeds a limit,
 * `unsupported_filter` when it names a field or an operator that the resource does not advertise.
 */
export class FilterError extends Error {
  override readonly name = 'FilterError';
  readonly code: 'invalid_filter' | 'unsupported_filter';
  readonly retryable = false;
  /** JSON Pointer to the wrong member of the filter; empty for the filter as a whole. */
  readonly location: string;

  constructor(code: FilterError['code'], message: string, location: string) {
    super(message);
    this.code = code;
    this.location = location;
  }
}

/** A place in a filter, linked to the one around it: only an error needs the whole path. */
export interface FilterPlace {
  readonly around: FilterPlace | undefined;
  readonly name: string;
}

/** The error for a fault at a place, or for the filter as a whole. */
export function invalidFilter(message: string, place: FilterPlace | undefined): FilterError {
  const path: string[] = [];
  for (let here = place; here !== undefined; here = here.around) path.push(here.name);
  const location = formatPointer(path.reverse());
  return new FilterError(
    'invalid_filter',
    location === '' ? message : `${quote(location)}: ${message}`,
    location,
  );
}
