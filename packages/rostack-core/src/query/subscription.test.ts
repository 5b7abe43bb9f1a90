import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Resource } from '../wire/discovery/resource-model.ts';
import type { SubscribeMessage } from '../wire/message/client-message.ts';
import { filterTransition, normalizeSubscription, subscriptionsEqual } from './subscription.ts';

const resource = {
  name: 'stations',
  events: [{ name: 'station.added' }, { name: 'station.changed' }],
} as unknown as Resource;
const base: SubscribeMessage = { type: 'subscribe', subscription_id: 's', resource: 'stations' };
const isSame = (a: Partial<SubscribeMessage>, b: Partial<SubscribeMessage>) =>
  subscriptionsEqual(
    normalizeSubscription({ ...base, ...a }, resource),
    normalizeSubscription({ ...base, ...b }, resource),
  );

describe('a repeated subscribe', () => {
  test.for<[string, Partial<SubscribeMessage>, Partial<SubscribeMessage>]>([
    ['the default encoding written out', {}, { event_encoding: 'json' }],
    ['all advertised event types written out', {}, { event_types: ['station.changed', 'station.added'] }],
    ['event types in another order', { event_types: ['a', 'b'] }, { event_types: ['b', 'a'] }],
    [
      'members of the filter in another order',
      { filter: { '/a': { gt: 1, lt: 3 }, '/b': { eq: null } } },
      { filter: { '/b': { eq: null }, '/a': { lt: 3, gt: 1 } } },
    ],
  ])('is the same with %s', ([, a, b]) => expect(isSame(a, b)).toBe(true));

  test.for<[string, Partial<SubscribeMessage>, Partial<SubscribeMessage>]>([
    ['resource', {}, { resource: 'observations' }],
    ['encoding', {}, { event_encoding: 'compact-json' }],
    ['set of event types', {}, { event_types: ['station.added'] }],
    ['filter', {}, { filter: { '/a': { eq: 1 } } }],
    ['operand', { filter: { '/a': { eq: 1 } } }, { filter: { '/a': { eq: '1' } } }],
    ['cursor', {}, { cursor: 'c' }],
  ])('conflicts with another %s', ([, a, b]) => expect(isSame(a, b)).toBe(false));
});

describe('filterTransition', () => {
  const isIn = (record: unknown) => record === 'in';

  test.for([
    ['out', 'out', undefined],
    ['out', 'in', 'create'],
    ['in', 'in', 'update'],
    ['in', 'out', 'delete'],
    [undefined, 'in', 'create'],
    [undefined, 'out', undefined],
    ['in', undefined, 'delete'],
    ['out', undefined, undefined],
    [undefined, undefined, undefined],
  ] as const)('%s to %s is %s', ([before, after, expected]) => {
    expect(filterTransition(before, after, isIn)).toBe(expected);
  });

  test('the transitions of any history keep exactly the matching records', () => {
    const state = fc.option(fc.integer({ min: 0, max: 9 }), { nil: undefined });
    fc.assert(
      fc.property(fc.array(state), fc.integer({ min: 0, max: 9 }), (history, threshold) => {
        const matches = (record: unknown) => (record as number) >= threshold;
        let held = false;
        let before: number | undefined;
        for (const after of history) {
          const transition = filterTransition(before, after, matches);
          const allowed = held ? ['update', 'delete'] : ['create', undefined];
          expect(allowed).toContain(transition);
          if (transition !== undefined) held = transition !== 'delete';
          expect(held).toBe(after !== undefined && matches(after));
          before = after;
        }
      }),
    );
  });
});
