import { type MealPeriod, MenuError, type MenuService, type Restaurant, saysNothing, seoulToday } from 'menu-client';
import { periodsInOrder } from '../domain/day-view.ts';
import { currentMeal } from '../domain/meal-clock.ts';
import { seoulMinutes } from '../domain/seoul-time.ts';
import { type ChatQuestion, parseQuestion } from './chat-question.ts';

/** What is known about a question; each chat shows it in its own form. */
export type ChatAnswer =
  | { readonly kind: 'help' | 'slow' | 'unread' }
  | { readonly kind: 'nowhere'; readonly query: string; readonly incomplete: boolean }
  | {
      readonly kind: 'day';
      readonly restaurant: Restaurant;
      readonly date: string;
      /** The meal asked for; undefined when the day has none. */
      readonly period: MealPeriod | undefined;
      /** Every meal of the day, in order. */
      readonly periods: readonly MealPeriod[];
      /** Other restaurants that match. */
      readonly others: readonly Restaurant[];
    };

/** Chats show people an error after a few seconds; an answer that takes longer than this asks them to try again. */
const MAX_WAIT_MS = 800;
const MAX_OTHERS = 4;

function periodOf(
  { meal, date }: ChatQuestion,
  periods: readonly MealPeriod[],
  nowMs: number,
): MealPeriod | undefined {
  if (meal !== undefined) return periods.find(({ code }) => code === meal);
  const served = periods.filter(({ menus }) => menus.length > 0);
  const code = date === seoulToday(nowMs) ? currentMeal(served, seoulMinutes(nowMs)) : undefined;
  return periods.find((each) => each.code === code) ?? served.find((each) => each.code === '2') ?? served[0];
}

async function find(service: MenuService, question: ChatQuestion, nowMs: number): Promise<ChatAnswer> {
  const { query, date } = question;
  if (query === '') return { kind: 'help' };
  const { restaurants, incomplete } = await service.search(query, { limit: 1 + MAX_OTHERS });
  const [restaurant, ...others] = restaurants;
  if (restaurant === undefined) {
    return saysNothing(query)
      ? { kind: 'help' }
      : { kind: 'nowhere', query, incomplete: incomplete.length > 0 };
  }
  const day = await service.dailyMenu(restaurant.vendor, restaurant.id, date);
  const periods = periodsInOrder(day);
  return { kind: 'day', restaurant, date, period: periodOf(question, periods, nowMs), periods, others };
}

/** Answers from the cache. If something has to be read first, reading goes on and the answer says to ask again. */
export async function answerChat(service: MenuService, text: string, nowMs: number): Promise<ChatAnswer> {
  const found = find(service, parseQuestion(text, nowMs), nowMs).catch((error: unknown): ChatAnswer => {
    if (error instanceof MenuError) return { kind: 'unread' };
    throw error;
  });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<ChatAnswer>((resolve) => {
    timer = setTimeout(() => resolve({ kind: 'slow' }), MAX_WAIT_MS);
  });
  try {
    return await Promise.race([found, late]);
  } finally {
    clearTimeout(timer);
    // It may still fail after the answer was given.
    found.catch(() => {});
  }
}
