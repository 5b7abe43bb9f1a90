import { expect, test } from 'vitest';
import { preferredLanguage } from './language.ts';

test.each([
  [undefined, 'ko'],
  ['', 'ko'],
  ['fr-FR, de;q=0.9', 'ko'],
  ['en-US,en;q=0.9,ko;q=0.8', 'en'],
  ['ko-KR,ko;q=0.9,en-US;q=0.8', 'ko'],
  ['fr, en;q=0.4, ko;q=0.3', 'en'],
  ['en;q=0', 'ko'],
  ['*', 'ko'],
])('Accept-Language: %s → %s', (header, language) => {
  expect(preferredLanguage(header)).toBe(language);
});
