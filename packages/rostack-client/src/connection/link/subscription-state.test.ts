import type { EventMessage } from 'rostack-core';
import { expect, test } from 'vitest';
import { EVENT_WINDOW_SIZE, SubscriptionState } from './subscription-state.ts';

const event = (number: number) => ({ event_id: `e${number}`, cursor: `c${number}` }) as EventMessage;

function trackOf(seen?: string, hasRoom: (number: number) => boolean = () => true) {
  const taken: string[] = [];
  const define = () => {
    throw new Error('not asked for');
  };
  const track = new SubscriptionState(
    's',
    define,
    { cursor: undefined, seen },
    {
      onEvent: ({ event_id }) => {
        taken.push(event_id);
        return hasRoom(taken.length);
      },
      onCaughtUp: () => {},
      onLost: () => {},
      onGap: () => {},
      onEnded: () => {},
    },
  );
  return { track, taken };
}

test('an event that comes again is not taken again, as long as it is among the newest', () => {
  const { track, taken } = trackOf();
  for (let number = 0; number <= EVENT_WINDOW_SIZE; number += 1) track.take(event(number), 1);
  expect(taken).toHaveLength(EVENT_WINDOW_SIZE + 1);
  for (let number = EVENT_WINDOW_SIZE; number >= 1; number -= 1)
    expect(track.take(event(number), 1)).toBe(false);
  expect(track.cursor).toBe(`c${EVENT_WINDOW_SIZE}`);
  expect(track.take(event(0), 1)).toBe(true);
});

test('the event before its cursor is known from the start', () => {
  const { track } = trackOf('e7');
  expect([track.take(event(7), 1), track.take(event(8), 1)]).toEqual([false, true]);
});

test('the last event that there was room for moves the cursor, and none after it is taken', () => {
  const { track, taken } = trackOf(undefined, (count) => count < 2);
  expect([1, 2, 3].map((number) => track.take(event(number), 1))).toEqual([true, true, false]);
  expect([track.isPaused, track.cursor, taken]).toEqual([true, 'c2', ['e1', 'e2']]);
  track.isPaused = false;
  expect([track.take(event(2), 1), track.take(event(3), 1)]).toEqual([false, true]);
});
