import type { MenuService, Restaurant, UnreadOperator, WaitOptions } from 'menu-client';
import type { Page } from '../../answers/http/pages.ts';
import type { Unchanged } from '../../answers/readings.ts';
import { dayVersion, hasUnread, isLoading } from '../../domain/day/day-view.ts';
import { closedDays, daysOf } from '../../domain/day/home-days.ts';
import { galleryOf } from '../../domain/dish/gallery.ts';
import { type FirstVisitModel, renderFirstVisit } from '../../render/html/home/first-visit.tsx';
import { renderFirstVisitMarkdown } from '../../render/markdown/home-markdown.ts';
import { isFirstReading } from '../../render/notes/unread-notes.ts';

const GALLERY_LIMIT = 12;
const SHOWCASE_COUNT = 6;
const PLACE_COUNT = 8;
const MIN_RESTAURANTS = 2;

/** Some restaurants for visitors who have chosen none: different ones each day, the same for everybody. */
function showcase(all: readonly Restaurant[], date: string): readonly Restaurant[] {
  const count = Math.min(SHOWCASE_COUNT, all.length);
  const start = Number(date.replaceAll('-', '')) * 31;
  const step = Math.max(1, Math.floor(all.length / Math.max(1, count)));
  return Array.from({ length: count }, (_, index) => all[(start + index * step) % all.length]).filter(
    (restaurant) => restaurant !== undefined,
  );
}

/**
 * The places and companies with the most restaurants, most first: searches that are sure to find something.
 *
 * @param limit how many at most
 */
export function commonPlaces(restaurants: readonly Restaurant[], limit: number): readonly string[] {
  const counts = new Map<string, number>();
  for (const { location } of restaurants) {
    for (const place of new Set(location)) counts.set(place, (counts.get(place) ?? 0) + 1);
  }
  return [...counts]
    .filter(([place, count]) => count >= MIN_RESTAURANTS && place.trim().length > 1)
    .sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1))
    .slice(0, limit)
    .map(([place]) => place);
}

// Computed once for each list: the service hands out the same one until the catalogue changes.
const knownPlaces = new WeakMap<readonly Restaurant[], readonly string[]>();

function placesOf(restaurants: readonly Restaurant[]): readonly string[] {
  const places = knownPlaces.get(restaurants) ?? commonPlaces(restaurants, PLACE_COUNT);
  knownPlaces.set(restaurants, places);
  return places;
}

interface Question {
  readonly service: MenuService;
  readonly restaurants: readonly Restaurant[];
  readonly incomplete: readonly UnreadOperator[];
  readonly unchanged: Unchanged;
  readonly today: string;
  readonly nowMs: number;
  readonly wait: WaitOptions;
}

/** Home for those who have no restaurant of their own: places to begin with, and what some restaurants serve. */
export async function firstVisit(question: Question): Promise<Page> {
  const { service, restaurants, incomplete, unchanged, today, nowMs, wait } = question;
  const { days, failed } = await daysOf(service, showcase(restaurants, today), today, wait);
  const { closed, next, loading: searching } = await closedDays(service, days, today, wait);
  const isClosed = days.length > 0 && closed.length === days.length;
  const shown = isClosed ? next.filter(({ date }) => date === next[0]?.date) : days;
  const gallery = galleryOf(shown, nowMs, { limit: GALLERY_LIMIT, photosOnly: true });
  const loading = isLoading([...days, ...shown]) || searching || incomplete.some(isFirstReading);
  const model: FirstVisitModel = {
    incomplete,
    mine: [],
    places: placesOf(restaurants),
    days: shown,
    isClosed,
    date: shown[0]?.date ?? today,
    gallery,
    failed,
    loading,
  };
  const dishes = gallery
    .map(({ period, menu, restaurant }) => `${restaurant.id}${period.code}${menu?.id ?? ''}`)
    .join();
  return {
    path: '/',
    version: [...model.places, ...[...days, ...shown].map(dayVersion), dishes].join(),
    unchanged,
    unread: loading || incomplete.length > 0 || failed.length > 0 || hasUnread([...days, ...shown]),
    html: (page) => renderFirstVisit(page, model),
    markdown: (page) => renderFirstVisitMarkdown(page, model),
  };
}
