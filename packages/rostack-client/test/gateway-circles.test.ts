import { connect } from 'rostack-client';
import { describe, expect, test } from 'vitest';
import { type Conversation, HostileServer } from './support/hostile-server.ts';
import { watchedClient } from './support/watched-client.ts';

const CREDENTIAL = { method: 'shared_token', token: 'secret-token' } as const;

describe('a gateway cannot make a client run in circles', () => {
  // With this luck the first three waits are 150, 250 and 450 ms.
  const random = (): number => 0.5;
  const THREE_WAITS_MS = 850;

  /** The time between the first and the last of so many things, once they have happened. */
  async function timeOf(count: number, times: () => readonly number[]): Promise<number> {
    await expect.poll(() => times().length).toBeGreaterThanOrEqual(count);
    const [first = 0, last = 0] = [times()[0], times()[count - 1]];
    return last - first;
  }

  test.for<[string, (conversation: Conversation) => void]>([
    ['by closing at once', ({ socket }) => socket.close()],
    [
      'by closing after it took the credential',
      (to) => to.authenticates().on('subscribe', () => to.socket.close(4500)),
    ],
    [
      'by sending it away',
      (to) =>
        to
          .authenticates()
          .subscribes(() =>
            to.send({ type: 'go_away', reason: 'no', reconnect_after_ms: 0, drain_timeout_ms: 60_000 }),
          ),
    ],
    ['by another API version', (to) => to.authenticates({ api_version: '2' })],
  ])('%s', async ([, talk]) => {
    await using server = await HostileServer.start({ talk });
    await using watching = await watchedClient(server.url, CREDENTIAL, { random });
    await using follow = watching.client.follow('stations');
    void follow.run(() => {}).catch(() => {});
    const times = () => server.conversations.map(({ atMs }) => atMs);
    expect(await timeOf(4, times)).toBeGreaterThan(THREE_WAITS_MS - 150);
  });

  test('by taking the cursor away again and again', async () => {
    await using server = await HostileServer.start({
      talk: (to) => to.authenticates().subscribes((id) => to.refuse(id, 'cursor_unavailable')),
    });
    await using watching = await watchedClient(server.url, CREDENTIAL, { random });
    await using follow = watching.client.follow('stations');
    void follow.run(() => {}).catch(() => {});
    // The first of the new snapshots comes at once, then three waits.
    const times = () => server.requests.flatMap(({ path, atMs }) => (path === '/api/stations' ? [atMs] : []));
    expect(await timeOf(5, times)).toBeGreaterThan(THREE_WAITS_MS - 50);
    expect(server.conversations).toHaveLength(1);
  });

  test('by a credential that always expires now', async () => {
    await using server = await HostileServer.start({
      talk: (to) => to.authenticates({ reauthenticate_at: '2026-01-01T00:00:00Z' }).subscribes(),
    });
    const asked: number[] = [];
    await using client = await connect(server.url, () => {
      asked.push(performance.now());
      return CREDENTIAL;
    });
    await using _ = client.subscribe('stations');
    expect(await timeOf(3, () => asked)).toBeGreaterThan(900);
  });

  test('by asking for a wait without an end', async () => {
    await using server = await HostileServer.start({
      talk: (to) =>
        to
          .authenticates()
          .on('subscribe', ({ subscription_id: id }) =>
            to.refuse(id, 'rate_limited', { retryable: true, retry_after_ms: 1e12 }),
          ),
    });
    await using watching = await watchedClient(server.url, CREDENTIAL, { limits: { maxServerDelayMs: 100 } });
    await using _ = watching.client.subscribe('stations');
    await expect
      .poll(() => server.conversations[0]?.received.filter(({ type }) => type === 'subscribe').length)
      .toBeGreaterThan(3);
  });
});
