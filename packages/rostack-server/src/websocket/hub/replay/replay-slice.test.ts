import * as fc from 'fast-check';
import { parseFilter } from 'rostack-core';
import { expect, test } from 'vitest';
import { sampleDiscovery } from '../../../../test/support/sample-discovery.ts';
import { type EventFeed, EventRules, FilterGroup } from '../feed/event-feed.ts';
import { OutOfOrderError } from '../log/log-position.ts';
import { LoggedChange } from '../log/logged-change.ts';
import { ReplaySlice } from './replay-slice.ts';

const [stations] = sampleDiscovery().resources;
if (stations === undefined) throw new Error('the sample has a resource');
const RULES = new EventRules(stations);
const ALL_EVENTS = stations.events.map(({ name }) => name);
const groupOf = (filter: object | undefined) =>
  new FilterGroup<EventFeed>(RULES, filter && parseFilter(filter), ALL_EVENTS);

const height = fc.integer({ min: 0, max: 3 });
const filter = fc.oneof(
  fc.constant(undefined),
  height.map((value) => ({ '/height': { eq: value } })),
  fc.array(height, { minLength: 1, maxLength: 3 }).map((values) => ({ '/height': { in: values } })),
  height.map((value) => ({ '/height': { ne: value } })),
);
const state = fc.option(
  height.map((value) => JSON.stringify({ height: value })),
  { nil: undefined },
);

function changeOf(position: number, before: string | undefined, after: string | undefined): LoggedChange {
  return new LoggedChange(
    {
      position,
      tag: `t${position}`,
      eventId: `e${position}`,
      eventType: 'station.updated',
      transition: before === undefined ? 'create' : after === undefined ? 'delete' : 'update',
      id: 'a',
      version: '1',
      occurredAtMs: 0,
      before,
      after,
    },
    `t${position - 1}`,
  );
}

test('a slice holds for each group the events that a look at each change finds, after any place', () => {
  fc.assert(
    fc.property(
      fc.array(filter, { minLength: 1, maxLength: 6 }),
      fc.array(fc.tuple(state, state), { minLength: 1, maxLength: 8 }),
      fc.nat({ max: 9 }),
      (filters, states, from) => {
        const changes = states.map(([before, after], index) => changeOf(index + 1, before, after));
        const slice = new ReplaySlice({ position: 0, tag: 't0' }, changes);
        const groups = filters.map(groupOf);
        slice.prepare(new Set(groups));
        for (const group of groups) {
          const found = [...slice.eventsAfter(group, from)].map(({ logged }) => logged.position);
          const scanned = changes.filter((each) => each.position > from && group.eventOf(each) !== undefined);
          expect(found).toEqual(scanned.map(({ position }) => position));
        }
      },
    ),
    { numRuns: 1_000 },
  );
});

test('a state that cannot be read fails those that ask for it, there, and nobody else', () => {
  const changes = [
    changeOf(1, undefined, '{"height":1}'),
    changeOf(2, undefined, '{'),
    changeOf(3, undefined, '{"height":1}'),
  ];
  const slice = new ReplaySlice({ position: 0, tag: 't0' }, changes);
  const all = groupOf(undefined);
  const some = groupOf({ '/height': { eq: 1 } });
  slice.prepare(new Set([all, some]));
  expect([...slice.eventsAfter(all, 0)].map(({ kind }) => kind)).toEqual(['event', 'event', 'event']);
  expect([...slice.eventsAfter(some, 0)].map(({ kind }) => kind)).toEqual(['event', 'fault', 'event']);
});

test('a slice holds the places that it can go on from, of its own history', () => {
  const slice = new ReplaySlice(
    { position: 4, tag: 't4' },
    [5, 6].map((each) => changeOf(each, undefined, '{}')),
  );
  const holds = [3, 4, 5, 6, 7].map((position) => slice.holds({ position, tag: `t${position}` }));
  expect(holds).toEqual([false, true, true, false, false]);
  expect(slice.holds({ position: 5, tag: 'other' })).toBe(false);
  expect(slice.end).toEqual({ position: 6, tag: 't6' });
});

test('a slice with a hole is none', () => {
  const changes = [1, 3].map((each) => changeOf(each, undefined, '{}'));
  expect(() => new ReplaySlice({ position: 0, tag: 't0' }, changes)).toThrow(new OutOfOrderError(2, 3));
});
