import { setTimeout as wait } from 'node:timers/promises';
import {
  type ClientOptions,
  connect,
  type Follow,
  type FollowChange,
  MemoryStateStore,
} from 'rostack-client';
import { FaultProxy } from 'test-support/fault-proxy';
import { describe, expect, test, vi } from 'vitest';
import { isLive, take } from './support/collect.ts';
import { JumpingClock } from './support/jumping-clock.ts';
import { type Station, station } from './support/observatory.ts';
import { TestGateway } from './support/test-gateway.ts';

/** A gateway is told the proxy's port before it has its own. */
const NOWHERE = { host: 'localhost', port: 9 };

const AFTER_MS = 600_000;
const HIGH = { '/altitude': { gte: 500 } };
const high = (number: number): Station => station(number, { altitude: 900 });

const connectTo = (gateway: TestGateway, options: ClientOptions) =>
  connect(
    gateway.url,
    { method: 'shared_token', token: gateway.token().token },
    { bookmarkAfterMs: AFTER_MS, ...options },
  );

/** Whether a list asks for one record. */
const asksForOne = (url: string): boolean => /[?&]limit=1(&|$)/.test(url);

const urlOf = (input: string | URL | Request): string =>
  input instanceof Request ? input.url : String(input);

const listsOf = (gateway: TestGateway): number => gateway.requests.filter(asksForOne).length;

/** Lets time pass, as often as it takes: the connection may be away. */
async function passUntil(clock: JumpingClock, holds: () => boolean): Promise<void> {
  while (!holds()) {
    clock.jump(AFTER_MS);
    for (let waits = 0; waits < 25 && !holds(); waits += 1) await wait(20);
  }
}

/** Iterates a follow in the background; what it tells is at hand. */
function collect(follow: Follow<Station>): FollowChange<Station>[] {
  const changes: FollowChange<Station>[] = [];
  void follow.run((change) => void changes.push(change)).catch(() => {});
  return changes;
}

const isNew = ({ kind }: FollowChange<unknown>): boolean => kind !== 'live';

