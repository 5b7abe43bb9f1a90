import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  connect,
  type FollowOptions,
  MemoryStateStore,
  type RostackClient,
  type StateStore,
} from 'rostack-client';
import { SqliteStateStore } from 'rostack-client/node';
import { temporaryFolder } from 'test-support/temporary-folder';
import { describe, expect, test } from 'vitest';
import { idsOf, isLive, take, takeUntil } from './support/collect.ts';
import { type Station, station } from './support/observatory.ts';
import { TestGateway } from './support/test-gateway.ts';
import { trustingEnvironment } from './support/trust.ts';

const FOLLOWER = fileURLToPath(new URL('./support/follower.ts', import.meta.url));
const inUse = { code: 'invalid_options', retryable: false, message: expect.stringContaining('in use') };
const LOW = { '/altitude': { lt: 500 } };
const HIGH = { '/altitude': { gte: 500 } };

const connected = (gateway: TestGateway): Promise<RostackClient> =>
  connect(gateway.url, { method: 'shared_token', token: gateway.token().token });

const storedIds = async (store: StateStore, key: string): Promise<string[]> =>
  Array.from((await store.load(key))?.records ?? [], ({ id }) => id).sort();

const kinds: readonly [string, (path: string) => StateStore & Partial<AsyncDisposable>][] = [
  ['in memory', () => new MemoryStateStore()],
  ['on disk', (path) => new SqliteStateStore(path)],
];

describe.for(kinds)('follows over one state store %s', ([, open]) => {
  async function withStore(
    use: (store: StateStore, gateway: TestGateway, client: RostackClient) => Promise<void>,
  ): Promise<void> {
    await using folder = await temporaryFolder();
    await using gateway = await TestGateway.start();
    await gateway.put('stations', station(1, { altitude: 1 }), station(2, { altitude: 900 }));
    const store = open(join(folder.path, 'states.db'));
    {
      await using client = await connected(gateway);
      await use(store, gateway, client);
    }
    await store[Symbol.asyncDispose]?.();
  }

  test('with different filters keep their states apart, and each goes on from its own', () =>
    withStore(async (store, gateway, client) => {
      const filters = [undefined, LOW, HIGH] as const;
      const start = () =>
        filters.map((filter) => client.follow<Station>('stations', { store, ...(filter && { filter }) }));
      const first = start();
      expect(first.map(({ key }) => key)).toEqual(['stations~all', undefined, undefined]);
      for (const follow of first) await takeUntil(follow, isLive);
      expect(new Set(first.map(({ key }) => key)).size).toBe(3);
      await gateway.put('stations', station(3, { altitude: 2 }), station(4, { altitude: 901 }));
      for (const [index, follow] of first.entries()) {
        await take(follow, index === 0 ? 2 : 1);
        // To ask for the next change says that these are processed.
        const asked = follow.next();
        await expect.poll(() => storedIds(store, follow.key ?? '')).toHaveLength(index === 0 ? 4 : 2);
        await follow.return();
        await asked;
      }
      for (const [index, follow] of start().entries()) {
        const [snapshot] = await take(follow, 1);
        expect(snapshot).toMatchObject({ kind: 'snapshot', reason: 'restored' });
        const high = index !== 1 ? [station(2).id, station(4).id] : [];
        const low = index !== 2 ? [station(1).id, station(3).id] : [];
        expect([...follow.records.keys()].sort()).toEqual([...low, ...high].sort());
        await follow.return();
      }
    }));

  test('with one key: the second is refused, the first goes on', () =>
    withStore(async (store, gateway, client) => {
      const filter = { $and: [{ '/altitude': { gte: 500 } }, { '/region': { in: ['seoul', '제주'] } }] };
      const same = { '/region': { in: ['제주', 'seoul', 'seoul'] }, '/altitude': { gte: 500 } };
      await using first = client.follow<Station>('stations', { store, filter });
      await takeUntil(first, isLive);
      await using second = client.follow<Station>('stations', { store, filter: same });
      await expect(second.next()).rejects.toMatchObject(inUse);
      expect(second.key).toBe(first.key);
      await gateway.put('stations', station(5, { altitude: 999, region: 'seoul' }));
      expect(idsOf(await take(first, 1))).toEqual([station(5).id]);
    }));

  test.for<[string, (client: RostackClient, follow: { close(): void }, abort: AbortController) => unknown]>([
    ['it is closed', (_, follow) => follow.close()],
    ['its client is closed', (client) => client.close()],
    ['its signal is aborted', (_, __, abort) => abort.abort()],
  ])('leave the key free when one ends, even if nobody asks it again: %s', ([, end]) =>
    withStore(async (store, gateway) => {
      await using client = await connected(gateway);
      await using other = await connected(gateway);
      const abort = new AbortController();
      const follow = client.follow('stations', { store, signal: abort.signal });
      await takeUntil(follow, isLive);
      end(client, follow, abort);
      await using next = other.follow('stations', { store });
      expect(await take(next, 1)).toMatchObject([{ kind: 'snapshot', reason: 'restored' }]);
      // What ended writes nothing more.
      await follow.next().catch(() => {});
      await takeUntil(next, isLive);
    }),
  );

  test('leave the key free when one fails', () =>
    withStore(async (store, _, client) => {
      const schema = { safeParse: () => ({ success: false, error: { message: 'no' } }) as const };
      await expect(client.follow('stations', { store, schema }).next()).rejects.toMatchObject({
        code: 'invalid_record',
      });
      await using next = client.follow('stations', { store });
      await takeUntil(next, isLive);
    }));

  test('take over what an older release kept under the name of the resource, where it is the same set', () =>
    withStore(async (store, gateway, client) => {
      const older = client.follow('stations', { store, key: 'stations', filter: HIGH });
      await takeUntil(older, isLive);
      await older.return();
      await gateway.put('stations', station(6, { altitude: 600 }));

      await using all = client.follow('stations', { store });
      expect(await take(all, 1)).toMatchObject([{ kind: 'snapshot', reason: 'initial' }]);
      expect(await storedIds(store, 'stations')).toEqual([station(2).id]);

      const busy = client.follow('stations', { store, key: 'stations', filter: HIGH });
      await take(busy, 1);
      const meanwhile = client.follow('stations', { store, filter: HIGH });
      expect(await take(meanwhile, 1)).toMatchObject([{ kind: 'snapshot', reason: 'initial' }]);
      await meanwhile.return();
      await busy.return();
      expect(await storedIds(store, 'stations')).toEqual([station(2).id]);

      await using high = client.follow('stations', { store, filter: HIGH });
      expect(await takeUntil(high, isLive)).toMatchObject([
        { kind: 'snapshot', reason: 'restored' },
        { kind: 'created', id: station(6).id },
        { kind: 'live' },
      ]);
      expect(await store.load('stations')).toBeUndefined();
      expect(await storedIds(store, high.key ?? '')).toEqual([station(2).id, station(6).id]);
    }));

  test('leave a state of another resource under their key as it is, and say so', () =>
    withStore(async (store, _, client) => {
      const key = 'mine';
      const options: FollowOptions<never> = { store, key };
      const stations = client.follow('stations', options);
      await takeUntil(stations, isLive);
      await stations.return();
      const before = await storedIds(store, key);
      await expect(client.follow('memos', options).next()).rejects.toMatchObject({
        code: 'invalid_options',
        message: expect.stringContaining('"mine"'),
      });
      expect(await storedIds(store, key)).toEqual(before);
    }));
});

