import { date as anyDate, assert, property } from 'fast-check';
import { expect, test } from 'vitest';
import { dayNumber, parseDate } from './calendar.ts';

test('a calendar day is read in both spellings', () => {
  assert(
    property(
      anyDate({ min: new Date('1900-01-01'), max: new Date('2199-12-31'), noInvalidDate: true }),
      (day) => {
        const date = day.toISOString().slice(0, 10);
        expect(parseDate(date)).toBe(date);
        expect(parseDate(date.replaceAll('-', ''))).toBe(date);
      },
    ),
  );
});

test.each(['', '2026-02-29', '20261301', '2026-11-1', '2026-11-181', 'today', '2026/11/18'])(
  '%j is no date',
  (text) => {
    expect(parseDate(text)).toBeUndefined();
  },
);

test('days are numbered one by one', () => {
  expect(dayNumber('2026-03-01') - dayNumber('2026-02-28')).toBe(1);
});
