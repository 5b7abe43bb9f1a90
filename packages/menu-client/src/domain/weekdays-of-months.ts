import type { DayForm } from './day-form.ts';
import { ENGLISH_DAY, englishDay, KOREAN_DAY, koreanDay, MONTH, MONTHS, MONTHS_AWAY } from './day-names.ts';
import { ofWeekday, ofWeekdayAhead } from './near-date.ts';

const NTH = ['첫|first|1st', '둘|두|second|2nd', '셋|세|third|3rd', '넷|네|fourth|4th', '다섯|fifth|5th'].map(
  (word) => new RegExp(`^(?:${word})$`),
);
/** `첫째주 월요일` is the first Monday of its month, as in notices of days off. */
const KOREAN_NTH = `(첫|둘|두|셋|세|넷|네|다섯)(?:번?째) ?주? ?${KOREAN_DAY}`;
const ENGLISH_NTH = String.raw`(first|second|third|fourth|fifth|1st|2nd|3rd|4th|5th) ${ENGLISH_DAY} (?:of|in)`;
const nthOf = (word = ''): number => NTH.findIndex((form) => form.test(word)) + 1;

/** Weekdays of a month: `12월 첫째주 월요일`, `다음달 셋째 수요일`, `first monday of december`. */
export const WEEKDAYS_OF_MONTHS: readonly DayForm[] = [
  {
    form: new RegExp(String.raw`^(\d{1,2}) ?월 ?${KOREAN_NTH}`),
    date: (today, [month, nth, day = '']) => ofWeekday(today, Number(month), nthOf(nth), koreanDay(day)),
  },
  {
    form: new RegExp(`^${ENGLISH_NTH} ${MONTH}`),
    date: (today, [nth, day = '', month = '']) =>
      ofWeekday(today, MONTHS.indexOf(month) + 1, nthOf(nth), englishDay(day)),
  },
  ...MONTHS_AWAY.map(
    ([month, ahead]): DayForm => ({
      form: new RegExp(`^(?:${month}) ?${KOREAN_NTH}`),
      date: (today, [nth, day = '']) => ofWeekdayAhead(today, ahead, nthOf(nth), koreanDay(day)),
    }),
  ),
];
