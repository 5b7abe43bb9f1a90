import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addDays,
  dayStartMs,
  daysBetween,
  formatCompactDate,
  isCalendarDate,
  parseCompactDate,
  parseDate,
  seoulToday,
  weekday,
} from './calendar-date.ts';

describe('seoulToday', () => {
  test.each([
    ['2026-11-20T14:59:59.999Z', '2026-11-20'],
    ['2026-11-20T15:00:00.000Z', '2026-11-21'],
    ['2026-12-31T15:00:00.000Z', '2027-01-01'],
  ])('at %s it is %s in Seoul', (now, date) => {
    expect(seoulToday(Date.parse(now))).toBe(date);
  });

  test('a day begins and ends where today changes', () => {
    const startMs = dayStartMs('2026-11-21');
    expect(seoulToday(startMs)).toBe('2026-11-21');
    expect(seoulToday(startMs - 1)).toBe('2026-11-20');
  });
});

describe('parseDate', () => {
  test.each(['20261120', '2026-11-20'])('reads %s', (text) => {
    expect(parseDate(text)).toBe('2026-11-20');
  });

  test.each([
    '',
    '2026112',
    '202611200',
    '2026-1120',
    '202611-20',
    '20260230',
    '20251301',
    '00000000',
    '00000101',
    'today',
    '２０２６１１２０',
    ' 20261120',
  ])('refuses %j with what to send', (text) => {
    expect(() => parseDate(text)).toThrow(/YYYYMMDD/);
    expect(isCalendarDate(text)).toBe(false);
  });

  test.each(['00010101', '15821015', '18991231', '22000101', '99991231'])('%s is a date', (text) => {
    expect(parseDate(text).replaceAll('-', '')).toBe(text);
  });

  test('knows leap years', () => {
    expect(parseDate('20240229')).toBe('2024-02-29');
    expect(() => parseDate('20250229')).toThrow(/not a date/);
    expect(() => parseDate('21000229')).toThrow(/not a date/);
  });
});

describe('parseCompactDate', () => {
  test.each([
    '20260230',
    '20261301',
    '20260010',
    '2026112',
    '2026-1-2',
    '2026-11-20',
    '202611200',
    'today',
    '',
    '00000101',
  ])('refuses %j', (text) => {
    expect(parseCompactDate(text)).toBeUndefined();
  });

  test('reads a leap day', () => {
    expect(parseCompactDate('20280229')).toBe('2028-02-29');
  });
});

const date = fc
  .integer({ min: Date.parse('0003-01-01') / 86_400_000, max: Date.UTC(9997, 11, 31) / 86_400_000 })
  .map((day) => new Date(day * 86_400_000).toISOString().slice(0, 10));

test('every date survives its compact form, and days are counted as they are added', () => {
  fc.assert(
    fc.property(date, fc.integer({ min: -400, max: 400 }), (from, days) => {
      for (const text of [from, formatCompactDate(from)]) expect(parseDate(text)).toBe(from);
      const to = addDays(from, days);
      expect(daysBetween(from, to)).toBe(days);
      expect(weekday(to)).toBe((weekday(from) + days + 406) % 7);
    }),
  );
});

test('weekdays count from Sunday', () => {
  expect(weekday('2026-11-22')).toBe(0);
  expect(weekday('2026-11-28')).toBe(6);
});