describe('a follow whose filter matches nothing for long', () => {
  test('needs no new snapshot in ten retentions, though the connection is lost again and again', async () => {
    const clock = new JumpingClock();
    await using proxy = await FaultProxy.start(NOWHERE);
    await using gateway = await TestGateway.start({
      advertisedPort: proxy.port,
      retention: { maxChanges: 20, intervalMs: 0 },
    });
    proxy.leadTo({ host: 'localhost', port: gateway.port });
    await gateway.put('stations', high(0));
    await using client = await connectTo(gateway, { clock });
    await using without = await connectTo(gateway, { clock, bookmarkAfterMs: 0 });
    const store = new MemoryStateStore();
    await using follow = client.follow<Station>('stations', { filter: HIGH, store });
    await using aging = without.follow<Station>('stations', { filter: HIGH });
    const changes = collect(follow);
    const others = collect(aging);
    await vi.waitFor(() =>
      expect([changes.at(-1), others.at(-1)]).toEqual([{ kind: 'live' }, { kind: 'live' }]),
    );
    for (let half = 0; half < 20; half += 1) {
      for (let number = 1; number <= 10; number += 1) {
        await gateway.put('stations', station(number, { name: `in half ${half}`, altitude: number }));
      }
      const before = follow.cursor;
      await passUntil(clock, () => follow.cursor !== before);
      await gateway.store.prune();
      expect((await store.load(follow.key ?? ''))?.cursor).toBe(follow.cursor);
      if (half % 3 === 0) proxy.cut();
    }
    await gateway.put('stations', high(99));
    await vi.waitFor(() => expect(changes.at(-1)).toMatchObject({ kind: 'created', id: high(99).id }));
    expect(changes.filter(isNew)).toMatchObject([
      { kind: 'snapshot', reason: 'initial' },
      { kind: 'created', id: high(99).id },
    ]);
    expect(changes.filter(isLive).length).toBeGreaterThan(3);
    expect(others).toContainEqual(expect.objectContaining({ kind: 'snapshot', reason: 'replaced' }));
  });

  test('is told once what comes before the list, or between the list and the replay, and is still on its way', async () => {
    const clock = new JumpingClock();
    await using gateway = await TestGateway.start();
    let isHeld = false;
    /** Its connection may break before the events of the follow arrive. */
    class HoldingWebSocket extends WebSocket {
      override addEventListener(type: string, listener: unknown): void {
        super.addEventListener(type, (event: Event) => {
          const text = event instanceof MessageEvent ? String(event.data) : '';
          if (!isHeld || !text.startsWith('["e","s1",')) (listener as (event: Event) => void)(event);
        });
      }
    }
    const writing: typeof fetch = async (input, init) => {
      if (!isHeld || !asksForOne(urlOf(input))) return fetch(input, init);
      await gateway.put('stations', high(gateway.requests.length), station(1, { altitude: 1 }));
      const response = await fetch(input, init);
      await gateway.put('stations', high(gateway.requests.length));
      return response;
    };
    await using client = await connectTo(gateway, { clock, fetch: writing, WebSocket: HoldingWebSocket });
    const follow = client.follow<Station>('stations', { filter: HIGH });
    const changes = collect(follow);
    await vi.waitFor(() => expect(changes.at(-1)).toEqual({ kind: 'live' }));
    const before = follow.cursor;
    isHeld = true;
    // A list is only asked for once the bookmark of the one before is decided on: this makes three that were not taken.
    await passUntil(clock, () => listsOf(gateway) >= 4);
    expect(follow.cursor).toBe(before);
    // What was asked for three checks is left again, though events came in between.
    await vi.waitFor(() => expect(gateway.gateway.status.subscriptions).toBe(1));
    // Before the events arrive again: of one that was dropped here, a check would see nothing.
    await gateway.down();
    isHeld = false;
    await gateway.up();
    await gateway.put('stations', high(900));
    const idsCreated = () => changes.flatMap((change) => (change.kind === 'created' ? [change.id] : []));
    await vi.waitFor(() => expect(idsCreated()).toContain(high(900).id));
    const created = idsCreated();
    expect(created.length).toBeGreaterThan(6);
    expect(created).toEqual([...new Set(created)]);
    const ids: string[] = [];
    for await (const { id } of client.list<Station>('stations', { filter: HIGH })) ids.push(id);
    expect([...created].sort()).toEqual(ids.sort());
  });

  test('that ends between the bookmark and the end of the replay goes on from the old cursor', async () => {
    const clock = new JumpingClock();
    await using gateway = await TestGateway.start();
    const replays: string[] = [];
    /** What the third replay of a check asks for does not arrive. */
    class WebSocketWithoutReplays extends WebSocket {
      override send(data: string): void {
        const message = JSON.parse(data) as { readonly type: string; readonly subscription_id?: string };
        if (message.type === 'subscribe' && message.subscription_id?.endsWith('-3')) replays.push(data);
        else super.send(data);
      }
    }
    const crashing = await connectTo(gateway, { clock, WebSocket: WebSocketWithoutReplays });
    const store = new MemoryStateStore();
    const follow = crashing.follow<Station>('stations', { filter: HIGH, store });
    const changes = collect(follow);
    await vi.waitFor(() => expect(changes.at(-1)).toEqual({ kind: 'live' }));
    const before = follow.cursor;
    await gateway.put('stations', station(1, { altitude: 1 }));
    await passUntil(clock, () => replays.length > 0);
    await crashing.close();
    expect(follow.cursor).toBe(before);
    expect((await store.load(follow.key ?? ''))?.cursor).toBe(before);

    await gateway.put('stations', high(2));
    await using client = await connectTo(gateway, {});
    await using again = client.follow<Station>('stations', { filter: HIGH, store });
    expect(await take(again, 3)).toMatchObject([
      { kind: 'snapshot', reason: 'restored', cursor: before },
      { kind: 'created', id: high(2).id },
      { kind: 'live' },
    ]);
  });

  test('goes on as it was when the gateway does not know the bookmark', async () => {
    const clock = new JumpingClock();
    await using gateway = await TestGateway.start();
    await using elsewhere = await TestGateway.start({ tokens: gateway.tokens });
    await elsewhere.put('stations', station(1));
    let isAstray = true;
    const astray: typeof fetch = (input, init) =>
      fetch(
        isAstray && asksForOne(urlOf(input)) ? urlOf(input).replace(gateway.url, elsewhere.url) : input,
        init,
      );
    await using client = await connectTo(gateway, { clock, fetch: astray });
    const follow = client.follow<Station>('stations', { filter: HIGH });
    const changes = collect(follow);
    await vi.waitFor(() => expect(changes.at(-1)).toEqual({ kind: 'live' }));
    const before = follow.cursor;
    await gateway.put('stations', station(1, { altitude: 1 }));
    await passUntil(clock, () => listsOf(elsewhere) >= 2);
    expect(follow.cursor).toBe(before);
    isAstray = false;
    await passUntil(clock, () => follow.cursor !== before);
    await gateway.put('stations', high(2));
    await vi.waitFor(() => expect(changes.at(-1)).toMatchObject({ kind: 'created' }));
    expect(changes.filter(isNew)).toHaveLength(2);
  });

  test('outlives bookmarks that fail', async () => {
    const clock = new JumpingClock();
    await using gateway = await TestGateway.start();
    let failures = 0;
    const failing: typeof fetch = async (input, init) => {
      if (failures < 8 && asksForOne(urlOf(input))) {
        failures += 1;
        throw new TypeError('no network');
      }
      return fetch(input, init);
    };
    await using client = await connectTo(gateway, { clock, fetch: failing });
    const follow = client.follow<Station>('stations', { filter: HIGH });
    const changes = collect(follow);
    await vi.waitFor(() => expect(changes.at(-1)).toEqual({ kind: 'live' }));
    const before = follow.cursor;
    await gateway.put('stations', station(1, { altitude: 1 }));
    await passUntil(clock, () => follow.cursor !== before);
    expect(failures).toBe(8);
    expect(changes.filter(isNew)).toHaveLength(1);
  });
});

