import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, dayStartMs } from '../../domain/calendar-date.ts';
import type { DayState } from '../entry/day-entry.ts';
import { DEFAULT_FRESHNESS } from '../entry/freshness.ts';
import { scoreInterest } from './interest.ts';
import { type PlanQuestion, planReads } from './read-plan.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const TODAY = '2026-11-18';
const DATES = Array.from({ length: 7 }, (_, day) => addDays(TODAY, day));

function question(
  given: Partial<PlanQuestion> & { readonly states?: ReadonlyMap<string, DayState> },
): PlanQuestion {
  return {
    nowMs: dayStartMs(TODAY) + 9 * HOUR,
    restaurantIds: ['A', 'B', 'C', 'D'],
    dates: DATES,
    interest: new Map(),
    stateOf: (id, date) => given.states?.get(`${id} ${date}`),
    costOf: () => 3,
    freshness: DEFAULT_FRESHNESS,
    maxRequests: Number.POSITIVE_INFINITY,
    ...given,
  };
}

const arbitrary = fc
  .record({
    minute: fc.integer({ min: 0, max: 24 * 60 - 1 }),
    interest: fc.dictionary(
      fc.constantFrom('A', 'B', 'C', 'D'),
      fc.double({ min: 0.25, max: 20, noNaN: true }),
    ),
    days: fc.dictionary(
      fc.constantFrom(...['A', 'B', 'C', 'D'].flatMap((id) => DATES.map((date) => `${id} ${date}`))),
      fc.record({ ageMs: fc.integer({ min: 0, max: 48 * HOUR }), read: fc.boolean() }),
      { maxKeys: 28 },
    ),
    costs: fc.dictionary(fc.constantFrom('A', 'B', 'C', 'D'), fc.integer({ min: 1, max: 12 })),
    maxRequests: fc.integer({ min: 1, max: 120 }),
  })
  .map(({ minute, interest, days, costs, maxRequests }) => {
    const nowMs = dayStartMs(TODAY) + minute * MINUTE;
    const states = new Map(
      Object.entries(days).map(([name, { ageMs, read }]): [string, DayState] => [
        name,
        { triedAtMs: nowMs - ageMs, ...(read ? { readAtMs: nowMs - ageMs } : {}) },
      ]),
    );
    return question({
      nowMs,
      interest: new Map(Object.entries(interest)),
      states,
      costOf: (id) => costs[id] ?? 3,
      maxRequests,
    });
  });

