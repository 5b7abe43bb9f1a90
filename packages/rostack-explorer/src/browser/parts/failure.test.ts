import { PROBLEM_SLUGS, WEBSOCKET_ERROR_CODES } from 'rostack-core';
import { expect, test } from 'vitest';
import { toFailureText } from './failure.tsx';

const failure = (code: string) => toFailureText(Object.assign(new Error(`${code} (1)`), { code }));
const FALLBACK = toFailureText(new Error('x')).advice;

test.each([...PROBLEM_SLUGS, ...WEBSOCKET_ERROR_CODES])('%s has a title and an advice of its own', (code) => {
  const { title, advice, detail } = failure(code);
  expect(title).toMatch(/^[A-Z].*\.$/);
  expect(advice).not.toBe(FALLBACK);
  expect(detail).toBe(`${code} (1)`);
});

test('what is not known is told as it came', () => {
  expect(failure('rate-limited').title).toBe('Rate limited.');
  expect(toFailureText('cut')).toEqual({ title: 'This did not work.', advice: 'Try again.', detail: 'cut' });
});
