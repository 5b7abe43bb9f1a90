import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { connect, MemoryStateStore, type StateStore } from 'rostack-client';
import { SqliteStateStore } from 'rostack-client/node';
import { parallelSnapshot, type SnapshotProgress } from 'rostack-client/snapshot';
import { openStore, type Store } from 'rostack-store';
import { seededNumbers } from 'test-support/seeded-random';
import { temporaryFolder } from 'test-support/temporary-folder';
import { testRuns } from 'test-support/test-runs';
import { describe, expect, test } from 'vitest';
import { take } from './support/collect.ts';
import { defineObservatory, type Station, station } from './support/observatory.ts';
import { TestGateway, type TestGatewayOptions } from './support/test-gateway.ts';

const implementation = defineObservatory('https://localhost');
const POSTGRES_URL = process.env['TEST_POSTGRES_URL'] ?? 'postgres://root@127.0.0.1:5432/test';

const DATABASES = {
  SQLite: async () => openStore({ url: 'sqlite::memory:', implementation }),
  /** In a schema of its own, which goes away with it. */
  PostgreSQL: async (): Promise<Store> => {
    const schema = `snapshot_${process.pid}_${Date.now()}`;
    const store = await openStore({ url: POSTGRES_URL, schema, implementation });
    const close = store[Symbol.asyncDispose].bind(store);
    return Object.assign(store, {
      [Symbol.asyncDispose]: async () => {
        await close();
        const client = new pg.Client({ connectionString: POSTGRES_URL });
        await client.connect();
        await client.query(`DROP SCHEMA ${schema} CASCADE`);
        await client.end();
      },
    });
  },
};

/** What the process that is killed does: requests, and calls of the store. From one of them on, nothing is done any more. */
class Steps {
  readonly #ending = new AbortController();
  #left: number;
  #jitterMs: () => number;

  constructor(left = Number.POSITIVE_INFINITY, jitterMs = () => 0) {
    this.#left = left;
    this.#jitterMs = jitterMs;
  }

