import * as fc from 'fast-check';
import { parseFilter } from 'rostack-core';
import { expect, test } from 'vitest';
import { sampleDiscovery } from '../../../../test/support/sample-discovery.ts';
import { LoggedChange } from '../log/logged-change.ts';
import { type EventFeed, EventRules, type FeedGroup, FilterGroup } from './event-feed.ts';
import { FilterIndex } from './feed-registry.ts';

const [stations] = sampleDiscovery().resources;
if (stations === undefined) throw new Error('the sample has a resource');
const RULES = new EventRules(stations);
const ALL_EVENTS = stations.events.map(({ name }) => name);

const scalar = fc.constantFrom(null, true, false, 0, -0, 1, 2, '', '1', 'Seoul', 'Busan');
const field = fc.constantFrom('/city', '/height', '/a/b');
const comparison = fc.oneof(
  fc.record({ eq: scalar }),
  fc.record({ in: fc.array(scalar, { minLength: 1, maxLength: 4 }) }),
  fc.record({ ne: scalar }),
  fc.record({ eq: fc.array(scalar, { maxLength: 2 }) }),
  fc.record({ exists: fc.boolean() }),
);
const plain = fc.tuple(field, comparison).map(([pointer, operators]) => ({ [pointer]: operators }));
const filter = fc.oneof(
  { weight: 3, arbitrary: plain },
  fc.array(plain, { minLength: 1, maxLength: 3 }).map((filters) => ({ $and: filters })),
  fc.array(plain, { minLength: 1, maxLength: 3 }).map((filters) => ({ $or: filters })),
  plain.map((each) => ({ $not: each })),
);
const record = fc.record(
  {
    city: fc.oneof(scalar, fc.array(scalar, { maxLength: 2 })),
    height: scalar,
    a: fc.record({ b: scalar }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
);
const state = fc.option(record, { nil: undefined });

let position = 0;

function changeOf(before: object | undefined, after: object | undefined): LoggedChange {
  position += 1;
  return new LoggedChange(
    {
      position,
      tag: '',
      eventId: `e${position}`,
      eventType: 'station.updated',
      transition: before === undefined ? 'create' : after === undefined ? 'delete' : 'update',
      id: 'a',
      version: '1',
      occurredAtMs: 0,
      before: before && JSON.stringify(before),
      after: after && JSON.stringify(after),
    },
    '',
  );
}

test('the index finds every group that a scan of all filters finds, each once, whatever was removed before', () => {
  fc.assert(
    fc.property(
      fc.array(filter, { maxLength: 12 }),
      fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
      fc.array(fc.tuple(state, state), { minLength: 1, maxLength: 5 }),
      (filters, removals, changes) => {
        const index = new FilterIndex();
        const groups = filters.map(
          (each) => new FilterGroup<EventFeed>(RULES, parseFilter(each), ALL_EVENTS),
        );
        for (const group of groups) index.add(group);
        const kept = groups.filter((group, at) => {
          if (removals[at] === true) index.remove(group);
          return removals[at] !== true;
        });
        for (const [before, after] of changes) {
          const change = changeOf(before, after);
          const visited: FeedGroup[] = [];
          index.visit(change, (group) => visited.push(group));
          expect(new Set(visited).size).toBe(visited.length);
          const found = visited.filter((group) => group.eventOf(change) !== undefined);
          const scanned = kept.filter((group) => group.eventOf(change) !== undefined);
          expect(new Set(found)).toEqual(new Set(scanned));
        }
      },
    ),
    { numRuns: 2_000 },
  );
});

test('a change looks only at the filters that ask for its values', () => {
  const index = new FilterIndex();
  for (let height = 0; height < 1_000; height += 1) {
    index.add(new FilterGroup<EventFeed>(RULES, parseFilter({ '/height': { eq: height } }), ALL_EVENTS));
  }
  const visited: FeedGroup[] = [];
  index.visit(changeOf({ height: 7 }, { height: 8 }), (group) => visited.push(group));
  expect(visited.map(({ filter }) => filter?.kind === 'comparison' && filter.operand)).toEqual([7, 8]);
});
