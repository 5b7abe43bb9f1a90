import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { AttachedResource } from '../batch/attached-resource.ts';
import type { TableReader } from '../driver/table-reader.ts';
import { InboxPoller } from './inbox-poller.ts';

const INTERVAL_MS = 200;

interface Poll {
  readonly names: readonly string[];
  readonly isCheck: boolean;
}

/** A reader of inboxes whose content the test sets. */
function inboxes() {
  const polls: Poll[] = [];
  const asleep = new Set<string>();
  const state = {
    waiting: new Set<string>(),
    isDown: false,
    isHeard: false,
    tellsAll: false,
    canNotify: true,
  };
  const tell: { note: (attachment: number | undefined) => void } = { note: () => {} };
  const pollInboxes: TableReader['pollInboxes'] = async (resources, isCheck) => {
    const names = resources.map(({ attachment }) => attachment.name);
    polls.push({ names, isCheck });
    if (state.isDown) throw new Error('no database');
    return {
      busy: new Set(names.filter((name) => state.waiting.has(name))),
      roused: new Set(names.filter((name) => isCheck && !asleep.has(name))),
    };
  };
  const fallAsleep: TableReader['fallAsleep'] = async (resources) => {
    for (const { attachment } of resources) asleep.add(attachment.name);
    return state.canNotify;
  };
  const poller = new InboxPoller({ pollInboxes, fallAsleep } as TableReader, INTERVAL_MS, (onNote) => {
    tell.note = onNote;
    return {
      get isHeard() {
        return state.isHeard;
      },
      get tellsAll() {
        return state.tellsAll;
      },
      stop: () => {},
    };
  });
  return { polls, asleep, state, tell, poller };
}