describe('any plan', () => {
  const costOf = (asked: PlanQuestion, reads: readonly { readonly restaurantId: string }[]) =>
    reads.reduce((sum, { restaurantId }) => sum + asked.costOf(restaurantId), 0);

  test('keeps to its budget, or is one reading; names no day twice and none that is fresh', () => {
    fc.assert(
      fc.property(arbitrary, (asked) => {
        const { reads, due } = planReads(asked);
        const allowed = reads.length === 1 ? Number.POSITIVE_INFINITY : asked.maxRequests;
        expect(costOf(asked, reads)).toBeLessThanOrEqual(allowed);
        expect(new Set(reads.map(({ restaurantId, date }) => `${restaurantId} ${date}`)).size).toBe(
          reads.length,
        );
        expect(reads.length).toBeLessThanOrEqual(due);
        expect(reads.length > 0).toBe(due > 0);
        for (const { restaurantId, date } of reads) {
          const state = asked.stateOf(restaurantId, date);
          const fresh = date === TODAY ? DEFAULT_FRESHNESS.todayMs : DEFAULT_FRESHNESS.laterDaysMs;
          expect(asked.nowMs - (state?.readAtMs ?? 0)).toBeGreaterThanOrEqual(fresh);
        }
      }),
    );
  });

  test('leaves nothing out that the budget allows, and has all that is due where there is none', () => {
    fc.assert(
      fc.property(arbitrary, (asked) => {
        const { reads, due } = planReads(asked);
        const all = planReads({ ...asked, maxRequests: Number.POSITIVE_INFINITY });
        expect(all.reads).toHaveLength(due);
        const left = all.reads.filter(
          (read) =>
            !reads.some(({ restaurantId, date }) => restaurantId === read.restaurantId && date === read.date),
        );
        const cheapest = Math.min(...left.map(({ restaurantId }) => asked.costOf(restaurantId)));
        // Each kind is taken from its first on: a dear one may hold up a cheaper one of less urgency.
        const dearest = Math.max(0, ...left.map(({ restaurantId }) => asked.costOf(restaurantId)));
        const same = cheapest === dearest;
        expect(same && costOf(asked, reads) + cheapest <= asked.maxRequests).toBe(false);
      }),
    );
  });

  test('of one restaurant never read has today before tomorrow; of two the more wanted one first', () => {
    fc.assert(
      fc.property(arbitrary, (asked) => {
        const fresh = { ...asked, stateOf: () => undefined, maxRequests: Number.POSITIVE_INFINITY };
        const { reads } = planReads(fresh);
        for (const id of asked.restaurantIds) {
          expect(reads.filter(({ restaurantId }) => restaurantId === id).map(({ date }) => date)).toEqual(
            DATES,
          );
        }
        const wanted = reads.filter(
          ({ date, restaurantId }) => date === TODAY && asked.interest.has(restaurantId),
        );
        const weights = wanted.map(({ restaurantId }) => asked.interest.get(restaurantId) ?? 0);
        expect(weights).toEqual(weights.toSorted((a, b) => b - a));
      }),
    );
  });
});

test('a day whose items are kept costs its meals only', () => {
  const old = dayStartMs(TODAY) + 8 * HOUR;
  const planned = (cost?: number) =>
    planReads(
      question({
        restaurantIds: ['A', 'B'],
        dates: [TODAY],
        interest: new Map([
          ['A', 1],
          ['B', 1],
        ]),
        states: new Map(
          ['A', 'B'].map((id) => [
            `${id} ${TODAY}`,
            { triedAtMs: old, readAtMs: old, ...(cost === undefined ? {} : { cost }) },
          ]),
        ),
        costOf: () => 11,
        maxRequests: 11,
      }),
    ).reads.length;
  expect([planned(), planned(3)]).toEqual([1, 2]);
});

test('interest weighs by the logarithm of a day’s count, and halves in two days', () => {
  const count = (restaurantId: string, date: string, times: number) =>
    ({ vendor: 'welstory', restaurantId, date, count: times }) as const;
  const scores = scoreInterest(
    [
      count('now', TODAY, 3),
      count('before', addDays(TODAY, -2), 3),
      count('often', TODAY, 1023),
      count('both', TODAY, 3),
      count('both', addDays(TODAY, -2), 3),
      count('long ago', addDays(TODAY, -6), 1),
      count('older', addDays(TODAY, -7), 10_000),
      count('to come', addDays(TODAY, 1), 10_000),
    ],
    TODAY,
  );
  expect(Object.fromEntries(scores)).toEqual({ now: 2, before: 1, often: 10, both: 3 });
});

test('before a meal today is read every 15 minutes, between meals every hour, without interest once a night', () => {
  const readAt = (clock: string, ageMinutes: number, wanted: boolean) => {
    const [hours = 0, minutes = 0] = clock.split(':').map(Number);
    const nowMs = dayStartMs(TODAY) + hours * HOUR + minutes * MINUTE;
    const readAtMs = nowMs - ageMinutes * MINUTE;
    return planReads(
      question({
        nowMs,
        restaurantIds: ['A'],
        dates: [TODAY],
        interest: new Map(wanted ? [['A', 1]] : []),
        stateOf: () => ({ triedAtMs: readAtMs, readAtMs }),
      }),
    ).due;
  };
  expect([readAt('10:30', 14, true), readAt('10:30', 15, true)]).toEqual([0, 1]);
  expect([readAt('14:30', 59, true), readAt('14:30', 60, true)]).toEqual([0, 1]);
  expect([readAt('10:30', 630, false), readAt('10:30', 631, false)]).toEqual([0, 1]);
  expect([readAt('00:20', 2000, false), readAt('00:30', 2000, false), readAt('03:00', 149, false)]).toEqual([
    0, 1, 0,
  ]);
});

