import {
  type AskableDates,
  askableDates,
  type DailyMenu,
  type MealPeriod,
  MenuError,
  type MenuService,
  presentMeal,
  type Restaurant,
  saysNothing,
  seoulToday,
  type UnreadOperator,
} from 'menu-client';
import { menusOf, nothingServed, periodsInOrder } from '../domain/day/day-view.ts';
import { otherDay } from '../domain/day/other-day.ts';
import { CHAT_WAIT_MS, countdown } from '../running/waits.ts';
import { type ChatQuestion, parseQuestion } from './chat-question.ts';

/** What is known about a question; each chat shows it in its own form. */
export type ChatAnswer =
  | { readonly kind: 'help' | 'unread' }
  | { readonly kind: 'outside'; readonly dates: AskableDates }
  /** `asked` is what was written, as far as the search of the site takes it. */
  | { readonly kind: 'nowhere'; readonly asked: string; readonly incomplete: readonly UnreadOperator[] }
  | {
      readonly kind: 'day';
      readonly restaurant: Restaurant;
      readonly date: string;
      /** The meal asked for, with what is taken out alone if `takeout` says so; undefined when the day has none. */
      readonly period: MealPeriod | undefined;
      readonly takeout: boolean;
      /** Every meal of the day, in order. */
      readonly periods: readonly MealPeriod[];
      /** The next day with menus, `YYYY-MM-DD`, for a day without any; undefined when none is known. */
      readonly next: string | undefined;
      /** Other restaurants that match. */
      readonly others: readonly Restaurant[];
      /** Operators whose restaurants could not be searched: one of theirs may have been meant. */
      readonly incomplete: readonly UnreadOperator[];
    };

const MAX_OTHERS = 4;

function periodOf({ meal, takeout }: ChatQuestion, day: DailyMenu, nowMs: number): MealPeriod | undefined {
  const period = meal === undefined ? presentMeal(day, nowMs) : day.periods.find(({ code }) => code === meal);
  return takeout && period ? { ...period, menus: menusOf(period, 'takeout') } : period;
}

async function find(service: MenuService, text: string, nowMs: number): Promise<ChatAnswer> {
  const question = parseQuestion(text, nowMs);
  const { query, date } = question;
  if (query === '') return { kind: 'help' };
  const wait = countdown(CHAT_WAIT_MS);
  const { restaurants, incomplete } = await service.search(query, { limit: 1 + MAX_OTHERS, ...wait });
  const [restaurant, ...others] = restaurants;
  if (restaurant === undefined) {
    return saysNothing(query)
      ? { kind: 'help' }
      : { kind: 'nowhere', asked: text.trim().slice(0, 100), incomplete };
  }
  const day = await service.dailyMenu(restaurant.vendor, restaurant.id, date, wait);
  const periods = periodsInOrder(day);
  const other = nothingServed(day) ? await otherDay(service, day, seoulToday(nowMs), wait) : undefined;
  return {
    kind: 'day',
    restaurant,
    date,
    period: periodOf(question, day, nowMs),
    takeout: question.takeout === true,
    periods,
    next: other?.kind === 'next' ? other.day.date : undefined,
    others,
    incomplete,
  };
}

/** Answers within `CHAT_WAIT_MS`; what is still being read then is said to be, and goes on being read. */
export async function answerChat(service: MenuService, text: string, nowMs: number): Promise<ChatAnswer> {
  try {
    return await find(service, text, nowMs);
  } catch (error) {
    if (!(error instanceof MenuError)) throw error;
    return error.code === 'date_out_of_range'
      ? { kind: 'outside', dates: askableDates(nowMs) }
      : { kind: 'unread' };
  }
}
