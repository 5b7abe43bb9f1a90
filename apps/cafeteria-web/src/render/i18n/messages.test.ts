import { expect, test } from 'vitest';
import { MESSAGES } from './messages.ts';

/** Every text of a value; functions are called with a date, which is text too. */
function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'function') {
    const word = '2026-11-20';
    return [String(Reflect.apply(value, undefined, [word, word, word]))];
  }
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

test('English pages have no Korean label of ours but the link to Korean', () => {
  const { otherLanguage, ...texts } = MESSAGES.en;
  expect(otherLanguage).toBe('한국어');
  expect(textsOf(texts).length).toBeGreaterThan(150);
  expect(textsOf(texts).filter((text) => /[ㄱ-ㅣ가-힣]/.test(text))).toEqual([]);
});
