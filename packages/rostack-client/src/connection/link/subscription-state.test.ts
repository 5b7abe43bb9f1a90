import type { EventMessage } from 'rostack-core';
import { expect, test } from 'vitest';
import { EVENT_WINDOW_SIZE, SubscriptionState } from './subscription-state.ts';

const event = (number: number) => ({ event_id: `e${number}`, cursor: `c${number}` }) as EventMessage;

function subscriptionOf(seen?: string, hasRoom: (number: number) => boolean = () => true) {
  const taken: string[] = [];
  const define = () => {
    throw new Error('not asked for');
  };
  const subscription = new SubscriptionState(
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
  return { subscription, taken };
}

test('an event that comes again is not taken again, as long as it is among the newest', () => {
  const { subscription, taken } = subscriptionOf();
  for (let number = 0; number <= EVENT_WINDOW_SIZE; number += 1) subscription.take(event(number), 1);
  expect(taken).toHaveLength(EVENT_WINDOW_SIZE + 1);
  for (let number = EVENT_WINDOW_SIZE; number >= 1; number -= 1)
    expect(subscription.take(event(number), 1)).toBe(false);
  expect(subscription.cursor).toBe(`c${EVENT_WINDOW_SIZE}`);
  expect(subscription.take(event(0), 1)).toBe(true);
});

test('the event before its cursor is known from the start', () => {
  const { subscription } = subscriptionOf('e7');
  expect([subscription.take(event(7), 1), subscription.take(event(8), 1)]).toEqual([false, true]);
});

test('the last event that there was room for moves the cursor, and none after it is taken', () => {
  const { subscription, taken } = subscriptionOf(undefined, (count) => count < 2);
  expect([1, 2, 3].map((number) => subscription.take(event(number), 1))).toEqual([true, true, false]);
  expect([subscription.isPaused, subscription.cursor, taken]).toEqual([true, 'c2', ['e1', 'e2']]);
  subscription.isPaused = false;
  expect([subscription.take(event(2), 1), subscription.take(event(3), 1)]).toEqual([false, true]);
});
