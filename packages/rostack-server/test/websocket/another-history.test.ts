import { openStore, type Store } from 'rostack-store';
import { bytesOf, createRandom } from 'test-support/random';
import { expect, test } from 'vitest';
import type { GatewayClient } from '../support/gateway-client.ts';
import { GatewayHarness } from '../support/gateway-harness.ts';
import { SAMPLE_RESOURCES } from '../support/sample-discovery.ts';
import { wrappedSource } from '../support/wrapped-source.ts';

const SEED = 1;
const random = createRandom(SEED).number;

/** A store of which each has the same epoch, and tags of its own. */
function openHistory(): Promise<Store> {
  let ids = 0;
  return openStore({
    url: 'sqlite::memory:',
    resources: SAMPLE_RESOURCES,
    randomId: () => {
      ids += 1;
      return ids === 1 ? 'theOneEpoch0' : bytesOf(random, 12).toString('base64url');
    },
  });
}

async function write(store: Store, ids: readonly string[]): Promise<void> {
  for (const id of ids) await store.apply([{ resource: 'stations', op: 'put', record: { id } }]);
}

/** A gateway whose tail has followed one history to position 6, when another one takes its place unnoticed. */
async function unnoticed(presentIds: readonly string[]) {
  const lost = await openHistory();
  const present = await openHistory();
  let current = lost;
  const source = () => current.source('stations');
  const harness = await GatewayHarness.start({
    store: lost,
    gateway: { minPollMs: 60_000, maxPollMs: 60_000 },
    wrapSource: () => wrappedSource(source, { watch: (onMoved) => lost.source('stations').watch(onMoved) }),
  });
  const live = await harness.client({ subject: 'p' });
  await live.subscribe('s', 'stations');
  await write(lost, ['a', 'b', 'c', 'd', 'e', 'f']);
  await live.until(() => idsOf(live).length === 6);
  await write(present, presentIds);
  const lostCursors = live.events.map(({ cursor }) => cursor);
  const [, scope] = lostCursors[0]?.split('.') ?? [];
  current = present;
  return {
    harness,
    live,
    lostCursors,
    present,
    cursorAt: async (position: number) =>
      `1.${scope}.theOneEpoch0.${position}.${(await present.source('stations').tagAt(position)) ?? ''}`,
    [Symbol.asyncDispose]: async () => {
      await live[Symbol.asyncDispose]();
      await harness[Symbol.asyncDispose]();
      await lost.close();
      await present.close();
    },
  };
}

const idsOf = ({ events }: GatewayClient) => events.map(({ resource_id }) => resource_id);

const SIX = ['A', 'B', 'C', 'D', 'E', 'F'];
const EIGHT = [...SIX, 'G', 'H'];

test('what is in memory of a lost history is not given to a subscription of the present one', async () => {
  await using gateway = await unnoticed(EIGHT);
  await using client = await gateway.harness.client({ subject: 'p' });
  await client.subscribe('s', 'stations', { cursor: await gateway.cursorAt(3) });
  await client.until(() => idsOf(client).length === 5);
  expect(idsOf(client)).toEqual(['D', 'E', 'F', 'G', 'H']);
});

test('a subscription of the present history is not attached to a tail of the lost one', async () => {
  await using gateway = await unnoticed(SIX);
  await using client = await gateway.harness.client({ subject: 'p' });
  await client.subscribe('s', 'stations', { cursor: await gateway.cursorAt(6) });
  expect(await client.next('error')).toMatchObject({ code: 'cursor_unavailable' });
  await gateway.live.until(() => gateway.live.errors.length > 0);
  expect(gateway.live.errors.map(({ code }) => code)).toEqual(['cursor_unavailable']);
  expect(gateway.harness.alarms).toEqual([{ kind: 'log_reset', resource: 'stations', reason: 'history' }]);
});

test('a cursor of the lost history is refused, and told once', async () => {
  await using gateway = await unnoticed(EIGHT);
  await using client = await gateway.harness.client({ subject: 'p' });
  for (const cursor of gateway.lostCursors) {
    client.send({ type: 'subscribe', subscription_id: 's', resource: 'stations', cursor });
    expect(await client.next('error')).toMatchObject({ code: 'cursor_unavailable' });
  }
  expect(gateway.harness.alarms.filter(({ kind }) => kind === 'foreign_cursor')).toEqual([
    { kind: 'foreign_cursor', resource: 'stations', position: 1, headPosition: 8 },
  ]);
});

test('a log that comes back to its tail otherwise than a replay has told ends its subscriptions', async () => {
  let isOther = false;
  let reads = 0;
  let hint = (): void => {};
  await using harness = await GatewayHarness.start({
    gateway: { minPollMs: 60_000, maxPollMs: 60_000 },
    wrapSource: (source) =>
      wrappedSource(() => source, {
        watch(onMoved) {
          hint = onMoved;
          return () => {};
        },
        async read(after, limit, tag) {
          const changes = await source.read(after, limit, tag);
          reads += 1;
          return isOther
            ? changes.map((change) => ({
                ...change,
                tag: `other${change.position}`,
                id: `other-${change.id}`,
              }))
            : changes;
        },
      }),
  });
  await write(harness.store, ['a', 'b']);
  await using first = await harness.client();
  await first.subscribe('s', 'stations');
  // The tail has looked for changes after its start, and now waits for a hint.
  await expect.poll(() => reads).toBe(1);
  await write(harness.store, ['c']);
  hint();
  await first.until(() => first.events.length === 1);
  await write(harness.store, ['d', 'e', 'f']);
  await using other = await harness.client();
  await other.subscribe('s', 'stations', { cursor: first.events[0]?.cursor });
  await other.until(() =>
    other.received.some((each) => !Array.isArray(each) && each.type === 'replay_complete'),
  );
  expect(idsOf(other)).toEqual(['d', 'e', 'f']);
  other.send({ type: 'unsubscribe', subscription_id: 's' });
  await expect
    .poll(() => harness.gateway.status.resources.map(({ subscriptions }) => subscriptions))
    .toContain(1);
  isOther = true;
  hint();
  await first.until(() => first.errors.length > 0 || first.events.length > 1);
  expect(idsOf(first)).toEqual(['c']);
  expect(first.errors).toMatchObject([{ code: 'cursor_unavailable', subscription_id: 's' }]);
  expect(harness.alarms).toEqual([{ kind: 'log_reset', resource: 'stations', reason: 'history' }]);
});
