import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { AttachedResource } from '../attached-resource.ts';
import type { TableReader } from '../table-reader.ts';
import { InboxPoller } from './inbox-poller.ts';

const INTERVAL_MS = 200;

interface Poll {
  readonly names: readonly string[];
  readonly isCheck: boolean;
}

/** Reads inboxes of which a test says what waits in them. */
function inboxes() {
  const polls: Poll[] = [];
  const state = { waiting: new Set<string>(), isDown: false };
  const pollInboxes: TableReader['pollInboxes'] = async (resources, isCheck) => {
    const names = resources.map(({ attachment }) => attachment.name);
    polls.push({ names, isCheck });
    if (state.isDown) throw new Error('no database');
    return new Set(names.filter((name) => state.waiting.has(name)));
  };
  return { polls, state, poller: new InboxPoller({ pollInboxes } as TableReader, INTERVAL_MS) };
}

function start(poller: InboxPoller, name: string, firstPauseMs: number) {
  const closing = new AbortController();
  const told = { isAwake: false, empty: 0 };
  const resource = { attachment: { name } } as AttachedResource;
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
