import type { Check } from '../model/check.ts';

/** Every rule of problem objects that the published schema does not have, by its stable name. */
export const PROBLEM_CHECKS: readonly Check[] = [
  { name: 'uri_reference_valid', releases: ['2026-08-13'] },
  { name: 'whole_number_exact', releases: ['2026-08-13'] },
];

/** The sentence of each of `PROBLEM_CHECKS`, by its name. */
export const PROBLEM_RULES: Readonly<Record<string, string>> = {
  uri_reference_valid:
    'instance is a URI reference (RFC 3986), and its host, if any, is a name or an address.',
  whole_number_exact: 'Integers are at most 9007199254740991: a double does not hold all of the larger ones.',
};
