import type { Check } from '../model/check.ts';

/** Every rule of problem objects that the published schema does not have, by its stable name. */
export const PROBLEM_CHECKS: readonly Check[] = [
  { name: 'uri_reference_valid', releases: ['2026-08-13'] },
  { name: 'whole_number_exact', releases: ['2026-08-13'] },
];
