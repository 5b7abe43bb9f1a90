import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { GatewayClient } from '../support/gateway-client.ts';
import { GatewayHarness } from '../support/gateway-harness.ts';
import { wrappedSource } from '../support/wrapped-source.ts';

const HEIGHTS = 20;
const records = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => ({
    id: `r${first + index}`,
    height: (first + index) % HEIGHTS,
  }));
const idsOf = ({ events }: GatewayClient): readonly unknown[] => events.map(({ resource_id }) => resource_id);
const hasCaughtUp = ({ received }: GatewayClient): boolean =>
  received.some((each) => !Array.isArray(each) && each.type === 'replay_complete');

async function write(harness: GatewayHarness, first: number, last: number): Promise<void> {
  for (let from = first; from <= last; from += 500)
    await harness.put('stations', ...records(from, Math.min(last, from + 499)));
}

async function clientsOf(harness: GatewayHarness, count: number): Promise<readonly GatewayClient[]> {
  return Promise.all(Array.from({ length: count }, () => harness.client()));
}

test('followers that come back at once, each from another place, read the log together and get what each has missed', async () => {
  const changes = 4_000;
  const followers = 40;
  let rowsRead = 0;
  await using harness = await GatewayHarness.start({
    gateway: { ringMaxChanges: 64 },
    wrapSource: (source) =>
      wrappedSource(() => source, {
        async read(after, limit, tag) {
          const found = await source.read(after, limit, tag);
          rowsRead += found.length;
          return found;
        },
      }),
  });
  await using stayed = await harness.client();
  await stayed.subscribe('s', 'stations');
  await write(harness, 1, changes);
  await stayed.until(() => stayed.events.length === changes);
  await using stack = new AsyncDisposableStack();
  const clients = await clientsOf(harness, followers);
  for (const client of clients) stack.use(client);
  rowsRead = 0;
  await Promise.all([
    ...clients.map((client, index) =>
      client.subscribe('s', 'stations', {
        cursor: stayed.events[index * 97]?.cursor,
        ...(index % 4 > 0 && { filter: { '/height': { in: [index % HEIGHTS, 3] } } }),
      }),
    ),
    write(harness, changes + 1, changes + 300),
  ]);
  const expected = clients.map((_, index) =>
    records(2 + index * 97, changes + 300)
      .filter(({ height }) => index % 4 === 0 || height === index % HEIGHTS || height === 3)
      .map(({ id }) => id),
  );
  for (const [index, client] of clients.entries())
    await client.until(() => hasCaughtUp(client) && idsOf(client).length >= (expected[index]?.length ?? 0));
  expect(clients.map(idsOf)).toEqual(expected);
  // Once for those who come together, and once for those who do not wait for them.
  expect(rowsRead).toBeLessThan(3 * changes);
});

test('a crowd that comes back to one place has its tag looked up once at a time, so that other reads need not wait', async () => {
  let [atOnce, most] = [0, 0];
  await using harness = await GatewayHarness.start({
    wrapSource: (source) =>
      wrappedSource(() => source, {
        async tagAt(position) {
          atOnce += 1;
          most = Math.max(most, atOnce);
          for (let turns = 0; turns < 20; turns += 1) await nextTurn();
          atOnce -= 1;
          return source.tagAt(position);
        },
      }),
  });
  await using stayed = await harness.client();
  await stayed.subscribe('s', 'stations');
  await write(harness, 1, 3);
  await stayed.until(() => stayed.events.length === 3);
  await using stack = new AsyncDisposableStack();
  const clients = await clientsOf(harness, 40);
  const cursor = stayed.events[0]?.cursor;
  await Promise.all(
    clients.map(async (client) => {
      stack.use(client);
      await client.subscribe('s', 'stations', { cursor });
      await client.until(() => client.events.length === 2);
    }),
  );
  expect(most).toBe(1);
});

test('what replays hand over in one turn of the event loop does not grow with their number', async () => {
  const changes = 2_000;
  await using harness = await GatewayHarness.start();
  await using stayed = await harness.client();
  await stayed.subscribe('s', 'stations');
  await write(harness, 1, changes);
  await stayed.until(() => stayed.events.length === changes);
  await using stack = new AsyncDisposableStack();
  const clients = await clientsOf(harness, 30);
  for (const client of clients) stack.use(client);
  const eventsNow = (): number =>
    harness.gateway.status.resources.reduce((sum, { events }) => sum + events, 0);
  const end = new AbortController();
  let most = 0;
  const looking = (async () => {
    for (let before = eventsNow(); !end.signal.aborted; before = eventsNow()) {
      await nextTurn();
      most = Math.max(most, eventsNow() - before);
    }
  })();
  const { cursor } = stayed.events[0] ?? {};
  for (const client of clients)
    client.send({ type: 'subscribe', subscription_id: 's', resource: 'stations', cursor });
  for (const client of clients) await client.until(() => client.events.length === changes - 1);
  end.abort();
  await looking;
  expect(clients.map(idsOf)).toEqual(clients.map(() => records(2, changes).map(({ id }) => id)));
  expect(most).toBeLessThanOrEqual(600);
});
