import { expect, test } from 'vitest';
import { SubscriptionError } from '../../http/error/errors.ts';
import type { GatewayConnection } from './gateway-connection.ts';
import { SubscriptionSet } from './subscription-set.ts';
import { SubscriptionState } from './subscription-state.ts';

const REFUSAL = new SubscriptionError('service_unavailable', 'refused for now', { retryable: true });

/** A set whose waits end when the test says so; the wait is as many milliseconds as there were failures. */
function openSet() {
  const waits: { readonly delayMs: number; readonly end: () => void }[] = [];
  const set = new SubscriptionSet({
    clock: {
      wallMs: () => 0,
      monotonicMs: () => 0,
      after: (delayMs, end) => {
        waits.push({ delayMs, end });
        return () => {};
      },
    },
    retryDelayMs: (_error, failures) => failures,
    onReady: () => {},
    onEmpty: () => {},
  });
  return { set, waits };
}

function connection() {
  const asked: string[] = [];
  const made = { subscribe: (id: string) => asked.push(id), unsubscribe: () => {} };
  return { asked, made: made as unknown as GatewayConnection };
}

const subscription = (id: string): SubscriptionState =>
  new SubscriptionState(
    id,
    () => ({ resource: 'stations' }) as never,
    { cursor: undefined, seen: undefined },
    { onEvent: () => true, onCaughtUp: () => {}, onLost: () => {}, onGap: () => {}, onEnded: () => {} },
  );

test('a subscription that was refused for now waits on the next connection too, where the others go on', () => {
  const { set, waits } = openSet();
  const first = connection();
  set.join(first.made);
  for (const id of ['refused', 'other']) set.add(subscription(id));
  set.onEnded(first.made, { kind: 'ended', subscriptionId: 'refused', error: REFUSAL });
  set.leave(first.made);
  const second = connection();
  set.join(second.made);
  expect(second.asked).toEqual(['other']);
  waits[0]?.end();
  expect(second.asked).toEqual(['other', 'refused']);
});

test('refusals add up until the subscription is confirmed, and then start from zero', () => {
  const { set, waits } = openSet();
  const { made } = connection();
  set.join(made);
  set.add(subscription('s'));
  const refuse = () => {
    set.onEnded(made, { kind: 'ended', subscriptionId: 's', error: REFUSAL });
    waits.at(-1)?.end();
  };
  refuse();
  refuse();
  set.onSubscribed(made, { kind: 'subscribed', subscriptionId: 's', replaying: false });
  refuse();
  expect(waits.map(({ delayMs }) => delayMs)).toEqual([1, 2, 1]);
});
