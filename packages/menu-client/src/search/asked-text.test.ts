import * as fc from 'fast-check';
import { ASKED_DATES, ASKED_MEALS, ASKED_NOON_MS, ASKED_TODAY, NO_DATES } from 'test-support/asked-dates';
import { describe, expect, test } from 'vitest';
import { isCalendarDate } from '../domain/calendar-date.ts';
import { MenuError } from '../domain/menu-error.ts';
import { parseAsked, resolveDate, saysNothing } from './asked-text.ts';

describe('a day alone', () => {
  test.each(ASKED_DATES)('%j is %s', (text, date) => {
    expect(resolveDate(text, ASKED_NOON_MS)).toBe(date);
  });

  test.each(NO_DATES)('%j is no day', (text) => {
    expect(() => resolveDate(text, ASKED_NOON_MS)).toThrow(MenuError);
  });

  test.each([
    ['2026-11-20T14:59:59Z', '2026-11-20'],
    ['2026-11-20T15:00:00Z', '2026-11-21'],
  ])('at %s today is %s in Seoul', (now, today) => {
    expect(resolveDate('오늘', Date.parse(now))).toBe(today);
  });

  test('a week ends with its Sunday', () => {
    expect(parseAsked('다음주 월요일', '2026-11-22').date).toBe('2026-11-23');
    expect(parseAsked('this friday', '2026-11-22').date).toBe('2026-11-20');
    expect(parseAsked('지난주 일요일', '2026-11-23').date).toBe('2026-11-22');
  });

  test('on a Sunday the weekend is that day, not the Saturday before it', () => {
    expect(parseAsked('주말', '2026-11-22').date).toBe('2026-11-22');
    expect(parseAsked('this weekend', '2026-11-22').date).toBe('2026-11-22');
    expect(parseAsked('다음주 주말', '2026-11-22').date).toBe('2026-11-28');
  });

  test('of two days equally near the later one is meant', () => {
    expect(parseAsked('1일', '2026-11-16').date).toBe('2026-12-01');
  });

  test('a day without its year is the nearest one', () => {
    expect(parseAsked('1/2', '2026-12-30').date).toBe('2027-01-02');
    expect(parseAsked('12/30', '2027-01-02').date).toBe('2026-12-30');
    expect(parseAsked('31일', '2026-12-02').date).toBe('2026-12-31');
    expect(parseAsked('2/29', '2027-01-02').date).toBe('2028-02-29');
    const months = 'January February March April May June July August September October November December';
    for (const [at, month] of months.split(' ').entries()) {
      const date = `2026-${String(at + 1).padStart(2, '0')}-05`;
      for (const name of [month, month.slice(0, 3)]) expect(parseAsked(`${name} 5`, date).date).toBe(date);
    }
  });
});

test.each([
  ['내년 1월 4일', '2027-01-04'],
  ['작년 12월 24일', '2025-12-24'],
  ['24 Dec 2025', '2025-12-24'],
  ['January 4th, 2027', '2027-01-04'],
])('%j is a day of another year: %s', (text, date) => {
  expect(resolveDate(text, ASKED_NOON_MS)).toBe(date);
});

describe('a day and a meal among other words', () => {
  test.each(ASKED_MEALS)('%j is %s, meal %s', (text, date, meal) => {
    const asked = parseAsked(`강남 R5 ${text}`, ASKED_TODAY);
    expect([asked.date ?? ASKED_TODAY, asked.meal]).toEqual([date, meal]);
    expect(asked.words.slice(0, 2)).toEqual(['강남', 'R5']);
    expect(saysNothing(asked.words.slice(2).join(' '))).toBe(true);
    expect(resolveDate(text, ASKED_NOON_MS)).toBe(date);
  });

  test.each([
    ['R5점심', ['R5'], undefined, '2'],
    ['강남내일저녁', ['강남'], '2026-11-21', '3'],
    ['오늘R5점심', ['R5'], '2026-11-20', '2'],
    ['내일B1F', ['B1F'], '2026-11-21', undefined],
    ['오늘아침점심', [], '2026-11-20', '1'],
    ['R5점심메뉴', ['R5', '메뉴'], undefined, '2'],
    ['월남쌈 화', ['월남쌈'], '2026-11-24', undefined],
    ['금오공대 모레정', ['금오공대', '모레정'], undefined, undefined],
    ['토마토 수육', ['토마토', '수육'], undefined, undefined],
    ['화로 수도 금은 목이', ['화로', '수도', '금은', '목이'], undefined, undefined],
    ['mark 5 maya 3', ['mark', '5', 'maya', '3'], undefined, undefined],
    ['월점심 R5', ['R5'], '2026-11-23', '2'],
    ['R5 20261399', ['R5', '20261399'], undefined, undefined],
    ['1식당 2층', ['1식당', '2층'], undefined, undefined],
    ['(내일) R5', ['R5'], '2026-11-21', undefined],
    ['내일/R5/점심', ['R5'], '2026-11-21', '2'],
    ['R5(내일)', ['R5'], '2026-11-21', undefined],
    ['강남-점심', ['강남'], undefined, '2'],
    ['R5모레점심', ['R5'], '2026-11-22', '2'],
    ['강남월요일점심', ['강남'], '2026-11-23', '2'],
    ['판교12월1일', ['판교'], '2026-12-01', undefined],
    ['오늘 밤양갱', ['밤양갱'], '2026-11-20', undefined],
    ['콜라 1.5L 주문일', ['콜라', '1.5L', '주문일'], undefined, undefined],
    ['R5 먹을 수 있나요', ['R5', '먹을', '수', '있나요'], undefined, undefined],
    ['R5 수', ['R5'], '2026-11-25', undefined],
    ['L.A갈비 1+1 B-2', ['L.A갈비', '1+1', 'B-2'], undefined, undefined],
    ['모래집볶음 아침만두 간식거리', ['모래집볶음', '아침만두', '간식거리'], undefined, undefined],
  ])('%j leaves %j, of %s and meal %s', (text, words, date, meal) => {
    const asked = parseAsked(text, ASKED_TODAY);
    expect([asked.words, asked.date, asked.meal]).toEqual([words, date, meal]);
  });
});

test.each([
  '도움말',
  '메뉴 알려줘',
  '뭐 먹지?',
  '내일 점심',
  'help',
  '',
  '?',
  '배고파요ㅠㅠ',
  '밥줘',
  '뭐 있을까요',
  '가까운 식당 있나요',
])('%j says nothing', (text) => {
  expect(saysNothing(text)).toBe(true);
});

/** The day, or the code of the refusal. */
function alone(text: string): string {
  try {
    return resolveDate(text, ASKED_NOON_MS);
  } catch (error) {
    return error instanceof MenuError ? error.code : String(error);
  }
}

test('any text is read as real days and its own words, or refused with invalid_date', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 30 }), (text) => {
      const { date, words } = parseAsked(text, ASKED_TODAY);
      expect(date === undefined || isCalendarDate(date)).toBe(true);
      expect(words.length).toBeLessThanOrEqual(text.length);
      expect(alone(text)).toMatch(/^(?:\d{4}-\d\d-\d\d|invalid_date)$/);
    }),
  );
});
