import { expect, test } from 'vitest';
import { isLive, takeUntil } from './support/collect.ts';
import { HostileServer } from './support/hostile-server.ts';
import { watchedClient } from './support/watched-client.ts';

const TOKEN = 'secret-token';
const CREDENTIAL = { method: 'shared_token', token: TOKEN } as const;

test('after a loss the client authenticates and asks for the same subscription, from its last cursor', async () => {
  await using server = await HostileServer.start({
    talk: (to) =>
      to.authenticates().subscribes((subscriptionId) => {
        if (to.number > 3) return;
        to.event(subscriptionId, to.number);
        to.socket.on('message', () => to.socket.terminate());
        to.send({ type: 'ping', id: 'taken' });
      }),
  });
  await using watching = await watchedClient(server.url, CREDENTIAL);
  await using follow = watching.client.follow('stations', {
    filter: { '/altitude': { gte: 0, lt: 9_000 } },
  });
  await takeUntil(follow, (change) => change.kind === 'created' && change.id === 'r3');
  await takeUntil(follow, isLive);
  await expect.poll(() => server.conversations[3]?.received).toHaveLength(2);
  const asked = server.conversations.map(({ received }) => received.slice(0, 2));
  const [, first] = asked[0] ?? [];
  expect(first).toMatchObject({
    type: 'subscribe',
    resource: 'stations',
    filter: { '/altitude': { gte: 0, lt: 9_000 } },
    event_encoding: 'compact-json',
    cursor: 'c0',
  });
  expect(asked).toEqual(
    ['c0', 'c1', 'c2', 'c3'].map((cursor) => [
      { type: 'authenticate', ...CREDENTIAL },
      { ...first, cursor },
    ]),
  );
});

test('the credential goes to the gateway in its first message, and nowhere else', async () => {
  await using server = await HostileServer.start({ talk: (to) => to.authenticates().subscribes() });
  await using watching = await watchedClient(server.url, CREDENTIAL);
  await using follow = watching.client.follow('stations');
  await takeUntil(follow, isLive);
  const [conversation] = server.conversations;
  expect(conversation?.received[0]).toEqual({ type: 'authenticate', ...CREDENTIAL });
  expect(conversation?.headers['sec-websocket-protocol']).toBe('rostack.v1');
  expect(conversation?.headers.cookie).toBeUndefined();
  expect(JSON.stringify([conversation?.path, conversation?.headers])).not.toContain(TOKEN);
  for (const { path, authorization = '' } of server.requests) {
    expect(path).not.toContain(TOKEN);
    expect(['', `Rostack-Token ${TOKEN}`]).toContain(authorization);
  }
  expect(
    conversation?.received
      .slice(1)
      .map((message) => JSON.stringify(message))
      .join(),
  ).not.toContain(TOKEN);
});
