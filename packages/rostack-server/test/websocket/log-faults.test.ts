import { type Change, type Position, type RecordSource, SourceUnavailableError } from 'rostack-core';
import { expect, test } from 'vitest';
import type { GatewayClient } from '../support/gateway-client.ts';
import { GatewayHarness } from '../support/gateway-harness.ts';
import { ShiftedClock } from '../support/shifted-clock.ts';
import { wrappedSource } from '../support/wrapped-source.ts';

type Read = (after: Position, limit: number, tag?: string) => Promise<readonly Change[]>;

const records = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => ({ id: `r${first + index}`, height: index }));

/** A source without hints whose reads go through `read`. */
const reading =
  (read: (source: RecordSource) => Read) =>
  (source: RecordSource): RecordSource =>
    wrappedSource(() => source, { watch: () => () => {}, read: read(source) });

const idsOf = ({ events }: GatewayClient): readonly unknown[] => events.map(({ resource_id }) => resource_id);
const idsUpTo = (count: number): readonly string[] => records(1, count).map(({ id }) => id);
const stationsOf = ({ gateway }: GatewayHarness) =>
  gateway.status.resources.find(({ resource }) => resource === 'stations');
const isKind =
  (kind: string) =>
  (alarm: { readonly kind: string }): boolean =>
    alarm.kind === kind;

test('a read of the log that fails in the middle of a backlog repeats no event, and a replay after it ends', async () => {
  let isLate = true;
  let reads = 0;
  await using harness = await GatewayHarness.start({
    gateway: { minPollMs: 10, maxPollMs: 20 },
    wrapSource: reading((source) => async (after, limit, tag) => {
      if (isLate) return [];
      reads += 1;
      if (reads === 3) throw new SourceUnavailableError('down');
      return source.read(after, limit, tag);
    }),
  });
  await using live = await harness.client();
  await live.subscribe('s', 'stations');
  await harness.put('stations', ...records(1, 600));
  isLate = false;
  await live.until(() => idsOf(live).includes('r600'));
  await harness.put('stations', ...records(601, 700));
  await live.until(() => idsOf(live).includes('r700'));
  expect(idsOf(live)).toEqual(idsUpTo(700));
  expect(harness.alarms.map(({ kind }) => kind)).toEqual(['source_fault']);

  const cursor = live.events[0]?.cursor;
  await using returning = await harness.client();
  await returning.subscribe('s', 'stations', { cursor });
  await returning.until(() => returning.received.at(-1) !== undefined && idsOf(returning).length >= 699);
  expect(idsOf(returning)).toEqual(idsUpTo(700).slice(1));
  await returning.until(() =>
    returning.received.some((each) => !Array.isArray(each) && each.type === 'replay_complete'),
  );
});

test('a log that cannot be read for long raises an alarm once a minute', async () => {
  const clock = new ShiftedClock();
  let isDown = false;
  let failures = 0;
  await using harness = await GatewayHarness.start({
    gateway: { minPollMs: 5, maxPollMs: 5, clock },
    wrapSource: reading((source) => (after, limit, tag) => {
      if (!isDown) return source.read(after, limit, tag);
      failures += 1;
      return Promise.reject(new SourceUnavailableError('down'));
    }),
  });
  await using live = await harness.client();
  await live.subscribe('s', 'stations');
  isDown = true;
  for (const alarms of [1, 2]) {
    const before = failures;
    await expect.poll(() => failures - before).toBeGreaterThan(5);
    expect(harness.alarms.map(({ kind }) => kind)).toEqual(Array(alarms).fill('source_fault'));
    clock.pass(60_000);
  }
  isDown = false;
  await harness.put('stations', { id: 'a' });
  expect(await live.next('event')).toMatchObject({ resource_id: 'a' });
});

test.each<readonly [string, (changes: readonly Change[]) => readonly Change[]]>([
  ['repeats a change', ([first, ...rest]) => (first === undefined ? [] : [first, first, ...rest])],
  ['leaves one out', (changes) => changes.filter((_, index) => index !== 1)],
  ['gives one too early', (changes) => changes.slice(1)],
])('a replay from a log that %s ends with cursor_unavailable and an alarm', async (_name, spoil) => {
  let isSpoilt = false;
  await using harness = await GatewayHarness.start({
    gateway: { ringMaxChanges: 1 },
    wrapSource: reading((source) => async (after, limit, tag) => {
      const changes = await source.read(after, limit, tag);
      return isSpoilt && after === 1 ? spoil(changes) : changes;
    }),
  });
  await using live = await harness.client();
  await live.subscribe('s', 'stations');
  await harness.put('stations', ...records(1, 5));
  const { cursor } = await live.next('event');
  await live.until(() => idsOf(live).length === 5);
  isSpoilt = true;
  await using returning = await harness.client();
  await returning.subscribe('s', 'stations', { cursor });
  expect(await returning.take()).toMatchObject({ type: 'error', code: 'cursor_unavailable' });
  expect(harness.alarms.map(({ kind }) => kind)).toEqual(['out_of_order']);
  await harness.put('stations', ...records(6, 6));
  await live.until(() => idsOf(live).length === 6);
  expect(idsOf(live)).toEqual(idsUpTo(6));
});

test.each<readonly [string, Read]>([
  ['finds nothing', () => Promise.resolve([])],
  ['fails over and over', () => Promise.reject(new SourceUnavailableError('down'))],
  ['does not return', () => new Promise(() => {})],
])('a replay whose reading %s is seen in the status, and raises one alarm', async (_name, read) => {
  const clock = new ShiftedClock();
  let isStuck = false;
  await using harness = await GatewayHarness.start({
    gateway: {
      ringMaxChanges: 1,
      recheckIntervalMs: 100,
      clock,
    },
    wrapSource: reading(
      (source) => (after, limit, tag) =>
        isStuck && after === 1 ? read(after, limit) : source.read(after, limit, tag),
    ),
  });
  await using live = await harness.client();
  await live.subscribe('s', 'stations');
  await harness.put('stations', ...records(1, 5));
  const { cursor } = await live.next('event');
  await live.until(() => idsOf(live).length === 5);
  isStuck = true;
  await using returning = await harness.client();
  await returning.subscribe('s', 'stations', { cursor });
  await expect.poll(() => stationsOf(harness)?.replayStalledMs).toBeDefined();
  expect(harness.alarms).toEqual([]);
  clock.pass(11_000);
  await expect.poll(() => harness.alarms.filter(isKind('replay_stalled'))).toHaveLength(1);
  clock.pass(3_000);
  await expect.poll(() => stationsOf(harness)?.replayStalledMs).toBeGreaterThan(13_000);
  expect(harness.alarms.filter(isKind('replay_stalled'))).toHaveLength(1);
  await returning[Symbol.asyncDispose]();
  await expect.poll(() => stationsOf(harness)?.replayStalledMs).toBeUndefined();
});
