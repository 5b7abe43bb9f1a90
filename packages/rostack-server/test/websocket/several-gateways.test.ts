import type { RecordSource } from 'rostack-core';
import { openStore } from 'rostack-store';
import { createDatabase, hasPostgres } from 'test-support/postgres';
import { createRandom } from 'test-support/random';
import { describe, expect, test } from 'vitest';
import { MemorySharedTokenStore } from '../../src/auth/index.ts';
import { GatewayHarness } from '../support/gateway-harness.ts';
import { SAMPLE_RESOURCES } from '../support/sample-discovery.ts';
import { wrappedSource } from '../support/wrapped-source.ts';

const SEED = 42;

/** A source whose hints are lost. */
const withoutHints = (source: RecordSource): RecordSource =>
  wrappedSource(() => source, { watch: () => () => {} });

/** A source whose hints are lost, doubled or late, as `draw` decides. */
const withBadHints =
  (draw: () => number) =>
  (source: RecordSource): RecordSource =>
    wrappedSource(() => source, {
      watch: (onMoved) =>
        source.watch(() => {
          const drawn = draw();
          if (drawn < 0.4) return;
          if (drawn < 0.7) {
            onMoved();
            onMoved();
          } else {
            setTimeout(onMoved, 50);
          }
        }),
    });

describe.skipIf(!hasPostgres)('several gateways over one PostgreSQL', () => {
  test(`deliver every event in the same order, even if hints are lost, doubled or late (seed ${SEED})`, async () => {
    const tokens = new MemorySharedTokenStore();
    await using database = await createDatabase();
    const open = () => openStore({ url: database.url, resources: SAMPLE_RESOURCES, maxConnections: 4 });
    await using firstStore = await open();
    await using secondStore = await open();
    await using thirdStore = await open();
    await using first = await GatewayHarness.start({ store: firstStore, tokens });
    await using second = await GatewayHarness.start({ store: secondStore, tokens, wrapSource: withoutHints });
    await using third = await GatewayHarness.start({
      store: thirdStore,
      tokens,
      wrapSource: withBadHints(createRandom(SEED).number),
    });
    const nodes = [first, second, third];
    const clients = await Promise.all(nodes.map((node) => node.client({ subject: 'p' })));
    for (const client of clients) await client.subscribe('s', 'stations');

    const rounds = 60;
    const perBatch = 5;
    await Promise.all(
      nodes.map(async (node, writer) => {
        for (let round = 0; round < rounds; round += 1) {
          const records = Array.from({ length: perBatch }, (_, index) => ({
            id: `r${(round * perBatch + index) % 40}`,
            note: `${writer}.${round}.${index}`,
          }));
          await node.put('stations', ...records);
        }
      }),
    );
    const { position } = await firstStore.source('stations').head();
    expect(position).toBe(nodes.length * rounds * perBatch);
    for (const client of clients) await client.until(() => client.events.length >= position);
    const log = await readAll(firstStore.source('stations'), position);
    for (const client of clients) expect(client.events.map(({ event_id }) => event_id)).toEqual(log);
  });

  test('take over a subscription from each other at its cursor', async () => {
    const tokens = new MemorySharedTokenStore();
    await using database = await createDatabase();
    await using store = await openStore({
      url: database.url,
      resources: SAMPLE_RESOURCES,
      maxConnections: 4,
    });
    await using other = await openStore({
      url: database.url,
      resources: SAMPLE_RESOURCES,
      maxConnections: 4,
    });
    await using first = await GatewayHarness.start({ store, tokens });
    await using second = await GatewayHarness.start({
      store: other,
      tokens,
      wrapSource: withoutHints,
      gateway: { minPollMs: 1_500, maxPollMs: 1_500 },
    });
    await using quiet = await second.client({ subject: 'q' });
    await quiet.subscribe('s', 'stations');
    await using client = await first.client({ subject: 'p' });
    await client.subscribe('s', 'stations');
    await first.put('stations', { id: 'x', note: '1' });
    await first.put('stations', { id: 'x', note: '2' });
    const { cursor } = await client.next('event');
    const { event_id: next, cursor: newest } = await client.next('event');

    // The second node has not looked since: the cursors lie beyond what it has seen.
    await using resumed = await second.client({ subject: 'p' });
    expect(await resumed.subscribe('s', 'stations', { cursor })).toMatchObject({ replaying: true });
    expect((await resumed.next('event')).event_id).toBe(next);
    expect(await resumed.next('replay_complete')).toMatchObject({ subscription_id: 's' });
    expect(await resumed.subscribe('t', 'stations', { cursor: newest })).toMatchObject({ replaying: true });
    expect(await resumed.next('replay_complete')).toMatchObject({ subscription_id: 't' });
    await second.put('stations', { id: 'x', note: '3' });
    const both = [await resumed.next('event'), await resumed.next('event')];
    expect(new Set(both.map(({ subscription_id }) => subscription_id))).toEqual(new Set(['s', 't']));
    expect(both.map(({ data }) => data)).toEqual([
      { id: 'x', note: '3' },
      { id: 'x', note: '3' },
    ]);
  });
});

async function readAll(source: RecordSource, head: number): Promise<readonly string[]> {
  const ids: string[] = [];
  while (ids.length < head) {
    for (const { eventId } of await source.read(ids.length, 1_000)) ids.push(eventId);
  }
  return ids;
}