test.for(['in memory', 'on disk'] as const)(
  'a state that is removed %s while a follow writes it is read again',
  async (where) => {
    await using folder = await temporaryFolder();
    await using gateway = await TestGateway.start();
    await using client = await connected(gateway);
    await gateway.put('stations', station(1));
    await using onDisk = new SqliteStateStore(join(folder.path, 'states.db'));
    const store = where === 'on disk' ? onDisk : new MemoryStateStore();
    await using follow = client.follow('stations', { store });
    await takeUntil(follow, isLive);
    await store.remove(follow.key ?? '');
    await gateway.put('stations', station(2));
    const changes = await takeUntil(follow, isLive);
    expect(changes.map((change) => ('reason' in change ? change.reason : change.kind))).toEqual([
      'created',
      'replaced',
      'live',
    ]);
    expect(Array.from((await store.load(follow.key ?? ''))?.records ?? [], ({ id }) => id)).toEqual([
      station(1).id,
      station(2).id,
    ]);
  },
);

describe('a key of a state store on disk', () => {
  test('is refused through another store over the same file, and free once that is closed', async () => {
    await using folder = await temporaryFolder();
    await using gateway = await TestGateway.start();
    await using client = await connected(gateway);
    const path = join(folder.path, 'states.db');
    await using store = new SqliteStateStore(path);
    await using again = new SqliteStateStore(path);
    const first = client.follow('stations', { store });
    await takeUntil(first, isLive);
    await expect(client.follow('stations', { store: again }).next()).rejects.toMatchObject(inUse);
    await using another = client.follow('stations', { store: again, key: 'another' });
    await takeUntil(another, isLive);
    await store[Symbol.asyncDispose]();
    await using next = client.follow('stations', { store: again });
    expect(await take(next, 1)).toMatchObject([{ reason: 'restored' }]);
    await gateway.put('stations', station(1));
    await expect(takeUntil(first, () => false)).rejects.toMatchObject({ code: 'state_store_failed' });
  });

  test('is refused while a process has it, stopped or not, and free the moment it is killed', {
    timeout: 60_000,
  }, async () => {
    await using folder = await temporaryFolder();
    await using gateway = await TestGateway.start();
    await gateway.put('stations', station(1));
    await using client = await connected(gateway);
    const path = join(folder.path, 'states.db');
    await using process = await Following.start(
      [gateway.url, gateway.token().token, path],
      await trustingEnvironment(folder.path),
    );
    await using store = new SqliteStateStore(path);
    await expect(client.follow('stations', { store }).next()).rejects.toMatchObject(inUse);
    process.child.kill('SIGSTOP');
    await expect(client.follow('stations', { store }).next()).rejects.toMatchObject(inUse);
    await process.kill();
    await using follow = client.follow('stations', { store });
    expect(await take(follow, 1)).toMatchObject([{ reason: 'restored' }]);
  });
});

/** A process that follows the stations, and is live. */
class Following implements AsyncDisposable {
  readonly child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.child = child;
  }

  static async start(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Following> {
    const child = spawn(globalThis.process.execPath, ['--conditions=workspace-source', FOLLOWER, ...args], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let told = '';
    for await (const text of child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
      told += String(text);
      if (told.includes('"live"')) break;
    }
    return new Following(child);
  }

  async kill(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.child.kill('SIGKILL');
    await once(this.child, 'exit');
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.kill();
  }
}
