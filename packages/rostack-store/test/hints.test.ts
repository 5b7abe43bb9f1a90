import * as fc from 'fast-check';
import type { Change, RecordSource } from 'rostack-core';
import { createNatsHintBus } from 'rostack-store/nats';
import { FaultProxy } from 'test-support/fault-proxy';
import { describeNats, NATS_URL, randomSubject } from 'test-support/nats';
import { describePostgres, POSTGRES_URL } from 'test-support/postgres';
import { describe, expect, test, vi } from 'vitest';
import { openStore, type Store, type StoreAlarm } from '../src/index.ts';
import { describeBoth, postgres, type TestDatabase } from './support/databases.ts';
import { readToHead } from './support/log-states.ts';
import { put, stations } from './support/stations.ts';
import { type Fate, UnreliableBus } from './support/unreliable-bus.ts';

const resources = [stations];

const fate: fc.Arbitrary<Fate> = fc.oneof(
  fc.record({ kind: fc.constantFrom('arrives', 'lost', 'doubled', 'nameless', 'mistaken') }),
  fc.record({ kind: fc.constant('late'), byMs: fc.integer({ min: 1, max: 60 }) }),
);

/** Reads the log whenever the source says that it may have moved, and at no other time. */
function follow(source: RecordSource): { readonly changes: readonly Change[]; stop(): Promise<void> } {
  const changes: Change[] = [];
  let reading: Promise<void> | undefined;
  let isAsked = false;
  const read = async () => {
    while (isAsked) {
      isAsked = false;
      changes.push(...(await source.read(changes.at(-1)?.position ?? 0, 100)));
    }
    reading = undefined;
  };
  const unwatch = source.watch(() => {
    isAsked = true;
    reading ??= read();
  });
  return {
    changes,
    stop: async () => {
      unwatch();
      await reading;
    },
  };
}

describeBoth('a hint bus', (create) => {
  test('may lose, double, delay and invent hints: followers of other stores see every change once, in order', {
    timeout: 300_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fate, { minLength: 1, maxLength: 12 }), async (fates) => {
        await using database = create();
        const hints = new UnreliableBus(fates);
        const options = { resources, hints, pollIntervalMs: 50, maxConnections: 3 };
        await using first = await database.open(options);
        await using second = await database.open(options);
        const stores = [first, second];
        const followers = stores.map((store) => follow(store.source('stations')));
        await Promise.all(
          stores.map(async (store, writer) => {
            for (let round = 0; round < 8; round += 1) {
              await store.apply([put({ id: `s${round % 3}`, height: writer * 100 + round })]);
            }
          }),
        );
        const log = await readToHead(first.source('stations'), 0);
        await vi.waitFor(() => {
          for (const { changes } of followers) expect(changes).toHaveLength(log.length);
        });
        for (const follower of followers) {
          await follower.stop();
          expect(follower.changes).toEqual(log);
        }
        expect(hints.listenerCount).toBe(0);
      }),
      { numRuns: 12 },
    );
  });
});

/** Writes until the watcher of another store hears of it. */
async function untilHeard(writer: Store, moved: ReturnType<typeof vi.fn>): Promise<void> {
  await vi.waitFor(async () => {
    moved.mockClear();
    await writer.apply([put({ id: 'heard', height: performance.now() })]);
    // Where the hint was lost, another one is sent.
    await vi.waitFor(() => expect(moved).toHaveBeenCalled(), { timeout: 200 });
  });
}

async function openWithNats(database: TestDatabase, server: string, subject: string) {
  const alarms: StoreAlarm[] = [];
  const hints = createNatsHintBus({ servers: [server], subject });
  const store = await database.open({
    resources,
    hints,
    // Polling cannot be what tells of a change.
    pollIntervalMs: 600_000,
    onAlarm: (alarm) => alarms.push(alarm),
  });
  return {
    alarms,
    store,
    async [Symbol.asyncDispose]() {
      await store.close();
      await hints.close();
    },
  };
}

