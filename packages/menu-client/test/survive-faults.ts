import {
  addDays,
  type Bundle,
  createMenuService,
  type DailyMenu,
  MenuError,
  planeatOperator,
  seoulToday,
  welstoryOperator,
} from 'menu-client';
import {
  DEFAULT_CREDENTIALS,
  FAULTS,
  type Fault,
  type FaultRule,
  type Sandbox,
  startSandbox,
} from 'menu-sandbox';
import { expect } from 'vitest';
import { plannedMeals, SimulatedDay } from './simulated-day.ts';

const HOUR = 3_600_000;
/** Midnight in Seoul before a Wednesday. */
const START_MS = Date.parse('2026-11-17T15:00:00Z');
const MINUTE = 60_000;

const NEVER_HERE: readonly Fault[] = [
  'menus-empty',
  'data-null',
  'unknown-meal-code',
  'large-tree',
  'login-without-token',
  'maintenance',
];

const EVERY_FAULT: readonly FaultRule[] = (Object.keys(FAULTS) as Fault[])
  // What an operator answers in its own words for "none" cannot be told from it, nor another code from another meal; 12 MiB
  // for each of many requests take long, and an account that is refused stays so for hours.
  .filter((fault) => !NEVER_HERE.includes(fault))
  .map((fault) => ({
    fault,
    rate: 0.2,
    ...(fault === 'slow' ? { delayMs: 10 } : {}),
  }));

/** A bundle whose items are neither there nor said to be missing. */
function bundleLies({ status, items, error }: Bundle): boolean {
  if (status === 'ok') return items.length === 0 || error !== undefined;
  if (status === 'empty') return items.length > 0 || error !== undefined;
  return error === undefined || (status === 'stale') === (items.length === 0);
}

/** What the answer says that is not so: a failure that looks empty, or a status without what belongs to it. */
function lies(sandbox: Sandbox, { restaurant, date, periods }: DailyMenu): readonly string[] {
  const planned = plannedMeals(sandbox, restaurant.vendor, restaurant.id, date);
  return periods
    .filter(({ code, status, menus, fetchedAt, error }) => {
      if (menus.some(({ bundle }) => bundle !== undefined && bundleLies(bundle))) return true;
      if (status === 'ok') return menus.length === 0 || error !== undefined;
      if (status === 'empty') return (planned.get(code) ?? 0) > 0;
      if (status === 'stale') return fetchedAt === undefined || error === undefined;
      if (status === 'loading') return menus.length > 0 || fetchedAt !== undefined;
      return fetchedAt !== undefined || menus.length > 0 || error === undefined;
    })
    .map(({ code, status }) => `${restaurant.vendor} ${restaurant.id} ${date} ${code} ${status}`);
}

/**
 * Hours in which each request has every fault with a probability of 20 %: every question is answered in time, no failure
 * looks empty, and all is well afterwards.
 */
export async function expectToSurviveFaults(hours: number, askEveryMs: number): Promise<void> {
  await using day = await SimulatedDay.start(START_MS, (clock) => startSandbox({ clock, latencyMs: 0 }));
  const { clock, sandbox } = day;
  const welstory = day.countedFetch();
  // Enough for the places that are asked for, and few enough that the hours are soon over.
  const common = { clock, maxRequestsPerMinute: 4, timeoutMs: 2_000, random: () => 0.5 };
  await using service = createMenuService({
    operators: [
      welstoryOperator({
        baseUrl: sandbox.welstoryUrl,
        ...DEFAULT_CREDENTIALS,
        ...common,
        fetch: welstory.fetch,
      }),
      planeatOperator({ baseUrl: sandbox.planeatUrl, ...common, fetch: day.countedFetch().fetch }),
    ],
    clock,
    prefetch: { days: 1 },
    freshness: { todayMs: 3 * HOUR },
  });
  const places = sandbox.restaurants.filter((_restaurant, index) => index % 50 === 0);
  const answers: DailyMenu[] = [];
  const refusals: unknown[] = [];
  let longestMs = 0;
  const ask = async (question: number) => {
    const place = places[question % places.length];
    if (place === undefined) return;
    const date = addDays(seoulToday(clock.nowMs()), question % 2);
    const askedMs = clock.nowMs();
    try {
      answers.push(await service.dailyMenu(place.vendor, place.id, date));
    } catch (error) {
      refusals.push(error);
    }
    longestMs = Math.max(longestMs, clock.nowMs() - askedMs);
  };

  sandbox.setFaults(EVERY_FAULT);
  const asked: Promise<void>[] = [];
  while (clock.nowMs() < START_MS + hours * HOUR) {
    asked.push(ask(asked.length));
    await clock.sleep(askEveryMs);
  }
  await Promise.all(asked);
  expect(asked.length).toBeGreaterThan(50);
  expect(new Set(Object.keys(sandbox.stats().welstory.faults)).size).toBeGreaterThan(10);
  expect(answers.flatMap((answer) => lies(sandbox, answer))).toEqual([]);
  // Before the first catalogue there is nothing to answer with, and rows of it may have been dropped.
  const codes = new Set(refusals.map((error) => (error instanceof MenuError ? error.code : error)));
  expect(['catalogue_unavailable', 'restaurant_not_found']).toEqual(expect.arrayContaining([...codes]));
  // The catalogue and the day may take a deadline each.
  expect(longestMs).toBeLessThanOrEqual(2 * 8_000);
  const statuses = answers.flatMap(({ periods }) => periods.map(({ status }) => status));
  expect(statuses.filter((status) => status === 'failed' || status === 'stale').length).toBeGreaterThan(20);
  expect(welstory.maxInFlight()).toBe(1);

  sandbox.setFaults([]);
  // Asked for all day long, as tomorrow.
  const date = '2026-11-19';
  const isWell = async (place: (typeof places)[number]) => {
    const { periods } = await service
      .dailyMenu(place.vendor, place.id, date)
      .catch(() => ({ periods: undefined }));
    const read = periods?.map(({ code, status, menus }) => `${code} ${status} ${menus.length}`);
    const planned = [...plannedMeals(sandbox, place.vendor, place.id, date)];
    const expected = planned.map(([code, courses]) => `${code} ${courses > 0 ? 'ok' : 'empty'} ${courses}`);
    const bundles = periods?.flatMap(({ menus }) => menus.flatMap(({ bundle }) => bundle ?? [])) ?? [];
    return (
      JSON.stringify(read) === JSON.stringify(expected) && bundles.every(({ status }) => status === 'ok')
    );
  };
  const healed = async () => {
    const well = await Promise.all(places.map(isWell));
    const { status, store } = await service.health();
    return well.every(Boolean) && status === 'ok' && store === 'ok';
  };
  const deadlineMs = clock.nowMs() + 24 * HOUR;
  let well = await healed();
  while (!well && clock.nowMs() < deadlineMs) {
    await clock.sleep(20 * MINUTE);
    well = await healed();
  }
  expect(well).toBe(true);
  expect(sandbox.stats().welstory.stateChanges).toBe(0);
}
