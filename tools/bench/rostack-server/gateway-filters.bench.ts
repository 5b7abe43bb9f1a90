/** 10,000 subscriptions with 10,000 different equality filters: what finding those of one event costs. */
import { parseFilter } from 'rostack-core';
import {
  type EventFeed,
  EventRules,
  FilterGroup,
} from '../../../packages/rostack-server/src/websocket/hub/feed/event-feed.ts';
import { FilterIndex } from '../../../packages/rostack-server/src/websocket/hub/feed/feed-registry.ts';
import { LoggedChange } from '../../../packages/rostack-server/src/websocket/hub/log/logged-change.ts';
import { sampleDiscovery } from '../../../packages/rostack-server/test/support/sample-discovery.ts';
import { median, spreadOf } from '../support/numbers.ts';
import { threadUs } from '../support/processor.ts';
import { report } from '../support/report.ts';
import { runRounds } from '../support/rounds.ts';

const FILTERS = 10_000;
const EVENTS = 20_000;
const SCANNED_EVENTS = 20;
const ROUNDS = 7;
const BAR_US = 5;

const [resource] = sampleDiscovery().resources;
if (resource === undefined) throw new Error('the sample has a resource');
const rules = new EventRules(resource);
const names = resource.events.map(({ name }) => name);
const groups = Array.from(
  { length: FILTERS },
  (_, height) =>
    new FilterGroup<EventFeed>(
      rules,
      parseFilter({ '/height': { eq: height }, '/city': { ne: 'x' } }),
      names,
    ),
);
const index = new FilterIndex();
for (const group of groups) index.add(group);

let position = 0;

/** A change of 300 bytes before and after, not parsed yet. */
function nextChange(): LoggedChange {
  position += 1;
  const body = (height: number): string =>
    JSON.stringify({ id: 'a', city: 'Seoul', height, note: 'x'.repeat(250) });
  return new LoggedChange(
    {
      position,
      tag: '',
      eventId: 'e',
      eventType: 'station.updated',
      transition: 'update',
      id: 'a',
      version: '1',
      occurredAtMs: 0,
      before: body(position % FILTERS),
      after: body((position * 7_919) % FILTERS),
    },
    '',
  );
}

async function microsecondsPerEvent(count: number, match: (change: LoggedChange) => number): Promise<number> {
  const changes = Array.from({ length: count }, nextChange);
  let found = 0;
  const usedUs = await threadUs(() => {
    for (const change of changes) found += match(change);
  });
  if (found < count) throw new Error(`only ${found} events were found`);
  return usedUs / count;
}

function byIndex(change: LoggedChange): number {
  let found = 0;
  index.visit(change, (group) => {
    if (group.eventOf(change) !== undefined) found += 1;
  });
  return found;
}

const byScan = (change: LoggedChange): number =>
  groups.reduce((found, group) => found + (group.eventOf(change) === undefined ? 0 : 1), 0);

const { indexed, scanned } = await runRounds(
  {
    indexed: () => microsecondsPerEvent(EVENTS, byIndex),
    scanned: () => microsecondsPerEvent(SCANNED_EVENTS, byScan),
  },
  { rounds: ROUNDS },
);
report('rostack-server/gateway-filters-us-per-event', {
  ratio: median(indexed),
  bar: BAR_US,
  want: 'at most',
  note: `both states of 300 bytes parsed, rounds ${spreadOf(indexed)} us; a scan takes ${median(scanned).toFixed(0)} us`,
});
