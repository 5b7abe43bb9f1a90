import { formatPointer } from '../pointer/index.ts';
import { quote } from '../text/quote.ts';
import { FilterError } from './filter-error.ts';

/** Where in a filter the parser stands, as a chain: what is right never needs it written out. */
export interface FilterPlace {
  readonly around: FilterPlace | undefined;
  readonly name: string;
}

/** The error of a fault at a place; undefined is the filter as a whole. */
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
