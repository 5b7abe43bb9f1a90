import { type KnownMealCode, parseAsked, seoulToday } from 'menu-client';

/** What somebody asks in a chat: `R5 내일점심`. */
export interface ChatQuestion {
  /** Words of the restaurant's name or place; empty when there are none. */
  readonly query: string;
  /** `YYYY-MM-DD`. */
  readonly date: string;
  /** Absent: the current meal today; on another day lunch, or the first meal served. */
  readonly meal?: KnownMealCode;
}

const MAX_LENGTH = 200;

/** Reads a question; words that name neither a day nor a meal belong to the restaurant. */
export function parseQuestion(text: string, nowMs: number): ChatQuestion {
  const today = seoulToday(nowMs);
  const { date = today, meal, words } = parseAsked(text.slice(0, MAX_LENGTH), today);
  return { query: words.join(' ').slice(0, 100), date, ...(meal === undefined ? {} : { meal }) };
}
