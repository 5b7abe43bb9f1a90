import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareCodePoints } from '../../text/strings.ts';
import { dateTimeKey, isDateTime, isTime, timeKey } from './date-time.ts';

const padded = (max: number) => fc.integer({ min: 0, max }).map((number) => String(number).padStart(2, '0'));

const dateTimes = fc
  .record({
    day: fc.date({
      min: new Date('0000-01-02T00:00:00Z'),
      max: new Date('9999-12-30T00:00:00Z'),
      noInvalidDate: true,
    }),
    separator: fc.constantFrom('T', 't', ' '),
    time: fc.tuple(padded(23), padded(59), padded(59)).map((parts) => parts.join(':')),
    fraction: fc.stringMatching(/^(?:\.[0-9]{1,12})?$/),
    offset: fc.oneof(
      fc.constantFrom('Z', 'z'),
      fc
        .tuple(fc.constantFrom('+', '-'), padded(23), fc.constantFrom(':', ''), padded(59))
        .map((parts) => parts.join('')),
    ),
  })
  .map(({ day, separator, time, fraction, offset }) => {
    const date = day.toISOString().slice(0, 10);
    return {
      text: `${date}${separator}${time}${fraction}${offset}`,
      instant: exactly(date, time, fraction, offset),
    };
  });

/** 10^-12 seconds since 1970. */
function exactly(date: string, time: string, fraction: string, offset: string): bigint {
  const [, sign = '+', hours = '0', minutes = '0'] = /^([+-])(\d\d):?(\d\d)$/.exec(offset) ?? [];
  const offsetMs = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -60_000 : 60_000);
  const ms = Date.parse(`${date}T${time}Z`) - offsetMs;
  return BigInt(ms) * 10n ** 9n + BigInt(fraction.slice(1).padEnd(12, '0'));
}

test('keys compare by code point as instants do', () => {
  fc.assert(
    fc.property(dateTimes, dateTimes, (a, b) => {
      expect([a.text, isDateTime(a.text)]).toEqual([a.text, true]);
      const order = Math.sign(compareCodePoints(dateTimeKey(a.text), dateTimeKey(b.text)));
      const expected = a.instant < b.instant ? -1 : Number(a.instant > b.instant);
      expect([a.text, b.text, order]).toEqual([a.text, b.text, expected]);
    }),
    { numRuns: 10_000 },
  );
});

test.each([
  ['2026-11-28T11:00:00Z', '2026-11-28T20:00:00+09:00'],
  ['2026-11-28T11:00:00Z', '2026-11-28 11:00:00.000000z'],
  ['2027-01-01T00:00:00Z', '2026-12-31T23:59:00-0001'],
  ['0001-01-01T00:00:00Z', '0001-01-01T01:00:00+01'],
])('%s is %s', (a, b) => {
  expect(dateTimeKey(a)).toBe(dateTimeKey(b));
});

test('a leap second is between its neighbours', () => {
  const texts = [
    '2016-12-31T23:59:59.9Z',
    '2016-12-31T23:59:60Z',
    '2017-01-01T08:59:60.5+09:00',
    '2017-01-01T00:00:00Z',
  ];
  expect(texts.toSorted((a, b) => compareCodePoints(dateTimeKey(a), dateTimeKey(b)))).toEqual(texts);
});

test.each([
  '',
  '2026-11-28',
  '2026-11-28T11:00:00',
  '2026-11-28T11:00Z',
  '2026-13-01T00:00:00Z',
  '2026-02-29T00:00:00Z',
  '2026-11-28T24:00:00Z',
  '2026-11-28T11:60:00Z',
  '2026-11-28T11:00:60Z',
  '2026-11-28T11:00:00.Z',
  '2026-11-28T11:00:00+24:00',
  '2026-11-28T11:00:00+01:60',
  '12026-11-28T11:00:00Z',
  '2026-11-28T11:00:00Z\n',
  '٢026-11-28T11:00:00Z',
])('%j is no date-time, and comes after all that are', (text) => {
  expect(isDateTime(text)).toBe(false);
  expect(dateTimeKey(text) > dateTimeKey('9999-12-31T23:59:59.9-23:59')).toBe(true);
});

test('times compare as on one day', () => {
  const texts = [
    '00:30:00+09:00',
    '00:00:00Z',
    '11:00:00Z',
    '20:00:00.5+09:00',
    '11:00:00.55Z',
    '23:30:00-01:00',
  ];
  expect(texts.toSorted((a, b) => compareCodePoints(timeKey(a), timeKey(b)))).toEqual(texts);
  expect(timeKey('11:00:00Z')).toBe(timeKey('12:00:00.0+0100'));
  expect(isTime('11:00:00')).toBe(false);
  expect(timeKey('11:00:00') > timeKey('23:59:59-23:59')).toBe(true);
});

test('a long fraction takes no longer than its length', () => {
  const text = `2026-11-28T11:00:00.1${'0'.repeat(500_000)}1${'0'.repeat(500_000)}Z`;
  expect(dateTimeKey(text)).toHaveLength(12 + 1 + 500_000 + 1);
});