describe('a subscription', () => {
  test('is given bookmarks, and the cursor to go on from moves with them', async () => {
    const clock = new JumpingClock();
    await using gateway = await TestGateway.start();
    await gateway.put('stations', high(1));
    await using client = await connectTo(gateway, { clock });
    const list = client.list('stations');
    for await (const _ of list) continue;
    await using subscription = client.subscribe('stations', { filter: HIGH, cursor: list.eventCursor ?? '' });
    expect(await subscription.next()).toMatchObject({ value: { kind: 'caught_up' } });
    const next = subscription.next();
    await gateway.put('stations', station(2, { altitude: 1 }));
    await passUntil(clock, () => listsOf(gateway) > 0);
    const { value } = await next;
    if (value?.kind !== 'bookmark') throw new Error('no bookmark');
    // The check was on the same connection, with subscriptions of its own.
    await vi.waitFor(() => expect(gateway.gateway.status.subscriptions).toBe(1));
    await gateway.put('stations', high(3));
    expect(await subscription.next()).toMatchObject({ value: { kind: 'event', resourceId: high(3).id } });
    expect(subscription.cursor).toBe(value.cursor);
  });

  test('without the right to read goes on without bookmarks', async () => {
    const clock = new JumpingClock();
    await using gateway = await TestGateway.start();
    await using client = await connectTo(gateway, { clock });
    await using subscription = client.subscribe('notices', { filter: { '/text': { starts_with: 'a' } } });
    expect(await subscription.next()).toMatchObject({ value: { kind: 'caught_up' } });
    await gateway.put('notices', { id: '1', text: 'a' });
    expect(await subscription.next()).toMatchObject({ value: { kind: 'event', resourceId: '1' } });
    const next = subscription.next();
    await gateway.put('notices', { id: '2', text: 'b' });
    await passUntil(clock, () => listsOf(gateway) >= 2);
    await gateway.put('notices', { id: '3', text: 'a' });
    expect(await next).toMatchObject({ value: { kind: 'event', resourceId: '3' } });
  });
});
