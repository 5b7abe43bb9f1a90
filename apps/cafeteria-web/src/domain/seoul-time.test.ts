import { expect, test } from 'vitest';
import { parseCompactDate, seoulClock, seoulMinutes } from './seoul-time.ts';

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
])('refuses %j as the date of a path', (text) => {
  expect(parseCompactDate(text)).toBeUndefined();
});

test('reads a leap day', () => {
  expect(parseCompactDate('20280229')).toBe('2028-02-29');
});

test('clocks are of Seoul', () => {
  expect(seoulMinutes(Date.parse('2026-11-19T15:00:00Z'))).toBe(0);
  expect(seoulMinutes(Date.parse('2026-11-20T14:59:59Z'))).toBe(1439);
  expect(seoulClock('2026-11-20T02:02:30Z')).toBe('11:02');
});