  get isKilled(): boolean {
    return this.#ending.signal.aborted;
  }

  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  readonly fetch: typeof fetch = async (input, init) => {
    const { signal } = init ?? {};
    this.#take();
    await delay(this.#jitterMs());
    signal?.throwIfAborted();
    return fetch(input, init);
  };

  store(store: StateStore): StateStore {
    const step = async <R>(call: () => Promise<R>): Promise<R> => {
      this.#take();
      return call();
    };
    return {
      load: (...given) => step(() => store.load(...given)),
      replace: (...given) => step(() => store.replace(...given)),
      update: (...given) => step(() => store.update(...given)),
      remove: (...given) => step(() => store.remove(...given)),
    };
  }

  #take(): void {
    this.#left -= 1;
    if (this.#left < 0) this.#ending.abort(new Error('killed'));
    this.#ending.signal.throwIfAborted();
  }
}

/** A gateway, and every state that its stations have had. */
async function openWorld(
  store: Store,
  random: () => number,
  count: number,
  options: TestGatewayOptions = {},
): Promise<World> {
  const gateway = await TestGateway.start({ store, maxPageSize: 5, ...options });
  const held = new Map<string, Station>();
  const pick = (most: number) => Math.floor(random() * most);
  const one = (number: number) =>
    station(number, { altitude: pick(40), name: `name ${String(pick(900)).padStart(3, '0')}` });
  for (let number = 0; number < count; number += 1) {
    const made = one(number * 2);
    held.set(made.id, made);
  }
  await gateway.put('stations', ...held.values());
  const past = new Set<string>();
  const remember = () => {
    past.add(textOf(held.values()));
    past.add(`low ${textOf([...held.values()].filter(({ altitude }) => altitude < 20))}`);
  };
  remember();
  const { token } = gateway.token();
  return {
    gateway,
    past,
    held,
    token,
    async write() {
      const made = one(pick(count * 2));
      if (random() < 0.3) held.delete(made.id);
      else held.set(made.id, made);
      // Before it is written: a client may see it at once.
      remember();
      if (held.has(made.id)) await gateway.put('stations', made);
      else await gateway.remove('stations', made.id);
    },
    [Symbol.asyncDispose]: async () => {
      await gateway[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
    },
  };
}

/** Which records of a world make up the second half of its past. */
const LOW = { '/altitude': { lt: 20 } };

interface World extends AsyncDisposable {
  readonly gateway: TestGateway;
  readonly past: ReadonlySet<string>;
  readonly held: ReadonlyMap<string, Station>;
  readonly token: string;
  write(): Promise<void>;
}

const textOf = (stations: Iterable<Station>): string =>
  JSON.stringify(
    [...stations].map(({ id, name, altitude }) => [id, name, altitude]).sort((a, b) => (a < b ? -1 : 1)),
  );

interface Attempt {
  readonly by?: string;
  readonly ranges?: number;
  readonly filter?: typeof LOW;
  readonly onProgress?: (progress: SnapshotProgress) => void;
}

interface Found {
  readonly reason: string;
  /** What the first change held. */
  readonly snapshot: string;
  /** What the set held when it was live. */
  readonly live: string;
}

/** Follows until the set is live. @returns undefined when it was killed before */
async function attempt(
  world: World,
  store: StateStore,
  steps: Steps,
  { filter, ...options }: Attempt,
): Promise<Found | undefined> {
  try {
    await using client = await connect(
      world.gateway.url,
      { method: 'shared_token', token: world.token },
      { fetch: steps.fetch, bookmarkAfterMs: 0, signal: steps.signal },
    );
    await using follow = client.follow<Station>('stations', {
      store: steps.store(store),
      snapshot: parallelSnapshot(options),
      ...(filter && { filter }),
    });
    const [change] = await take(follow, 1);
    if (change?.kind !== 'snapshot') throw new Error(`the first change is ${change?.kind}`);
    const text = (records: ReadonlyMap<string, Station>) =>
      `${filter === undefined ? '' : 'low '}${textOf(records.values())}`;
    const snapshot = text(change.records);
    for (let kind = ''; kind !== 'live'; ) kind = (await take(follow, 1))[0]?.kind ?? '';
    return { snapshot, reason: change.reason, live: text(follow.records) };
  } catch (error) {
    if (steps.isKilled) return undefined;
    throw error;
  }
}

describe.each(Object.entries(DATABASES))('a snapshot in ranges, of a gateway on %s', (name, open) => {
  test('is the list at one position of the log, whatever is written and whoever is killed meanwhile', {
    timeout: 180_000,
  }, async () => {
    const random = seededNumbers();
    const seeds = testRuns(name === 'SQLite' ? 2 : 1);
    for (let seed = 0; seed < seeds; seed += 1) {
      await using world = await openWorld(await open(), random, 150);
      const stop = new AbortController();
      const writing = (async () => {
        while (!stop.signal.aborted) {
          await world.write();
          await delay(random() * 6);
        }
      })();
      const variants: readonly Attempt[] = [
        { by: '/name', ranges: 4 },
        { by: '/altitude', ranges: 3 },
        { by: '/altitude', filter: LOW },
        { ranges: 16 },
        { ranges: 1 },
      ];
      const reading = Promise.all(
        variants.map(async (variant) => {
          const store = new MemoryStateStore();
          for (let kills = 0; ; kills += 1) {
            const left = kills < 6 ? Math.floor(random() * 60) : Number.POSITIVE_INFINITY;
            const found = await attempt(world, store, new Steps(left, () => random() * 8), variant);
            if (found === undefined) continue;
            const text = JSON.stringify(variant);
            expect(world.past.has(found.snapshot), `${text} never was the list`).toBe(true);
            expect(world.past.has(found.live), `${text} never was the list, live`).toBe(true);
            return;
          }
        }),
      );
      await reading.finally(() => stop.abort());
      await writing;
    }
  });
});

test('is gone on with after a kill at any step, from what is in the file', {
  timeout: 180_000,
}, async () => {
  const random = seededNumbers();
  await using folder = await temporaryFolder();
  await using world = await openWorld(await DATABASES.SQLite(), random, 150);
  const options: Attempt = { by: '/name', ranges: 3 };
  // With `TEST_RUNS=8` every step.
  const stride = Math.max(1, Math.round(8 / testRuns(1)));
  let mostKept = 0;
  for (let step = 1 + Math.floor(random() * stride); ; step += stride) {
    const path = `${folder.path}/${step}.db`;
    {
      await using store = new SqliteStateStore(path);
      const found = await attempt(world, store, new Steps(step), options);
      if (found !== undefined) break;
    }
    for (let writes = 0; writes < 3; writes += 1) await world.write();
    await using store = new SqliteStateStore(path);
    const kept = Array.from((await store.load('stations~all~snapshot'))?.records ?? []).length;
    const told: SnapshotProgress[] = [];
    const onProgress = (progress: SnapshotProgress) => void told.push(progress);
    const found = await attempt(world, store, new Steps(), { ...options, onProgress });
    expect(world.past.has(found?.snapshot ?? ''), `killed at step ${step}`).toBe(true);
    expect(found?.live === textOf(world.held.values()), `live, killed at step ${step}`).toBe(true);
    // Of each page that is read the progress is told: what was kept is not read again.
    const [first] = told;
    if (kept > 1 && first !== undefined) mostKept = Math.max(mostKept, first.records);
    for (const key of ['stations~all~snapshot', 'stations~all~snapshot-0']) {
      expect(await store.load(key)).toBeUndefined();
    }
  }
  expect(mostKept).toBeGreaterThan(75);
});

test('a part that a lagging node gave is found out, and read again', async () => {
  const random = seededNumbers();
  await using world = await openWorld(await DATABASES.SQLite(), random, 60);
  let stale: Response | undefined;
  const steps = new Steps();
  const lagging: typeof fetch = async (input, init) => {
    const url = new Request(input).url;
    if (stale === undefined && url.includes('sort=-')) {
      // The chain that follows is answered as of now; the position that it has to be as new as comes after the writes.
      stale = await fetch(url.replace('sort=-', 'sort=').replace('limit=1', 'limit=5'), init);
      for (let writes = 0; writes < 20; writes += 1) await world.write();
    } else if (stale?.url === url && !stale.bodyUsed) {
      return stale;
    }
    return fetch(input, init);
  };
  const found = await attempt(world, new MemoryStateStore(), Object.assign(steps, { fetch: lagging }), {
    by: '/name',
  });
  expect(stale?.bodyUsed).toBe(true);
  expect(found?.snapshot === textOf(world.held.values())).toBe(true);
});

test.for([
  [60, undefined],
  [59, 'invalid_response'],
] as const)('60 records with equal values, of at most %i', async ([maxSnapshotRecords, code]) => {
  await using gateway = await TestGateway.start({ maxPageSize: 5 });
  const stations = Array.from({ length: 60 }, (_, number) => station(number, { altitude: number % 9 }));
  await gateway.put('stations', ...stations);
  await using client = await connect(
    gateway.url,
    { method: 'shared_token', token: gateway.token().token },
    { limits: { maxSnapshotRecords } },
  );
  const read: number[] = [];
  await using follow = client.follow<Station>('stations', {
    snapshot: parallelSnapshot({ by: '/altitude', onProgress: ({ records }) => void read.push(records) }),
  });
  const failure = await take(follow, 2).then(
    () => undefined,
    (error: { readonly code: string }) => error.code,
  );
  expect(failure).toBe(code);
  expect(follow.records.size).toBe(code === undefined ? 60 : 0);
  // Those with the values at which ranges were cut came twice.
  expect(read.at(-1)).toBeGreaterThan(60);
});

test('without a store a reading goes on after a failure, from what it had', async () => {
  await using gateway = await TestGateway.start({ maxPageSize: 5 });
  await gateway.put('stations', ...Array.from({ length: 150 }, (_, number) => station(number)));
  let pages = 0;
  const failing: typeof fetch = async (input, init) => {
    if (/limit=5/.test(new Request(input).url)) pages += 1;
    if (pages === 25) throw new TypeError('the network is away');
    return fetch(input, init);
  };
  await using client = await connect(
    gateway.url,
    { method: 'shared_token', token: gateway.token().token },
    { fetch: failing, limits: { maxAttempts: 1 }, random: () => 0 },
  );
  const read: number[] = [];
  const waits: number[] = [];
  await using follow = client.follow<Station>('stations', {
    snapshot: parallelSnapshot({ ranges: 1, onProgress: ({ records }) => void read.push(records) }),
    onWaiting: () => void waits.push(read.length),
  });
  const [change] = await take(follow, 1);
  expect(change?.kind === 'snapshot' && change.records.size).toBe(150);
  expect(waits).toHaveLength(1);
  // The last value that was read is read again: others may have it too.
  expect(read[waits[0] ?? 0]).toBeGreaterThan(100);
  expect(read.length).toBeLessThan(35);
});

test('where there is no field for ranges, or the server takes none, one chain is read', async () => {
  await using gateway = await TestGateway.start({ maxPageSize: 5 });
  const memos = Array.from({ length: 12 }, (_, number) => ({ id: `memo-${number}`, text: `text ${number}` }));
  await gateway.put('memos', ...memos);
  await gateway.put('stations', ...Array.from({ length: 12 }, (_, number) => station(number)));
  const refusing: typeof fetch = async (input, init) => {
    const url = new Request(input).url;
    return fetch(url.includes('filter=') ? url.replace('gte', 'gtf') : url, init);
  };
  await using client = await connect(
    gateway.url,
    { method: 'shared_token', token: gateway.token().token },
    { fetch: refusing },
  );
  const store = new MemoryStateStore();
  const counts = async (resource: string, by?: string): Promise<readonly (number | undefined)[]> => {
    const told: SnapshotProgress[] = [];
    const onProgress = (progress: SnapshotProgress) => void told.push(progress);
    const snapshot = parallelSnapshot({ onProgress, ...(by === undefined ? {} : { by }) });
    await using follow = client.follow(resource, { store, snapshot, key: `${resource}${by}` });
    await take(follow, 2);
    expect(follow.records.size).toBe(12);
    return [told.at(-1)?.records, told.at(-1)?.estimatedRecords];
  };
  expect(await counts('memos')).toEqual([12, undefined]);
  expect(await counts('stations', '/region')).toEqual([12, undefined]);
  expect(await counts('stations')).toEqual([12, undefined]);
  expect(gateway.requests.some((path) => path.includes('gtf'))).toBe(true);
  expect(() => parallelSnapshot({ ranges: 17 })).toThrow(
    expect.objectContaining({ code: 'invalid_options' }),
  );
});
