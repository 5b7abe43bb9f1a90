import { namedDays } from '../domain/asked-day.ts';
import type { KnownMealCode } from '../domain/daily-menu.ts';
import { isEmptyWord } from './empty-words.ts';

const MEALS: readonly (readonly [KnownMealCode, RegExp])[] = [
  ['1', /^(?:아 ?침|조식|아메추?|breakfast)/],
  ['2', /^(?:점 ?심|중식|런치|점메추?|lunch(?: ?time)?)/],
  ['3', /^(?:저 ?녁|석식|디너|저메추?|dinner(?: ?time)?|supper)/],
  ['4', /^(?:야식|야간식|심야식?|late[- ]?night)/],
  ['5', /^(?:간식|snack)/],
  ['6', /^(?:새벽식?|조조식|dawn)/],
];
/** After a day; a meal that is named too counts instead. */
const TIMES: readonly (readonly [KnownMealCode, RegExp])[] = [
  ['1', /^ ?morning/],
  ['3', /^ ?(?:밤|evening|night)/],
];
const TONIGHT = /^toni(?:ght|te)/;
/** Of a day or a meal; the longer ones first. */
const PARTICLE =
  /^(?:식사|밥|날| ?때|시간대?)?(?: ?[거꺼것건껀]|자)?(?:에는|에도|으로|부터|까지|이랑|하고|은|는|에|엔|의|도|로|이|가|을|를|만|랑|과|와|['’]s)?(?:이?요|이?야|이?에요|예요|입니다|임)?[ㅋㅎㅠㅜ]*/;
/** The rest of a word; only Hangul words are written together. */
const HANGUL = /^[가-힣]+(?![\p{L}\p{N}])/u;
const ENDS_WORD = /^(?![\p{L}\p{N}])/u;

/** A day, a meal or both. */
export interface Found {
  readonly date?: string;
  readonly meal?: KnownMealCode;
  /** True for a weekday alone: a date beside it counts. */
  readonly vague?: true;
  /** True for a meal that only a time of day tells: one that is named counts. */
  readonly implied?: true;
  /** How many characters of the text were read. */
  readonly length: number;
  /** What was written together with it and says nothing, such as `메뉴`. */
  readonly rest?: string;
}

/** A day, a meal or both at the start of the folded text, up to the end of a word. */
export function readAt(folded: string, today: string, depth = 0): Found | undefined {
  for (const found of candidates(folded, today)) {
    const bare = folded.slice(found.length);
    for (const skipped of new Set([PARTICLE.exec(bare)?.[0].length ?? 0, 0])) {
      const after = bare.slice(skipped);
      const length = found.length + skipped;
      if (ENDS_WORD.test(after)) return { ...found, length };
      const rest = HANGUL.exec(after)?.[0] ?? '';
      if (isEmptyWord(rest)) return { ...found, length: length + rest.length, rest };
      const more = depth > 2 ? undefined : readAt(after, today, depth + 1);
      if (more !== undefined) return { ...more, ...found, length: length + more.length };
    }
  }
  return undefined;
}

function* candidates(folded: string, today: string): Generator<Found> {
  const [{ length } = ''] = TONIGHT.exec(folded) ?? [];
  if (length > 0) yield { date: today, meal: '3', implied: true, length };
  for (const day of namedDays(folded, today)) {
    const rest = folded.slice(day.length);
    for (const [meal, form] of TIMES) {
      const time = form.exec(rest);
      if (time !== null) yield { ...day, meal, implied: true, length: day.length + time[0].length };
    }
    yield day;
  }
  for (const [meal, form] of MEALS) {
    const found = form.exec(folded);
    if (found !== null) yield { meal, length: found[0].length };
  }
}
