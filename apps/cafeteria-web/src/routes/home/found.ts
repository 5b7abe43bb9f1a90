import type { Context } from 'hono';
import {
  askableDates,
  type DishList,
  type DishSearchOptions,
  type MenuService,
  parseAsked,
  type Restaurant,
  resolveDay,
  type WaitOptions,
} from 'menu-client';
import { favouriteRestaurants } from '../../answers/http/favourites.ts';
import { RETRY_LATER } from '../../answers/http/headers.ts';
import type { Page } from '../../answers/http/pages.ts';
import { choosableDates } from '../../domain/chosen-meal.ts';
import { momentOf } from '../../domain/day/moment-of.ts';
import { inOrderOfMeals } from '../../domain/dish/dish-order.ts';
import { isRead } from '../../domain/favourite.ts';
import { placeCounts } from '../../domain/place-counts.ts';
import { foundPath } from '../../domain/restaurant-path.ts';
import { renderFound } from '../../render/html/home/found.tsx';
import type { FoundModel } from '../../render/html/home/found-model.ts';
import { renderFoundMarkdown } from '../../render/markdown/found-markdown.ts';
import { isFirstReading } from '../../render/notes/unread-notes.ts';

export const MAX_QUERY_LENGTH = 100;
const RESULT_LIMIT = 50;
/** With more menus than this and no place chosen, only those of the present meal are shown. */
const FEW_MENUS = 30;
const PRESENT_LIMIT = 20;
const OWN_LIMIT = 50;
const PLACE_LIMIT = 100;
const PLACE_COUNT = 10;

interface Question {
  readonly service: MenuService;
  readonly query: string;
  /** Of my restaurants. */
  readonly cookie: string | undefined;
  readonly nowMs: number;
  readonly today: string;
  readonly wait: WaitOptions;
}

const NO_DISHES: DishList = { matches: [], total: 0, byRestaurant: [], unreadDays: 0, incomplete: [] };

function isAskable(date: string, nowMs: number): boolean {
  const { from, to } = askableDates(nowMs);
  return from <= date && date <= to;
}

const keyOf = ({ vendor, id }: Restaurant): string => `${vendor} ${id}`;

const isAt =
  (place: string) =>
  ({ location }: Restaurant): boolean =>
    location.includes(place);

/** The menus to show of all that were found. */
async function shownOf(
  all: DishList,
  place: string | undefined,
  present: () => Promise<DishList>,
): Promise<DishList> {
  if (place !== undefined || all.total <= FEW_MENUS || all.date !== undefined) return all;
  const now = await present();
  return now.total > 0 ? now : all;
}

/** Restaurants and dishes that a search finds, the visitor's own first. */
export async function foundFor(c: Context, question: Question): Promise<{ page: Page; status: number }> {
  const { service, query, cookie, nowMs, today, wait } = question;
  const place = c.req.query('place')?.slice(0, MAX_QUERY_LENGTH) || undefined;
  const day = c.req.query('date');
  const asked: DishSearchOptions = { ...wait, ...(day ? resolveDay(day, nowMs) : {}) };
  const namedDay = asked.date ?? parseAsked(query, today).date;
  const outside =
    day || namedDay === undefined || choosableDates(today).includes(namedDay) ? undefined : namedDay;
  const find = async (more: DishSearchOptions): Promise<DishList> =>
    outside === undefined ? service.searchDishes(query, { ...asked, ...more }) : NO_DISHES;

  const mine = (await favouriteRestaurants(service, cookie, wait)).filter(isRead);
  const everywhere = await find({ limit: FEW_MENUS });
  const there = everywhere.byRestaurant.map(({ restaurant }) => restaurant);
  const moment = momentOf(today, nowMs);
  const all =
    place === undefined
      ? everywhere
      : await find({ limit: PLACE_LIMIT, restaurants: there.filter(isAt(place)) });
  const shown = await shownOf(all, place, () =>
    find({ date: today, meal: all.meal ?? moment, limit: PRESENT_LIMIT }),
  );
  const ownPlaces = place === undefined ? mine : mine.filter(isAt(place));
  const own =
    ownPlaces.length === 0 ? [] : (await find({ limit: OWN_LIMIT, restaurants: ownPlaces })).matches;

  const named = await service.search(query, { limit: RESULT_LIMIT, ...wait });
  const isElsewhere = named.restaurants.length === 0 && everywhere.placeWords !== undefined;
  const found = isElsewhere
    ? await service.search(everywhere.placeWords ?? '', { limit: RESULT_LIMIT, ...wait })
    : named;
  const keys = new Set(mine.map(keyOf));
  const isMine = (restaurant: Restaurant): boolean => keys.has(keyOf(restaurant));
  const { restaurants, incomplete } = found;
  const nothing = restaurants.length === 0 && all.total === 0;
  const path = foundPath(query, {
    ...(place === undefined ? {} : { place }),
    ...(day && all.date !== undefined ? { date: all.date } : {}),
  });
  const model: FoundModel = {
    query,
    path,
    date: namedDay !== undefined && isAskable(namedDay, nowMs) ? namedDay : undefined,
    outside,
    place,
    restaurants:
      place === undefined
        ? [...restaurants.filter(isMine), ...restaurants.filter((each) => !isMine(each))]
        : [],
    resultLimit: RESULT_LIMIT,
    dishesFirst: all.total > 0 && (isElsewhere || restaurants.length === 0),
    mine,
    own: inOrderOfMeals(own, today, moment),
    others: inOrderOfMeals(
      shown.matches.filter(({ restaurant }) => !isMine(restaurant)),
      today,
      moment,
    ),
    all,
    isWhole: shown.total === all.total && shown.matches.length === shown.total,
    places: placeCounts(everywhere.byRestaurant, mine, PLACE_COUNT),
    incomplete,
    loading: incomplete.some(isFirstReading),
  };
  const isUnread = incomplete.length > 0 || (all.unreadDays > 0 && (all.total > 0 || nothing));
  const isMissing = nothing && incomplete.length > 0;
  return {
    // Programs would take a 200 without results for a complete answer.
    status: isMissing ? 503 : 200,
    page: {
      path,
      unread: isUnread,
      html: (page) => renderFound(page, model),
      markdown: (page) => renderFoundMarkdown(page, model),
      headers: {
        ...(mine.length > 0 ? { 'Cache-Control': 'private, no-cache' } : {}),
        ...(isMissing ? RETRY_LATER : {}),
      },
    },
  };
}
