import { expect, test } from 'vitest';
import { steppedClock } from '../../test/fake-operator.ts';
import { RequestLane } from './request-lane.ts';

const MINUTE = 60_000;

/** Asks for `foreground` and `background` requests at once, and counts what went out minute by minute. */
async function minutes(foreground: number, background: number, count: number) {
  const clock = steppedClock();
  await using lane = new RequestLane({
    vendor: 'welstory',
    clock,
    maxConcurrentRequests: 3,
    maxRequestsPerMinute: 60,
  });
  const sent = { foreground: 0, background: 0 };
  const ask = (priority: keyof typeof sent) =>
    lane
      .run(
        async () => {
          sent[priority] += 1;
        },
        { priority },
      )
      .catch(() => {});
  for (let at = 0; at < background; at += 1) void ask('background');
  for (let at = 0; at < foreground; at += 1) void ask('foreground');
  const seen: (readonly [number, number])[] = [];
  for (let minute = 0; minute < count; minute += 1) {
    const before = { ...sent };
    await clock.advance(MINUTE);
    seen.push([sent.foreground - before.foreground, sent.background - before.background]);
  }
  return seen;
}

test('neither questions nor reading ahead take the other’s half of the budget', async () => {
  for (const [foreground, background] of await minutes(1000, 1000, 3)) {
    expect(foreground).toBeLessThanOrEqual(30);
    expect(foreground).toBeGreaterThanOrEqual(17);
    expect(background).toBeLessThanOrEqual(30);
    expect(background).toBeGreaterThanOrEqual(26);
  }
});

test('questions use what reading ahead does not, and never more than the whole', async () => {
  const [first] = await minutes(1000, 0, 1);
  expect(first?.[0]).toBeGreaterThan(50);
  expect(first?.[0]).toBeLessThanOrEqual(60);
});

test('reading ahead leaves the half of the questions alone while nobody asks', async () => {
  for (const [, background] of await minutes(0, 1000, 2)) expect(background).toBeLessThanOrEqual(30);
});
