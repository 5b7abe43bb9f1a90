import { assert, integer, property, string } from 'fast-check';
import { MenuError } from 'menu-client';
import { expect, test } from 'vitest';
import { MEAL_DATE, resolveMealDate } from './meal-date.ts';

test.each([
  ['2026-11-18T14:59:59Z', '2026-11-18', '2026-11-19'],
  ['2026-11-18T15:00:00Z', '2026-11-19', '2026-11-20'],
  ['2026-12-31T15:00:00Z', '2027-01-01', '2027-01-02'],
])('at %s today is %s and tomorrow %s in Seoul', (now, today, tomorrow) => {
  expect(resolveMealDate('today', Date.parse(now))).toBe(today);
  expect(resolveMealDate('tomorrow', Date.parse(now))).toBe(tomorrow);
});

test('both spellings of a date mean the same day', () => {
  assert(
    property(integer({ min: 0, max: 40_000 }), (days) => {
      const date = new Date(days * 86_400_000).toISOString().slice(0, 10);
      expect(resolveMealDate(date, 0)).toBe(date);
      expect(resolveMealDate(date.replaceAll('-', ''), 0)).toBe(date);
    }),
  );
});

test('any other text is refused with invalid_date, never read as some day', () => {
  assert(
    property(string(), (text) => {
      if (MEAL_DATE.test(text)) return;
      expect(() => resolveMealDate(text, 0)).toThrow(MenuError);
    }),
  );
  expect(() => resolveMealDate('20260231', 0)).toThrow(MenuError);
});
