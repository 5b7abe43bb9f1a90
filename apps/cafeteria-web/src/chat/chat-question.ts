import { DATE_PATTERN, type KnownMealCode, MenuError, resolveDate } from 'menu-client';

/** What somebody asks in a chat: `R5 내일 점심`. */
export interface ChatQuestion {
  /** Words of the restaurant's name or place; empty when there are none. */
  readonly query: string;
  /** `YYYY-MM-DD`. */
  readonly date: string;
  /** Absent: the current meal today; on another day lunch, or the first meal served. */
  readonly meal?: KnownMealCode;
}

const MAX_LENGTH = 200;

const MEAL_WORDS: readonly (readonly [KnownMealCode, RegExp])[] = [
  ['1', /^(?:아침|조식|breakfast)$/i],
  ['2', /^(?:점심|중식|lunch)$/i],
  ['3', /^(?:저녁|석식|dinner)$/i],
  ['4', /^(?:야식|심야)$/],
  ['5', /^(?:간식|snack)$/i],
  ['6', /^(?:새벽|조조식|dawn)$/i],
];
const DATE_WORDS: Readonly<Record<string, string>> = { 오늘: 'today', 내일: 'tomorrow' };
const FILLERS = /^(?:메뉴|식단|밥|뭐야|뭐|알려줘|보여줘|menu)[?!.]*$/i;

function dateOf(word: string, nowMs: number): string | undefined {
  const text = DATE_WORDS[word] ?? word;
  if (!DATE_PATTERN.test(text)) return undefined;
  try {
    return resolveDate(text, nowMs);
  } catch (error) {
    if (error instanceof MenuError) return undefined;
    throw error;
  }
}

/** Reads a question; words that name neither a date nor a meal belong to the restaurant. */
export function parseQuestion(text: string, nowMs: number): ChatQuestion {
  let date: string | undefined;
  let meal: KnownMealCode | undefined;
  const rest: string[] = [];
  for (const word of text.slice(0, MAX_LENGTH).trim().split(/\s+/)) {
    const named = MEAL_WORDS.find(([, words]) => words.test(word))?.[0];
    const day = dateOf(word, nowMs);
    if (named !== undefined) meal ??= named;
    else if (day !== undefined) date ??= day;
    else if (!FILLERS.test(word)) rest.push(word);
  }
  return {
    query: rest.join(' ').slice(0, 100),
    date: date ?? resolveDate('today', nowMs),
    ...(meal === undefined ? {} : { meal }),
  };
}
