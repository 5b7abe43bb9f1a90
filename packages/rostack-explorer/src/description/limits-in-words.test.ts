import { expect, test } from 'vitest';
import { limitsInWords } from './limits-in-words.ts';

test.each([
  [{ minimum: 0, maximum: 359 }, ['0 to 359']],
  [{ minimum: 0, maximum: 9_007_199_254_740_991 }, ['at least 0']],
  [{ exclusiveMinimum: 0, multipleOf: 0.5 }, ['more than 0', 'a multiple of 0.5']],
  [{ minLength: 1 }, ['at least 1 character']],
  [{ minLength: 2, maxLength: 2 }, ['exactly 2 characters']],
  [{ maxItems: 3, uniqueItems: true }, ['at most 3 members', 'no member twice']],
  [{ pattern: '^[a-z]+$' }, ['matches ^[a-z]+$']],
  [{ pattern: '^[0-9T:Z-]+$', format: 'date-time' }, []],
])('%j', (schema: Record<string, string | number | boolean>, words) => {
  expect(limitsInWords((name) => schema[name])).toEqual(words);
});