function start(poller: InboxPoller, name: string, firstPauseMs: number, number = 1) {
  const closing = new AbortController();
  const told = { isAwake: false, empty: 0 };
  const resource = { attachment: { name, number } } as AttachedResource;
  const beforePoll = () => () => {
    told.empty += 1;
  };
  void poller.wait({ resource, firstPauseMs, beforePoll }, closing.signal).then(() => {
    told.isAwake = true;
  });
  return { told, closing };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('all idle leaders are polled at once, however many, and one that has work wakes up alone', async () => {
  const { polls, state, poller } = inboxes();
  const leaders = Array.from({ length: 100 }, (_, at) => start(poller, `table ${at}`, INTERVAL_MS));
  await vi.advanceTimersByTimeAsync(10 * INTERVAL_MS);
  expect(polls).toHaveLength(10);
  expect(polls.every(({ names }) => names.length === 100)).toBe(true);
  expect(leaders.every(({ told }) => !told.isAwake && told.empty === 10)).toBe(true);
  state.waiting.add('table 42');
  await vi.advanceTimersByTimeAsync(INTERVAL_MS);
  expect(leaders.map(({ told }, at) => told.isAwake && at).filter((at) => at !== false)).toEqual([42]);
  expect(leaders[42]?.told.empty).toBe(10);
  for (const { closing } of leaders) closing.abort();
  expect(vi.getTimerCount()).toBe(0);
});

test('a leader that has just worked is polled soon, then ever later, and the others do not come along each time', async () => {
  const { polls, poller } = inboxes();
  const idle = start(poller, 'idle', INTERVAL_MS);
  await vi.advanceTimersByTimeAsync(INTERVAL_MS);
  const busy = start(poller, 'busy', 10);
  await vi.advanceTimersByTimeAsync(4 * INTERVAL_MS);
  const namesOf = (name: string) => polls.filter(({ names }) => names.includes(name)).length;
  expect(namesOf('busy')).toBeGreaterThan(5);
  expect(namesOf('idle')).toBeLessThan(8);
  idle.closing.abort();
  busy.closing.abort();
  expect(vi.getTimerCount()).toBe(0);
});

test('a leader that does not want to wait is polled in the same moment, and then after pauses', async () => {
  const { polls, state, poller } = inboxes();
  const busy = start(poller, 'busy', 0);
  await vi.advanceTimersByTimeAsync(0);
  expect(polls).toHaveLength(1);
  expect(busy.told).toEqual({ isAwake: false, empty: 1 });
  await vi.advanceTimersByTimeAsync(INTERVAL_MS);
  expect(polls.length).toBeGreaterThan(5);
  expect(polls.length).toBeLessThan(12);
  state.waiting.add('other');
  const other = start(poller, 'other', 0);
  await vi.advanceTimersByTimeAsync(0);
  expect([busy.told.isAwake, other.told.isAwake]).toEqual([false, true]);
  busy.closing.abort();
  expect(vi.getTimerCount()).toBe(0);
});

test('the tables are checked once a second, all at once', async () => {
  const { polls, poller } = inboxes();
  const leaders = ['a', 'b', 'c'].map((name) => start(poller, name, INTERVAL_MS));
  await vi.advanceTimersByTimeAsync(3_000);
  const checks = polls.filter(({ isCheck }) => isCheck);
  expect(checks.length).toBeGreaterThanOrEqual(3);
  expect(checks.length).toBeLessThanOrEqual(4);
  expect(checks.every(({ names }) => names.length === 3)).toBe(true);
  for (const { closing } of leaders) closing.abort();
});

test('when the database cannot say, each leader wakes up and finds out what is wrong by itself', async () => {
  const { state, poller } = inboxes();
  const leaders = ['a', 'b'].map((name) => start(poller, name, INTERVAL_MS));
  state.isDown = true;
  await vi.advanceTimersByTimeAsync(INTERVAL_MS);
  expect(leaders.map(({ told }) => told)).toEqual([
    { isAwake: true, empty: 0 },
    { isAwake: true, empty: 0 },
  ]);
  expect(vi.getTimerCount()).toBe(0);
});

test('while notes are heard a leader that rests is polled once a second, and its note wakes it, and no other', async () => {
  const { polls, asleep, state, tell, poller } = inboxes();
  state.isHeard = true;
  const [a, b] = ['a', 'b'].map((name, at) => start(poller, name, INTERVAL_MS, at));
  await vi.advanceTimersByTimeAsync(2_000);
  expect([...asleep]).toEqual(['a', 'b']);
  const before = polls.length;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(polls.length - before).toBeLessThanOrEqual(11);
  expect(polls.length - before).toBeGreaterThanOrEqual(9);
  tell.note(1);
  await vi.advanceTimersByTimeAsync(0);
  expect([a?.told.isAwake, b?.told.isAwake]).toEqual([false, true]);
  for (const leader of [a, b]) leader?.closing.abort();
  expect(vi.getTimerCount()).toBe(0);
});

test('where every write is told a leader that rests is polled once in ten seconds, and at once when something was written', async () => {
  const { polls, state, tell, poller } = inboxes();
  state.isHeard = true;
  state.tellsAll = true;
  const { told, closing } = start(poller, 'a', INTERVAL_MS);
  await vi.advanceTimersByTimeAsync(2_000);
  const before = polls.length;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(polls.length - before).toBeLessThanOrEqual(7);
  expect(polls.length - before).toBeGreaterThanOrEqual(5);
  state.waiting.add('a');
  tell.note(undefined);
  await vi.advanceTimersByTimeAsync(0);
  expect(told.isAwake).toBe(true);
  closing.abort();
  expect(vi.getTimerCount()).toBe(0);
});

test('a leader that has fallen asleep is polled twice more in its own time, since a writer may have been committing', async () => {
  const { polls, state, poller } = inboxes();
  state.isHeard = true;
  const { closing } = start(poller, 'a', INTERVAL_MS);
  await vi.advanceTimersByTimeAsync(INTERVAL_MS);
  const busy = start(poller, 'b', 2);
  const before = polls.length;
  const pollsOfA = () => polls.slice(before).filter(({ names }) => names.includes('a')).length;
  await vi.advanceTimersByTimeAsync(9);
  expect([polls.length > before, pollsOfA()]).toEqual([true, 0]);
  await vi.advanceTimersByTimeAsync(1);
  expect(pollsOfA()).toBe(1);
  await vi.advanceTimersByTimeAsync(INTERVAL_MS - 1);
  expect(pollsOfA()).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(pollsOfA()).toBe(2);
  await vi.advanceTimersByTimeAsync(INTERVAL_MS);
  expect(pollsOfA()).toBe(2);
  closing.abort();
  busy.closing.abort();
});

test('a leader whose sleep a writer ended, and then wrote nothing, falls asleep again', async () => {
  const { asleep, state, poller } = inboxes();
  state.isHeard = true;
  const { told, closing } = start(poller, 'a', INTERVAL_MS);
  await vi.advanceTimersByTimeAsync(1_000);
  asleep.clear();
  await vi.advanceTimersByTimeAsync(1_500);
  expect([...asleep]).toEqual(['a']);
  expect(told.isAwake).toBe(false);
  closing.abort();
});

test('a note for any leader has all polled at once, also one that comes during a poll', async () => {
  const { polls, state, tell, poller } = inboxes();
  state.isHeard = true;
  const leaders = ['a', 'b'].map((name) => start(poller, name, INTERVAL_MS));
  await vi.advanceTimersByTimeAsync(3_000);
  const before = polls.length;
  tell.note(undefined);
  vi.advanceTimersByTime(0);
  tell.note(undefined);
  await vi.advanceTimersByTimeAsync(0);
  expect(polls.slice(before).map(({ names }) => names)).toEqual([
    ['a', 'b'],
    ['a', 'b'],
  ]);
  for (const { closing } of leaders) closing.abort();
});

test.each([
  ['no note is heard', { isHeard: false, canNotify: true }],
  ['writers may not notify', { isHeard: true, canNotify: false }],
])('while %s a leader that rests is polled as often as before', async (_, how) => {
  const { polls, state, poller } = inboxes();
  Object.assign(state, how);
  const { closing } = start(poller, 'a', INTERVAL_MS);
  await vi.advanceTimersByTimeAsync(10 * INTERVAL_MS);
  expect(polls.length).toBeGreaterThanOrEqual(9);
  closing.abort();
});

test('when notes are no longer heard, a sleeping leader is polled often again', async () => {
  const { polls, state, poller } = inboxes();
  state.isHeard = true;
  const { closing } = start(poller, 'a', INTERVAL_MS);
  await vi.advanceTimersByTimeAsync(3_000);
  state.isHeard = false;
  await vi.advanceTimersByTimeAsync(1_000);
  const before = polls.length;
  await vi.advanceTimersByTimeAsync(10 * INTERVAL_MS);
  expect(polls.length - before).toBeGreaterThanOrEqual(9);
  closing.abort();
});