describePostgres('PostgreSQL with hints over NATS_URL', () => {
  describeNats('a NATS_URL server', () => {
    test('carries hints from store to store', async () => {
      await using database = postgres();
      const subject = randomSubject();
      await using writer = await openWithNats(database, NATS_URL.host, subject);
      await using reader = await openWithNats(database, NATS_URL.host, subject);
      const moved = vi.fn<() => void>();
      reader.store.source('stations').watch(moved);
      await untilHeard(writer.store, moved);
      expect(writer.alarms).toEqual([]);
    });

    test('another subject is another set of stores', async () => {
      await using database = postgres();
      const subject = randomSubject();
      await using writer = await openWithNats(database, NATS_URL.host, subject);
      await using stranger = await openWithNats(database, NATS_URL.host, randomSubject());
      await using reader = await openWithNats(database, NATS_URL.host, subject);
      const strangers = vi.fn<() => void>();
      const moved = vi.fn<() => void>();
      stranger.store.source('stations').watch(strangers);
      reader.store.source('stations').watch(moved);
      await untilHeard(writer.store, moved);
      strangers.mockClear();
      await untilHeard(writer.store, moved);
      expect(strangers).not.toHaveBeenCalled();
    });

    test('may be lost and come back: stores go on, raise an alarm and hear again', async () => {
      await using database = postgres();
      await using proxy = await FaultProxy.start({
        host: NATS_URL.hostname,
        port: Number(NATS_URL.port || 4222),
      });
      const subject = randomSubject();
      await using writer = await openWithNats(database, NATS_URL.host, subject);
      await using reader = await openWithNats(database, `127.0.0.1:${proxy.port}`, subject);
      const moved = vi.fn<() => void>();
      reader.store.source('stations').watch(moved);
      await untilHeard(writer.store, moved);
      proxy.refuse(true);
      proxy.cut();
      await vi.waitFor(() => expect(reader.alarms[0]).toMatchObject({ code: 'watch_failed' }));
      await reader.store.apply([put({ id: 'meanwhile', height: 1 })]);
      expect(moved).toHaveBeenCalled();
      await writer.store.apply([put({ id: 'unheard', height: 1 })]);
      moved.mockClear();
      proxy.refuse(false);
      // What was missed is looked at, without another hint.
      await vi.waitFor(() => expect(moved).toHaveBeenCalled());
      await untilHeard(writer.store, moved);
    });

    test('may be missing at the start and come later', async () => {
      await using database = postgres();
      await using proxy = await FaultProxy.start({
        host: NATS_URL.hostname,
        port: Number(NATS_URL.port || 4222),
      });
      proxy.refuse(true);
      proxy.cut();
      const subject = randomSubject();
      await using writer = await openWithNats(database, NATS_URL.host, subject);
      await using reader = await openWithNats(database, `127.0.0.1:${proxy.port}`, subject);
      const moved = vi.fn<() => void>();
      reader.store.source('stations').watch(moved);
      await reader.store.apply([put({ id: 'a', height: 1 })]);
      expect(moved).toHaveBeenCalledOnce();
      proxy.refuse(false);
      await untilHeard(writer.store, moved);
    });
  });

  describe('without a NATS_URL server', () => {
    test('other stores are heard of by polling, and closing does not wait for a server', async () => {
      await using database = postgres();
      const hints = createNatsHintBus({ servers: ['127.0.0.1:1'] });
      await using writer = await database.open({ resources });
      const reader = await database.open({ resources, hints, pollIntervalMs: 50 });
      const follower = follow(reader.source('stations'));
      await writer.apply([put({ id: 'a', height: 1 })]);
      await vi.waitFor(() => expect(follower.changes).toHaveLength(1));
      await follower.stop();
      await reader.close();
      await hints.close();
    });
  });
});

describePostgres('PostgreSQL with its own hints', () => {
  test('what was written while nobody listened is looked at once somebody does again', async () => {
    const { hostname, port } = new URL(POSTGRES_URL);
    await using proxy = await FaultProxy.start({ host: hostname, port: Number(port || 5432) });
    await using database = postgres();
    const way = new URL(database.url);
    way.hostname = '127.0.0.1';
    way.port = String(proxy.port);
    const alarms: StoreAlarm[] = [];
    await using writer = await database.open({ resources });
    await using reader = await openStore({
      url: way.href,
      schema: database.schema,
      resources,
      // Polling cannot be what tells of a change.
      pollIntervalMs: 600_000,
      onAlarm: (alarm) => alarms.push(alarm),
    });
    const moved = vi.fn<() => void>();
    reader.source('stations').watch(moved);
    await untilHeard(writer, moved);
    proxy.refuse(true);
    proxy.cut();
    await vi.waitFor(() => expect(alarms[0]).toMatchObject({ code: 'watch_failed' }));
    await writer.apply([put({ id: 'unheard', height: 1 })]);
    moved.mockClear();
    proxy.refuse(false);
    await vi.waitFor(() => expect(moved).toHaveBeenCalled(), { timeout: 60_000 });
  });
});