/** A day of reading ahead, after a day that filled the store; a plan every ten minutes, each day in three requests. */
function simulate(restaurants: number, wanted: number, requestsPerMinute: number) {
  const startMs = dayStartMs(TODAY);
  const ids = Array.from({ length: restaurants }, (_, at) => `R${at}`);
  const before: DayState = { triedAtMs: startMs - 12 * HOUR, readAtMs: startMs - 12 * HOUR };
  const states = new Map(
    DATES.map((date, ahead) => [date, new Map(ahead === 6 ? [] : ids.map((id) => [id, before]))]),
  );
  const counts = new Map(DATES.map((date) => [date, new Map(ids.map((id) => [id, 0]))]));
  const interest = new Map(ids.slice(0, wanted).map((id, rank) => [id, 10 / (1 + rank / 10)]));
  let requests = 0;
  let most = 0;
  let beforeLunch = 0;
  for (let minute = 0; minute < 24 * 60; minute += 10) {
    const nowMs = startMs + minute * MINUTE;
    const { reads } = planReads(
      question({
        nowMs,
        restaurantIds: ids,
        interest,
        stateOf: (id, date) => states.get(date)?.get(id),
        maxRequests: requestsPerMinute * 10,
      }),
    );
    requests += reads.length * 3;
    most = Math.max(most, (reads.length * 3) / 10);
    for (const { restaurantId: id, date } of reads) {
      states.get(date)?.set(id, { triedAtMs: nowMs, readAtMs: nowMs });
      counts.get(date)?.set(id, (counts.get(date)?.get(id) ?? 0) + 1);
      if (date === TODAY && interest.has(id) && minute >= 600 && minute < 660) beforeLunch += 1;
    }
  }
  const readings = (ahead: number, from: number, to: number) => {
    const each = ids.slice(from, to).map((id) => counts.get(DATES[ahead] ?? '')?.get(id) ?? 0);
    return `${Math.min(...each)} to ${Math.max(...each)}`;
  };
  return {
    requests,
    most,
    beforeLunch: beforeLunch / wanted,
    wanted: [0, 1, 6].map((ahead) => readings(ahead, 0, wanted)),
    rest: [0, 1, 6].map((ahead) => readings(ahead, wanted, restaurants)),
  };
}

// The figures of docs/design/archive/0053.
test.each([
  [
    { restaurants: 360, wanted: 60, perMinute: 60 },
    {
      requests: 23040,
      most: 60,
      beforeLunch: 3,
      wanted: ['45 to 45', '8 to 8', '8 to 8'],
      rest: ['1 to 1', '1 to 1', '1 to 1'],
    },
  ],
  [
    { restaurants: 3000, wanted: 300, perMinute: 60 },
    {
      requests: 83253,
      most: 60,
      beforeLunch: 3,
      wanted: ['34 to 45', '5 to 8', '4 to 8'],
      rest: ['1 to 1', '0 to 0', '1 to 1'],
    },
  ],
  [
    { restaurants: 3000, wanted: 300, perMinute: 240 },
    {
      requests: 140400,
      most: 240,
      beforeLunch: 3,
      wanted: ['45 to 45', '8 to 8', '8 to 8'],
      rest: ['1 to 1', '1 to 1', '1 to 1'],
    },
  ],
])('a day with %j', ({ restaurants, wanted, perMinute }, figures) => {
  expect(simulate(restaurants, wanted, perMinute)).toEqual(figures);
});
