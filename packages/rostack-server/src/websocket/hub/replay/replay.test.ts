import { setImmediate as nextTurn } from 'node:timers/promises';
import { SourceUnavailableError } from 'rostack-core';
import { expect, test } from 'vitest';
import { sampleDiscovery } from '../../../../test/support/sample-discovery.ts';
import type { Clock } from '../../options/clock.ts';
import { createEventFeed, type EventFeed, EventRules, FilterGroup } from '../feed/event-feed.ts';
import { LoggedChange } from '../log/logged-change.ts';
import { Replay } from './replay.ts';

const [stations] = sampleDiscovery().resources;
if (stations === undefined) throw new Error('the sample has a resource');
const GROUP = new FilterGroup<EventFeed>(
  new EventRules(stations),
  undefined,
  stations.events.map(({ name }) => name),
);
const READ_CHANGES = 100;
const READ_MS = 10;
/** More turns of the event loop than one read takes. */
const TURNS = 60;

function loggedAt(position: number): LoggedChange {
  const change = {
    position,
    tag: `t${position}`,
    eventId: `e${position}`,
    eventType: 'station.updated',
    transition: 'update',
    id: 'a',
    version: '1',
    occurredAtMs: 0,
    before: '{}',
    after: '{}',
  } as const;
  return new LoggedChange(change, `t${position - 1}`);
}

/** A replay over a log whose reads take 10 ms, on a clock that the test advances. */
class Replaying {
  readonly replay: Replay;
  readonly #head: number;
  readonly #timers: { readonly atMs: number; readonly callback: () => void }[] = [];
  #nowMs = 0;
  readonly attached = new Set<EventFeed>();
  /** The position at which each read began. */
  readonly readings: number[] = [];
  /** Positions that cannot be read now: the source is unavailable, or lags behind its own head. */
  readonly unreadable = new Map<number, 'away' | 'lags'>();

