import { type Check, exactWholeNumbers, inexactNumbers, read } from '../model/check.ts';
import { URI_REFERENCE_PATTERN } from '../model/uri-pattern.ts';

/** Every rule of problem objects that the published schema does not have. */
export const PROBLEM_CHECKS: readonly Check[] = [
  exactWholeNumbers((problem) => inexactNumbers(problem, ['retry_after_ms']), ['2026-08-13']),
  {
    name: 'uri_reference_valid',
    releases: ['2026-08-13'],
    *find(problem) {
      const instance = read(problem, 'instance');
      if (typeof instance !== 'string' || URI_REFERENCE_PATTERN.test(instance)) return;
      yield { keys: ['instance'], message: 'must be a URI reference (RFC 3986)' };
    },
  },
];
