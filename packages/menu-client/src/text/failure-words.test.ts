import { expect, test } from 'vitest';
import { MENU_ERRORS } from '../domain/menu-error.ts';
import { failureWords } from './failure-words.ts';

/** What a caller asked for or did: no answer has them as a reason. */
const CALLERS = [
  'invalid_date',
  'invalid_argument',
  'date_out_of_range',
  'too_many_readings',
  'restaurant_not_found',
  'menu_not_found',
  'aborted',
  'driver_missing',
  'closed',
];

test.each(['en', 'ko'] as const)('every reason that an answer can have has words (%s)', (language) => {
  const unknown = failureWords('another', language);
  const wordless = Object.keys(MENU_ERRORS).filter((code) => failureWords(code, language) === unknown);
  expect(wordless).toEqual(CALLERS);
  expect(failureWords(undefined, language)).toBe(unknown);
});
