import { addDays } from './calendar-date.ts';
import type { DayForm } from './day-form.ts';

const NUMBERS: readonly (readonly [RegExp, number])[] = [
  [/^(?:하루|한|일|an?|one)$/, 1],
  [/^(?:이틀|두|이|two)$/, 2],
  [/^(?:사흘|세|three)$/, 3],
  [/^(?:나흘|four)$/, 4],
  [/^(?:닷새|five)$/, 5],
  [/^(?:엿새|six)$/, 6],
  [/^(?:이레|seven)$/, 7],
  [/^열흘$/, 10],
  [/^보름$/, 15],
];
const DAYS = '(하루|이틀|사흘|나흘|닷새|엿새|이레|열흘|보름)';
const WEEKS = String.raw`(\d|[일이한두세]) ?(주)일?`;
const ENGLISH = String.raw`(\d{1,2}|an?|one|two|three|four|five|six|seven) (day|week)s?`;

const numberOf = (text = ''): number => NUMBERS.find(([word]) => word.test(text))?.[1] ?? Number(text);

/** So many days or weeks after today, or before it. */
const away =
  (sign: 1 | -1): DayForm['date'] =>
  (today, [count, unit]) =>
    addDays(today, sign * numberOf(count) * (unit === 'week' || unit === '주' ? 7 : 1));

/** Days counted from today: `3일 뒤`, `이틀 전`, `in two days`, `a week from now`. */
export const COUNTED_DAYS: readonly DayForm[] = [
  { form: /^(\d{1,2}) ?일 ?(?:뒤|후)/, date: away(1) },
  { form: /^(\d{1,2}) ?일 ?전/, date: away(-1) },
  { form: new RegExp(`^${WEEKS} ?(?:뒤|후)`), date: away(1) },
  { form: new RegExp(`^${WEEKS} ?전`), date: away(-1) },
  { form: new RegExp(`^${DAYS} ?(?:뒤|후)`), date: away(1) },
  { form: new RegExp(`^${DAYS} ?전`), date: away(-1) },
  { form: new RegExp(`^in ${ENGLISH}`), date: away(1) },
  { form: new RegExp(`^${ENGLISH} (?:from (?:now|today)|later)`), date: away(1) },
  { form: new RegExp(`^${ENGLISH} ago`), date: away(-1) },
];
