import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { restaurantSlug } from './restaurant.ts';

test.each([
  ['강남 R5 식당', '강남-r5-식당'],
  ['  ＣＡＦＥ　ＡＢＣ!! ', 'cafe-abc'],
  ['(주)한빛/본사 · 1층', '주-한빛-본사-1층'],
  ['--a--b--', 'a-b'],
  ['★', 'restaurant'],
  ['', 'restaurant'],
])('%j becomes %s', (name, slug) => {
  expect(restaurantSlug(name)).toBe(slug);
});

test('a slug is one path segment, and its own slug', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (name) => {
      const slug = restaurantSlug(name);
      expect(slug).toMatch(/^[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*$/u);
      expect(restaurantSlug(slug)).toBe(slug);
    }),
  );
});
