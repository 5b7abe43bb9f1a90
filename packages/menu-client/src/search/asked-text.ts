import { namedDays } from '../domain/asked-day.ts';
import { seoulToday } from '../domain/calendar-date.ts';
import type { KnownMealCode } from '../domain/daily-menu.ts';
import { MenuError } from '../domain/menu-error.ts';
import { isEmptyWord } from './empty-words.ts';
import { inHangul } from './query-words.ts';
import { foldCharacters, foldText, joinWords } from './search-text.ts';

/** What a text says besides the words that name a restaurant or a dish. */
export interface AskedText {
  /** `YYYY-MM-DD`; absent when no day is named. */
  readonly date?: string;
  /** Absent when no meal is named. */
  readonly meal?: KnownMealCode;
  /** The other words, as they were typed. */
  readonly words: readonly string[];
}

const MEALS: readonly (readonly [KnownMealCode, RegExp])[] = [
  ['1', /^(?:아침|조식|breakfast)/],
  ['2', /^(?:점심|중식|런치|lunch)/],
  ['3', /^(?:저녁|석식|디너|dinner|supper)/],
  ['4', /^(?:야식|심야식?|late[- ]?night)/],
  ['5', /^(?:간식|snack)/],
  ['6', /^(?:새벽|조조식|dawn)/],
];
/** Of a day or a meal; the longer ones first. */
const PARTICLE = /^(?:식사|밥|날)?(?:에는|에도|으로|부터|까지|은|는|에|엔|의|도|로|이|가|을|를|['’]s)?/;
/** Ends of words in which a day or a meal is written together with what is before it: `R5점심`, `강남내일저녁`. */
const GLUED =
  /^(.{2,}?)((?:오늘|내일)?(?:아침|조식|점심|중식|저녁|석식)|오늘|내일)((?:은|는|에|엔)?(?:메뉴|식단|밥)?)$/;
const STARTS_WORD = /^[^\p{L}\p{N}]*/u;
/** The rest of a word; only Hangul words are written together. */
const HANGUL = /^[가-힣]+(?![\p{L}\p{N}])/u;
const ENDS_WORD = /^(?![\p{L}\p{N}])/u;

interface Found {
  readonly date?: string;
  readonly meal?: KnownMealCode;
  /** True for a weekday alone: a date beside it counts. */
  readonly vague?: true;
  /** How many characters of the text were read. */
  readonly length: number;
  /** What was written together with it and says nothing, such as `메뉴`. */
  readonly rest?: string;
}

interface Word {
  readonly typed: string;
  readonly folded: string;
}

/** A day, a meal or both at the start of the folded text, up to the end of a word. */
function readAt(folded: string, today: string, depth = 0): Found | undefined {
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
  yield* namedDays(folded, today);
  for (const [meal, form] of MEALS) {
    const found = form.exec(folded);
    if (found !== null) yield { meal, length: found[0].length };
  }
}

/** Longer words name no day and no meal, and reading them as keys takes long. */
const KEYS_LENGTH = 16;

/** A whole word typed on the wrong keyboard: `wjatla` is 점심. */
function readKeys({ typed, folded }: Word, today: string): Found | undefined {
  if (typed.length > KEYS_LENGTH) return undefined;
  const found = inHangul(typed).map((hangul) => ({ hangul, read: readAt(hangul, today) }));
  const whole = found.find(({ hangul, read }) => read?.length === hangul.length)?.read;
  return whole && { ...whole, length: folded.length };
}

/** `오늘R5점심` is `오늘 R5점심`, `토요일(28일)` two dates: where a day ends and another script begins, a word ends. */
function atScripts(typed: string, today: string): readonly string[] {
  const [, before = '', after = ''] = /^([가-힣]{2,})([a-z\d(].*)$/iu.exec(typed.normalize('NFC')) ?? [];
  return before !== '' && readAt(before, today)?.length === before.length ? [before, after] : [typed];
}

/**
 * Reads what a text says about a day and a meal, in Korean or English, written together or not, and leaves the other
 * words: `R5 내일점심`, `next monday lunch`, `강남 11월 28일`. The first day and the first meal count, and a date beside a
 * weekday. A day that does not exist is a word.
 *
 * @param today `YYYY-MM-DD`, Asia/Seoul
 */
export function parseAsked(text: string, today: string): AskedText {
  const words: Word[] = text
    .split(/[\s,，、]+/)
    .flatMap((typed) => atScripts(typed, today))
    .map((typed) => ({ typed, folded: foldCharacters(typed).trim() }))
    .filter(({ folded }) => folded !== '');
  const others: string[] = [];
  const said: { day?: Found; meal?: KnownMealCode } = {};
  const note = (found: Found): void => {
    const isClearer = said.day?.vague === true && found.date !== undefined && found.vague !== true;
    if (said.day?.date === undefined || isClearer) said.day = found;
    if (found.meal !== undefined) said.meal ??= found.meal;
    if (found.rest !== undefined) others.push(found.rest);
  };
  for (let at = 0; at < words.length; ) {
    const word = words[at] as Word;
    const from = words
      .slice(at, at + 4)
      .map(({ folded }) => folded)
      .join(' ');
    const opening = STARTS_WORD.exec(from)?.[0].length ?? 0;
    const found = readAt(from.slice(opening), today) ?? readKeys(word, today);
    if (found === undefined) {
      const [, before = '', named = '', rest = ''] = GLUED.exec(word.folded) ?? [];
      const end = named === '' ? undefined : readAt(named, today);
      if (end === undefined) others.push(word.typed);
      else {
        others.push(word.typed.length === word.folded.length ? word.typed.slice(0, before.length) : before);
        note({ ...end, ...(rest === '' ? {} : { rest }) });
      }
      at += 1;
      continue;
    }
    note(found);
    // A date may take several words, such as `11월 28일`.
    for (let left = opening + found.length; left > 0 && at < words.length; at += 1)
      left -= (words[at]?.folded.length ?? 0) + 1;
  }
  return {
    ...(said.day?.date === undefined ? {} : { date: said.day.date }),
    ...(said.meal === undefined ? {} : { meal: said.meal }),
    words: others,
  };
}

/** True for a text that names no restaurant and no dish: a greeting, a call for help, or only a day and a meal. */
export function saysNothing(text: string): boolean {
  // Which words name a day does not depend on which day it is.
  return parseAsked(text, '2000-01-01').words.every((word) => {
    const folded = joinWords(foldText(word));
    return folded === '' || isEmptyWord(folded);
  });
}

/** A day, and the meal that was named with it. */
export interface AskedDay {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  /** Absent when no meal is named. */
  readonly meal?: KnownMealCode;
}

/**
 * The day that a text names if it names nothing else: `today`, `내일`, `다음주 월요일`, `fri`, `11/28`, `11월 28일`,
 * `YYYYMMDD`, `YYYY-MM-DD`, each with a meal or without (`내일점심`); of one that names only a meal, today. All in
 * Asia/Seoul.
 * @throws MenuError `invalid_date`
 */
export function resolveDay(text: string, nowMs: number): AskedDay {
  const today = seoulToday(nowMs);
  const { date, meal } = parseAsked(text, today);
  if (saysNothing(text) && (date ?? meal) !== undefined)
    return { date: date ?? today, ...(meal === undefined ? {} : { meal }) };
  throw new MenuError(
    'invalid_date',
    `${JSON.stringify(text.slice(0, 40))} is not a date: send YYYYMMDD, today, 내일 or a day of the week.`,
  );
}

/** The date of `resolveDay`. @throws MenuError `invalid_date` */
export function resolveDate(text: string, nowMs: number): string {
  return resolveDay(text, nowMs).date;
}
