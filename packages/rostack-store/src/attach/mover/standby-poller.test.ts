import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Attachment } from '../attachment/attachment.ts';
import type { Standing } from '../read/poll-standbys.ts';
import { StandbyPoller } from './standby-poller.ts';

const INTERVAL_MS = 1_000;

/** Tables whose state the test sets. */
function tables() {
  const polls: (readonly string[])[] = [];
  const standings = new Map<string, Standing>();
  const state = { isDown: false };
  const poller = new StandbyPoller(async (attachments) => {
    polls.push(attachments.map(({ name }) => name));
    if (state.isDown) throw new Error('no database');
    return standings;
  }, INTERVAL_MS);
  return { polls, standings, state, poller };
}

function start({ standings, poller }: ReturnType<typeof tables>, name: string) {
  standings.set(name, { name, term: 1, isLed: true, oldestNoteMs: null });
  const closing = new AbortController();
  const told = { isAwake: false, led: [] as (number | undefined)[] };
  const onLed = (oldestNoteMs: number | undefined) => told.led.push(oldestNoteMs);
  void poller.wait({ attachment: { name, term: 1 } as Attachment, onLed }, closing.signal).then(() => {
    told.isAwake = true;
  });
  return { told, closing };
}

const awake = (standbys: readonly ReturnType<typeof start>[]) =>
  standbys.flatMap(({ told }, at) => (told.isAwake ? [at] : []));

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('all tables that others lead are asked for at once, and those that are not led as before wake up alone', async () => {
  const world = tables();
  const standbys = Array.from({ length: 100 }, (_, at) => start(world, `table ${at}`));
  await vi.advanceTimersByTimeAsync(10 * INTERVAL_MS);
  expect(world.polls).toHaveLength(10);
  expect(world.polls.every((names) => names.length === 100)).toBe(true);
  expect(awake(standbys)).toEqual([]);
  world.standings.set('table 1', { name: 'table 1', term: 1, isLed: false, oldestNoteMs: null });
  world.standings.set('table 2', { name: 'table 2', term: 2, isLed: true, oldestNoteMs: null });
  world.standings.delete('table 3');
  world.standings.set('table 4', { name: 'table 4', term: 1, isLed: true, oldestNoteMs: 700 });
  await vi.advanceTimersByTimeAsync(INTERVAL_MS);
  expect(awake(standbys)).toEqual([1, 2, 3]);
  expect(standbys[4]?.told.led.slice(-2)).toEqual([undefined, 700]);
  for (const { closing } of standbys) closing.abort();
  await vi.advanceTimersByTimeAsync(0);
  expect(awake(standbys)).toHaveLength(100);
  expect(vi.getTimerCount()).toBe(0);
});

test('when the database cannot say, each finds out by itself', async () => {
  const world = tables();
  const standbys = [start(world, 'a'), start(world, 'b')];
  world.state.isDown = true;
  await vi.advanceTimersByTimeAsync(INTERVAL_MS);
  expect(awake(standbys)).toEqual([0, 1]);
  expect(vi.getTimerCount()).toBe(0);
});

test('one that no longer waits hears nothing of a poll that was on its way', async () => {
  const world = tables();
  const standby = start(world, 'a');
  vi.advanceTimersByTime(INTERVAL_MS);
  expect(world.polls).toHaveLength(1);
  standby.closing.abort();
  await vi.advanceTimersByTimeAsync(INTERVAL_MS);
  expect(standby.told.led).toEqual([]);
});
