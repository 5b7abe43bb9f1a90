import type { DailyMenu, MealPeriod } from 'menu-client';
import { expect, test } from 'vitest';
import { samplePage as page } from '../../../test/support/sample-page.ts';
import { renderLunchCalendar } from './lunch-calendar.ts';

function calendarOf(names: readonly string[], status: MealPeriod['status'] = 'ok', at = '11:20'): string {
  const menus = names.map((name) => ({
    id: name,
    name,
    serving: 'take-in' as const,
    soldOut: false,
    components: [],
  }));
  const day: DailyMenu = {
    restaurant: { vendor: 'welstory', id: 'R5', name: '1식당', location: [] },
    date: '2026-11-20',
    periods: [{ code: '2', label: '중식', status, menus }],
  };
  return renderLunchCalendar(page, [day], at).replaceAll('\r\n ', '');
}
const member = (calendar: string, name: string): string =>
  new RegExp(`^${name}:(.*)\r$`, 'm').exec(calendar)?.[1] ?? '';
const summary = (...asked: Parameters<typeof calendarOf>): string => member(calendarOf(...asked), 'SUMMARY');

test('a reminder names three menus, and says how many more there are', () => {
  expect(summary(['국수', '비빔밥', '냉면'])).toBe('점심: 국수\\, 비빔밥\\, 냉면');
  expect(summary(['국수', '비빔밥', '냉면', '덮밥'])).toBe('점심: 국수\\, 비빔밥\\, 냉면 외 1');
});

test('a lunch that could not be read is said to be one, not to be on its way', () => {
  expect(summary([], 'failed')).toBe(`점심: ${page.text.failedPeriod}`);
  expect(summary([], 'loading')).toBe(`점심: ${page.text.dayLoading}`);
});

test('reminders of other times are other events', () => {
  const [early, late] = ['11:20', '11:50'].map((at) => member(calendarOf(['국수'], 'ok', at), 'UID'));
  expect(early).not.toBe('');
  expect(early).not.toBe(late);
});
