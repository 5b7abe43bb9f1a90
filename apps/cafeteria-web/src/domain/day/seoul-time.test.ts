import { expect, test } from 'vitest';
import { seoulClock, seoulMinutes } from './seoul-time.ts';

test('clocks are of Seoul', () => {
  expect(seoulMinutes(Date.parse('2026-11-19T15:00:00Z'))).toBe(0);
  expect(seoulMinutes(Date.parse('2026-11-20T14:59:59Z'))).toBe(1439);
  expect(seoulClock('2026-11-20T02:02:30Z')).toBe('11:02');
});