  constructor(head: number) {
    this.#head = head;
    const clock: Clock = {
      wallMs: () => this.#nowMs,
      monotonicMs: () => this.#nowMs,
      after: (delayMs, callback) => {
        const timer = { atMs: this.#nowMs + delayMs, callback };
        this.#timers.push(timer);
        return () => void this.#timers.splice(this.#timers.indexOf(timer), 1);
      },
      nextTurn: () => nextTurn(),
    };
    const never = () => {
      throw new Error('nothing fails');
    };
    this.replay = new Replay(
      {
        isAtHead: ({ position }) => position >= this.#head,
        after: ({ position }) => this.#read(position, clock),
        readAhead: () => {},
        deliver: () => 1,
        attach: (feed) => void this.attached.add(feed),
        expire: never,
        refuse: never,
        fail: never,
      },
      clock,
    );
  }

  get timers(): number {
    return this.#timers.length;
  }

  join(position: number): EventFeed {
    const feed = createEventFeed({
      group: GROUP,
      sink: { isFull: false },
      position,
      tag: `t${position}`,
    } as EventFeed);
    this.replay.join(feed);
    return feed;
  }

  /** Advances the clock ms by ms, and lets due work run. */
  async pass(durationMs: number): Promise<void> {
    for (const endMs = this.#nowMs + durationMs; this.#nowMs < endMs; ) {
      this.#nowMs += 1;
      const due = this.#timers.filter(({ atMs }) => atMs <= this.#nowMs);
      for (const timer of due) {
        this.#timers.splice(this.#timers.indexOf(timer), 1);
        timer.callback();
      }
      for (let turn = 0; turn < (due.length > 0 ? TURNS : 1); turn += 1) await nextTurn();
    }
  }

  #read(position: number, clock: Clock): Promise<readonly LoggedChange[]> {
    this.readings.push(position);
    const size = Math.min(READ_CHANGES, this.#head - position);
    const changes = Array.from({ length: size }, (_, index) => loggedAt(position + 1 + index));
    const fault = this.unreadable.get(position);
    return new Promise((resolve, reject) =>
      clock.after(READ_MS, () => {
        if (fault === 'away') reject(new SourceUnavailableError('away'));
        else resolve(fault === undefined ? changes : []);
      }),
    );
  }
}

test('newcomers from further back wait until none has come for a tenth of a second, and then come up with who is ahead', async () => {
  const replaying = new Replaying(20_000);
  const first = replaying.join(0);
  await replaying.pass(500);
  const newcomers = [replaying.join(0)];
  await replaying.pass(80);
  newcomers.push(replaying.join(50));
  await replaying.pass(95);
  expect(newcomers.map(({ position }) => position)).toEqual([0, 50]);
  const aheadBy = first.position;
  expect(aheadBy).toBeGreaterThanOrEqual(6_000);
  await replaying.pass(1_800);
  expect(new Set([first, ...newcomers].map(({ position }) => position)).size).toBe(1);
  expect(first.position).toBeGreaterThan(aheadBy);
  await replaying.pass(2_000);
  expect(replaying.attached).toEqual(new Set([first, ...newcomers]));
  // One read of each change for all feeds, and another of what the first feed got while the others waited and caught up: 200 and about 100.
  expect(replaying.readings.length).toBeLessThan(340);
});

test('while a crowd comes nobody is served, and what it missed is read once', async () => {
  const replaying = new Replaying(20_000);
  const first = replaying.join(0);
  await replaying.pass(100);
  const crowd: EventFeed[] = [];
  const come = async (count: number) => {
    for (let number = 0; number < count; number += 1) {
      crowd.push(replaying.join(0));
      await replaying.pass(10);
    }
  };
  await come(200);
  expect(first.position).toBeLessThan(6_000);
  await replaying.pass(150);
  expect(crowd.every(({ position }) => position > 0)).toBe(true);
  await replaying.pass(4_000);
  expect(replaying.attached.size).toBe(201);
  expect(replaying.readings.length).toBeLessThan(300);
});

test('a crowd that does not end is waited for three seconds', async () => {
  const replaying = new Replaying(20_000);
  const first = replaying.join(0);
  await replaying.pass(100);
  const crowd: EventFeed[] = [];
  for (let number = 0; number < 330; number += 1) {
    crowd.push(replaying.join(0));
    await replaying.pass(10);
  }
  expect(first.position).toBeLessThan(6_500);
  expect(crowd[0]?.position).toBeGreaterThan(0);
  expect(crowd[200]?.position).toBeGreaterThan(0);
});

test('newcomers do not wait where nobody is served any more, and who leaves is not waited for', async () => {
  const replaying = new Replaying(1_000);
  replaying.join(0);
  await replaying.pass(50);
  replaying.join(0);
  await replaying.pass(200);
  expect(replaying.attached.size).toBe(2);
  expect(replaying.timers).toBe(0);

  const leaving = new Replaying(20_000);
  leaving.join(0);
  await leaving.pass(100);
  const crowd = Array.from({ length: 40 }, () => leaving.join(0));
  await leaving.pass(50);
  const { length: readings } = leaving.readings;
  for (const feed of crowd) leaving.replay.remove(feed);
  await leaving.pass(100);
  expect(leaving.readings.length).toBeGreaterThan(readings + 5);
});

test('one reading of four is for who has waited longest', async () => {
  const replaying = new Replaying(100_000);
  const ahead = replaying.join(30_000);
  await replaying.pass(500);
  const behind = replaying.join(30_000 - 1);
  await replaying.pass(150);
  replaying.readings.length = 0;
  const before = { ahead: ahead.position, behind: behind.position };
  expect(before.ahead).toBeGreaterThan(before.behind);
  await replaying.pass(200);
  const forAhead = replaying.readings.filter((position) => position >= before.ahead).length;
  expect(forAhead).toBeGreaterThanOrEqual(4);
  expect(forAhead).toBeLessThanOrEqual(6);
});

test.each(['away', 'lags'] as const)(
  'who cannot be read for is tried again each quarter of a second, and holds up nobody: the source %s',
  async (fault) => {
    const replaying = new Replaying(1_000);
    replaying.unreadable.set(0, fault);
    const stuck = replaying.join(0);
    const other = replaying.join(900);
    await replaying.pass(40);
    expect([...replaying.attached]).toEqual([other]);
    const tries = () => replaying.readings.filter((position) => position === 0).length;
    expect(tries()).toBe(1);
    await replaying.pass(780);
    expect(tries()).toBe(4);
    replaying.unreadable.clear();
    await replaying.pass(500);
    expect(replaying.attached).toContain(stuck);
    expect(replaying.timers).toBe(0);
  },
);

test('a replay that is over tries nothing again', async () => {
  const replaying = new Replaying(100);
  replaying.unreadable.set(0, 'away');
  const feed = replaying.join(0);
  await replaying.pass(20);
  expect(replaying.timers).toBe(1);
  replaying.replay.remove(feed);
  replaying.replay[Symbol.dispose]();
  expect(replaying.timers).toBe(0);
});
