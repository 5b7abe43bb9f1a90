import { type KnownMealCode, parseAsked, seoulToday } from 'menu-client';

/** What somebody asks in a chat: `R5 내일점심`. */
export interface ChatQuestion {
  /** Words of the restaurant's name or place; empty when there are none. */
  readonly query: string;
  /** `YYYY-MM-DD`. */
  readonly date: string;
  /** Absent: the current meal today; on another day lunch, or the first meal served. */
  readonly meal?: KnownMealCode;
  /** Only what is taken out is asked for. */
  readonly takeout?: true;
}

const MAX_LENGTH = 200;
const TAKEOUT = /^(?:포장|테이크 ?아웃|take-?out|to-?go)(?:메뉴|음식|용)?(?:[은는도만]|으?로)?$/iu;

/** Reads a question; words that name neither a day nor a meal nor take-out belong to the restaurant. */
export function parseQuestion(text: string, nowMs: number): ChatQuestion {
  const today = seoulToday(nowMs);
  const { date = today, meal, words } = parseAsked(text.slice(0, MAX_LENGTH), today);
  const names = words.filter((word) => !TAKEOUT.test(word));
  return {
    query: names.join(' ').slice(0, 100),
    date,
    ...(meal === undefined ? {} : { meal }),
    ...(names.length === words.length ? {} : { takeout: true as const }),
  };
}
