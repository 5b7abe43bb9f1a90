import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';
import type { MenuService, UnreadOperator, WaitOptions } from 'menu-client';
import { dayStartMs } from 'menu-client';
import type { Page } from '../../answers/http/pages.ts';
import {
  type ChosenMeal,
  chosenParameters,
  decodeChosen,
  encodeChosen,
  parseChosen,
} from '../../domain/chosen-meal.ts';
import { hasUnread, isLoading } from '../../domain/day/day-view.ts';
import { closedDays, daysOf, offeredCodes } from '../../domain/day/home-days.ts';
import { momentOf } from '../../domain/day/moment-of.ts';
import { type Favourite, isRead } from '../../domain/favourite.ts';
import { decodeLook, encodeLook, LOOK_PARAMETERS, type Look, parseLook } from '../../domain/look.ts';
import { myMeals } from '../../domain/my-meals.ts';
import { type MyDayModel, renderMyDay } from '../../render/html/home/my-day.tsx';
import { renderMyDayMarkdown } from '../../render/markdown/home-markdown.ts';
import { isFirstReading } from '../../render/notes/unread-notes.ts';

/** Holds how a visitor looks at their dishes, and nothing else about them. */
const LOOK_COOKIE = 'look';
/** Holds the day and the meal that a visitor looks at, until midnight. */
const MEAL_COOKIE = 'meal';
const YEAR_S = 31_536_000;
const DAY_MS = 86_400_000;

/** What the address says; undefined where it says nothing. */
function askedLook(c: Context): Look | undefined {
  const asked = Object.fromEntries(LOOK_PARAMETERS.map((name) => [name, c.req.query(name)]));
  return Object.values(asked).every((value) => value === undefined) ? undefined : parseLook(asked);
}

function askedMeal(c: Context, today: string): ChosenMeal | undefined {
  const [date, meal] = [c.req.query('date'), c.req.query('meal')];
  return date === undefined && meal === undefined ? undefined : parseChosen(date, meal, today);
}

interface Question {
  readonly service: MenuService;
  readonly mine: readonly Favourite[];
  readonly incomplete: readonly UnreadOperator[];
  readonly today: string;
  readonly nowMs: number;
  readonly wait: WaitOptions;
}

/** Home for those who have restaurants: one meal of one day at each of them. */
export async function myDay(c: Context, question: Question): Promise<Page> {
  const { service, mine, incomplete, today, nowMs, wait } = question;
  const chosen = askedMeal(c, today) ?? decodeChosen(getCookie(c, MEAL_COOKIE), today);
  const look = askedLook(c) ?? decodeLook(getCookie(c, LOOK_COOKIE));
  const { days, failed } = await daysOf(service, mine.filter(isRead), chosen.date, wait);
  const { closed, next, loading: searching } = await closedDays(service, days, today, wait);
  const offered = offeredCodes(days);
  const model: MyDayModel = {
    mine,
    incomplete,
    chosen,
    moment: momentOf(chosen.date, nowMs),
    offered: offered.length === 0 ? ['1', '2', '3'] : offered,
    look,
    days: [...days, ...next],
    meals: myMeals(days, nowMs, look, chosen.meal),
    closed,
    next: myMeals(next, nowMs, look, chosen.meal),
    failed,
    loading: isLoading([...days, ...next]) || searching || incomplete.some(isFirstReading),
  };
  const parameters = new URLSearchParams(chosenParameters(chosen, today)).toString();
  return {
    path: parameters === '' ? '/' : `/?${parameters}`,
    unread: model.loading || incomplete.length > 0 || failed.length > 0 || hasUnread(model.days),
    html: (page) => renderMyDay(page, model),
    markdown: (page) => renderMyDayMarkdown(page, model),
    headers: { 'Cache-Control': 'private, no-cache' },
  };
}

/**
 * The cookies that remember what the address says. A page that is fetched by a script, or kept ahead by the service worker,
 * is not what somebody chose.
 */
export function rememberedChoice(c: Context, today: string, nowMs: number): readonly string[] {
  if ((c.req.header('sec-fetch-dest') ?? 'document') !== 'document') return [];
  const secure = new URL(c.req.url).protocol === 'https:' ? '; Secure' : '';
  const cookie = (name: string, value: string, seconds: number): string =>
    `${name}=${value}; Path=/; Max-Age=${value === '' ? 0 : seconds}; SameSite=Lax; HttpOnly${secure}`;
  const look = askedLook(c);
  const meal = askedMeal(c, today);
  const untilMidnight = Math.ceil((dayStartMs(today) + DAY_MS - nowMs) / 1_000);
  return [
    ...(look === undefined ? [] : [cookie(LOOK_COOKIE, encodeLook(look), YEAR_S)]),
    ...(meal === undefined ? [] : [cookie(MEAL_COOKIE, encodeChosen(meal, today), untilMidnight)]),
  ];
}
