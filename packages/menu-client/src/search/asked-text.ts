import { seoulToday } from '../domain/calendar-date.ts';
import type { KnownMealCode } from '../domain/daily-menu.ts';
import { MenuError } from '../domain/menu-error.ts';
import { isEmptyWord } from './empty-words.ts';
import { inHangul } from './query-words.ts';
import { type Found, readAt } from './read-asked.ts';
import { foldCharacters, foldText, joinWords, withoutInvisible } from './search-text.ts';

/** What a text says besides the words that name a restaurant or a dish. */
export interface AskedText {
  /** `YYYY-MM-DD`; absent when no day is named. */
  readonly date?: string;
  /** Absent when no meal is named. */
  readonly meal?: KnownMealCode;
  /** The other words, as they were typed. */
  readonly words: readonly string[];
}

const GLUED_DAY = '(?:(?:이번|다음|담|지난)주)?[월화수목금토일](?:요일|욜)|오늘|내일|모레|어제|글피';
const GLUED_MEAL = '아침|조식|점심|중식|저녁|석식';
const GLUED_DATE = String.raw`(?<=[가-힣])\d{1,2}(?:월|\/)\d`;
/** A word in which a day or a meal is written together with what is before it: `R5점심`, `강남내일저녁`. */
const GLUED = new RegExp(`^(.{2,}?)((?:${GLUED_DAY}|${GLUED_MEAL}|${GLUED_DATE}).*)$`);
/** Between what is written together: `R5/내일`, `강남(점심)`. */
const BETWEEN = /(?<=[\p{L}\p{N}])[\p{P}\p{S}]+(?=[\p{L}\p{N}])/gu;
const STARTS_WORD = /^[^\p{L}\p{N}]*/u;

interface Word {
  readonly typed: string;
  readonly folded: string;
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

/** `오늘R5점심` is `오늘 R5점심`: where a day ends and another script begins, a word ends. */
function atScripts(typed: string, today: string): readonly string[] {
  const [, before = '', after = ''] = /^([가-힣]{2,})([a-z\d].*)$/iu.exec(typed.normalize('NFC')) ?? [];
  return before !== '' && readAt(before, today)?.length === before.length ? [before, after] : [typed];
}

/** The word without its first characters and the punctuation after them. */
function tailOf({ typed, folded }: Word, from: number): Word {
  const rest = folded.slice(from);
  const start = from + (STARTS_WORD.exec(rest)?.[0].length ?? 0);
  return {
    typed: (typed.length === folded.length ? typed : folded).slice(start),
    folded: folded.slice(start),
  };
}

/** Where a day or a meal begins that is written together with what is before it; undefined where none is. */
function gluedAt({ folded }: Word, today: string): number | undefined {
  for (const { index, 0: sign } of folded.matchAll(BETWEEN)) {
    const found = readAt(folded.slice(index + sign.length), today);
    if (found !== undefined && found.vague !== true) return index;
  }
  const [, before = '', named = ''] = GLUED.exec(folded) ?? [];
  return named !== '' && readAt(named, today) !== undefined ? before.length : undefined;
}

/** What a text says, as it is read. */
class Reading {
  readonly others: string[] = [];
  #day: Found | undefined;
  #meal: Found | undefined;

  note(found: Found): void {
    const isClearer = this.#day?.vague === true && found.vague !== true;
    if (found.date !== undefined && (this.#day === undefined || isClearer)) this.#day = found;
    const isNamed = this.#meal?.implied === true && found.implied !== true;
    if (found.meal !== undefined && (this.#meal === undefined || isNamed)) this.#meal = found;
    if (found.rest !== undefined) this.others.push(found.rest);
  }

  get said(): AskedText {
    const date = this.#day?.date;
    const meal = this.#meal?.meal;
    return {
      ...(date === undefined ? {} : { date }),
      ...(meal === undefined ? {} : { meal }),
      words: this.others,
    };
  }
}

/**
 * Reads what a text says about a day and a meal, in Korean or English, written together or not, and leaves the other
 * words: `R5 내일점심`, `next monday lunch`, `강남 11월 28일`. The first day and the first meal count, and a date beside a
 * weekday. A day that does not exist is a word.
 *
 * @param today `YYYY-MM-DD`, Asia/Seoul
 */
export function parseAsked(text: string, today: string): AskedText {
  const words: Word[] = withoutInvisible(text)
    .split(/[\s,，、]+/)
    .flatMap((typed) => atScripts(typed, today))
    .map((typed) => ({ typed, folded: foldCharacters(typed).trim() }))
    .filter(({ folded }) => folded !== '');
  const reading = new Reading();
  for (let at = 0; at < words.length; ) {
    const word = words[at] as Word;
    const from = words
      .slice(at, at + 4)
      .map(({ folded }) => folded)
      .join(' ');
    const opening = STARTS_WORD.exec(from)?.[0].length ?? 0;
    const found = readAt(from.slice(opening), today) ?? readKeys(word, today);
    if (found === undefined) {
      const end = gluedAt(word, today);
      const isCut = end !== undefined && word.typed.length !== word.folded.length;
      reading.others.push((isCut ? word.folded : word.typed).slice(0, end));
      if (end === undefined) at += 1;
      else words[at] = tailOf(word, end);
      continue;
    }
    reading.note(found);
    // A date may take several words, such as `11월 28일`, and a part of one: `내일/R5`.
    let left = opening + found.length;
    for (; at < words.length && left >= (words[at] as Word).folded.length; at += 1)
      left -= (words[at] as Word).folded.length + 1;
    const cut = words[at];
    if (cut === undefined || left <= 0) continue;
    const tail = tailOf(cut, left);
    if (tail.folded === '') at += 1;
    else words[at] = tail;
  }
  return reading.said;
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
