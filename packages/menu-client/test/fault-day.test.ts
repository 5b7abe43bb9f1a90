import {
  addDays,
  type Bundle,
  type Clock,
  createMenuService,
  type DailyMenu,
  type Fetch,
  MenuError,
  planeatOperator,
  seoulToday,
  type Vendor,
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
import { expect, test } from 'vitest';

const HOUR = 3_600_000;
/** Midnight in Seoul before a Wednesday. */
const START_MS = Date.parse('2026-11-17T15:00:00Z');
/** A day passes in twelve seconds. */
const SPEED = 7200;
/** On a busy machine it takes long until all is well at one moment. */
const TEST_TIMEOUT_MS = 120_000;
/** A sixth of a second of the machine's time. */
const DEADLINE_MS = 20 * 60_000;

function fastClock(): Clock {
  const startedMs = performance.now();
  return {
    nowMs: () => START_MS + (performance.now() - startedMs) * SPEED,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        const end = () => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', end);
          resolve();
        };
        const timer = setTimeout(end, signal?.aborted === true ? 0 : ms / SPEED);
        signal?.addEventListener('abort', end);
      }),
  };
}

/** Counts the requests that are under way, from their beginning to the end of their bodies. */
function countingFetch(): { readonly fetch: Fetch; readonly maxInFlight: () => number } {
  let inFlight = 0;
  let most = 0;
  const fetch: Fetch = async (input, init) => {
    inFlight += 1;
    most = Math.max(most, inFlight);
    try {
      const response = await globalThis.fetch(input, init);
      const body = await response.arrayBuffer();
      return new Response(body.byteLength === 0 ? null : body, response);
    } finally {
      inFlight -= 1;
    }
  };
  return { fetch, maxInFlight: () => most };
}

const EVERY_FAULT: readonly FaultRule[] = (Object.keys(FAULTS) as Fault[])
  // What an operator answers in its own words for "none" cannot be told from it, nor another code from another meal; 12 MiB
  // take longer than requests may here.
  .filter((fault) => !['menus-empty', 'unknown-meal-code', 'large-tree'].includes(fault))
  .map((fault) => ({
    fault,
    rate: 0.2,
    ...(fault === 'slow' ? { delayMs: 10 } : {}),
    ...(fault === 'data-null' ? { operator: 'welstory' } : {}),
  }));

function plannedMeals(
  sandbox: Sandbox,
  vendor: Vendor,
  id: string,
  date: string,
): ReadonlyMap<string, number> {
  return new Map(sandbox.plan(vendor, id, date).map(({ meal, courses }) => [meal.code, courses.length]));
}

/** A bundle whose items are neither there nor said to be missing. */
function bundleLies({ status, items, error }: Bundle): boolean {
  if (status === 'ok') return items.length === 0 || error !== undefined;
  if (status === 'empty') return items.length > 0 || error !== undefined;
  return error === undefined || (status === 'failed') !== (items.length === 0);
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
      return fetchedAt !== undefined || menus.length > 0 || error === undefined;
    })
    .map(({ code, status }) => `${restaurant.vendor} ${restaurant.id} ${date} ${code} ${status}`);
}

test('a day with every fault at 20 %: every question is answered, no failure looks empty, all is well afterwards', {
  timeout: TEST_TIMEOUT_MS,
}, async () => {
  const clock = fastClock();
  await using sandbox = await startSandbox({ clock: () => clock.nowMs(), latencyMs: 0 });
  const welstory = countingFetch();
  const common = { clock, timeoutMs: 40, maxRequestsPerMinute: 60_000 };
  await using service = createMenuService({
    operators: [
      welstoryOperator({
        baseUrl: sandbox.welstoryUrl,
        ...DEFAULT_CREDENTIALS,
        ...common,
        fetch: welstory.fetch,
      }),
      planeatOperator({ baseUrl: sandbox.planeatUrl, ...common }),
    ],
    clock,
    deadlineMs: DEADLINE_MS,
    prefetch: { days: 1 },
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
  while (clock.nowMs() < START_MS + 24 * HOUR) {
    asked.push(ask(asked.length));
    await clock.sleep(3 * 60_000);
  }
  await Promise.all(asked);
  expect(asked.length).toBeGreaterThan(50);
  expect(new Set(Object.keys(sandbox.stats().welstory.faults)).size).toBeGreaterThan(10);
  expect(answers.flatMap((day) => lies(sandbox, day))).toEqual([]);
  // Before the first catalogue there is nothing to answer with, and rows of it may have been dropped.
  const codes = new Set(refusals.map((error) => (error instanceof MenuError ? error.code : error)));
  expect(['catalogue_unavailable', 'restaurant_not_found']).toEqual(expect.arrayContaining([...codes]));
  // The catalogue and the day may take a deadline each; the rest is the machine's own slowness.
  expect(longestMs).toBeLessThan(2 * DEADLINE_MS + 10_000 * SPEED);
  const statuses = answers.flatMap((day) => day.periods.map(({ status }) => status));
  expect(statuses.filter((status) => status === 'failed' || status === 'stale').length).toBeGreaterThan(20);
  expect(welstory.maxInFlight()).toBe(1);

  sandbox.setFaults([]);
  const healed = async () => {
    for (const { vendor, id } of places) {
      // Asked for all day long, as tomorrow.
      const date = '2026-11-19';
      const day = await service.dailyMenu(vendor, id, date).catch(() => undefined);
      const planned = plannedMeals(sandbox, vendor, id, date);
      const read = day?.periods.map(({ code, status, menus }) => `${code} ${status} ${menus.length}`);
      const expected = [...planned].map(
        ([code, courses]) => `${code} ${courses > 0 ? 'ok' : 'empty'} ${courses}`,
      );
      if (JSON.stringify(read) !== JSON.stringify(expected)) return false;
      const bundles = day?.periods.flatMap(({ menus }) => menus.flatMap(({ bundle }) => bundle ?? []));
      if (bundles?.some(({ status }) => status !== 'ok') === true) return false;
    }
    // A busy machine may be late with an answer at any moment.
    const { status, store } = await service.health();
    return status === 'ok' && store === 'ok';
  };
  const deadlineMs = clock.nowMs() + 150 * HOUR;
  let well = await healed();
  while (!well && clock.nowMs() < deadlineMs) {
    await clock.sleep(10 * 60_000);
    well = await healed();
  }
  expect(well).toBe(true);
  expect(sandbox.stats().welstory.stateChanges).toBe(0);
});
