import {
  type ClientOptions,
  type Credentials,
  connect,
  type FollowOptions,
  type FollowState,
  MemoryStateStore,
  type StateStore,
} from 'rostack-client';
import { watchProcess } from 'test-support/watch-process';
import { describe, expect, test } from 'vitest';
import { idsOf, isLive, take, takeUntil } from './support/collect.ts';
import { HostileServer, json } from './support/hostile-server.ts';

const CREDENTIAL = { method: 'shared_token', token: 'secret-token' } as const;
const boom = new Error('boom');

/** The two ways in which a callback fails. */
const FAILURES: readonly [string, () => never][] = [
  [
    'throws',
    () => {
      throw boom;
    },
  ],
  ['rejects', () => Promise.reject(boom) as never],
];

const warnings = watchProcess();

/** Serves one record in its snapshot, and events on demand. */
const honest = (): Promise<HostileServer> =>
  HostileServer.start({
    talk: (to) => to.authenticates().subscribes((id) => to.event(id, 1)),
    answer: (_request, response) =>
      json(response, 200, {
        items: [{ id: 'r0' }],
        page: { next_cursor: null, has_more: false, event_cursor: 'c0' },
      }),
  });

async function follow(
  options: Partial<FollowOptions<never>>,
  use: (follow: ReturnType<Awaited<ReturnType<typeof connect>>['follow']>) => Promise<void>,
  clientOptions: ClientOptions = {},
  credentials: Credentials = CREDENTIAL,
): Promise<void> {
  await using server = await honest();
  await using client = await connect(server.url, credentials, clientOptions);
  await using following = client.follow('stations', options);
  await use(following);
}

describe.for(FAILURES)('a callback that %s', ([, fail]) => {
  test.for(['onStatus', 'onDiscoveryChanged', 'random', 'onWaiting'] as const)(
    'harms no follow: %s',
    async (name) => {
      let calls = 0;
      const failing = () => {
        calls += 1;
        return fail();
      };
      let refusals = 0;
      await using server = await HostileServer.start({
        // The first connection is lost, and the first snapshot fails: there is something to tell, and something to wait for.
        talk: (to) => {
          if (to.number > 1) to.authenticates().subscribes((id) => to.event(id, 1));
          else if (name === 'onDiscoveryChanged') to.authenticates({ api_version: '2' });
          else to.socket.close(4500);
        },
        discovery: (document) => ({
          ...document,
          implementation: { ...document.implementation, name: `Observatory ${(refusals += 1)}` },
        }),
        answer: (_request, response) => {
          if (refusals === 1) {
            refusals += 1;
            response.writeHead(503, { 'content-type': 'text/plain' }).end('later');
          } else {
            json(response, 200, {
              items: [],
              page: { next_cursor: null, has_more: false, event_cursor: 'c0' },
            });
          }
        },
      });
      const options = name === 'onWaiting' ? {} : { [name]: failing };
      await using client = await connect(server.url, CREDENTIAL, { ...options, limits: { maxAttempts: 1 } });
      await using following = client.follow('stations', name === 'onWaiting' ? { onWaiting: failing } : {});
      expect(idsOf(await takeUntil(following, (change) => 'id' in change))).toEqual(['r1']);
      await expect.poll(() => calls).toBeGreaterThan(0);
      await expect.poll(() => warnings.join()).toContain(`${name} of rostack-client failed: boom`);
    },
  );

  test.for(['load', 'replace', 'update', 'claim'] as const)(
    'ends its follow as a failure of the state store: %s',
    async (name) => {
      const store = new MemoryStateStore();
      const failing: StateStore = Object.assign(Object.create(store) as object, {
        load: (key: string) => store.load(key),
        replace: (key: string, state: FollowState) => store.replace(key, state),
        update: (...args: Parameters<StateStore['update']>) => store.update(...args),
        remove: (key: string) => store.remove(key),
        [name]: fail,
      });
      await follow({ store: failing }, async (following) => {
        await expect(takeUntil(following, () => false)).rejects.toMatchObject({
          code: 'state_store_failed',
          retryable: false,
          message: expect.stringContaining(following.key ?? ''),
          cause: boom,
        });
      });
      // What was stored before is whole, and the key is free again.
      const key = 'stations~all';
      const state = await store.load(key);
      expect(state?.cursor).toBe(name === 'update' ? 'c0' : undefined);
      await follow({ store }, async (following) => {
        await takeUntil(following, isLive);
        expect(following.records.size).toBeGreaterThan(0);
      });
    },
  );

  test('ends the follow as a failure of its records: recordId, schema', async () => {
    for (const options of [{ recordId: fail }, { schema: { safeParse: fail } }] as const) {
      await follow(options, async (following) => {
        await expect(take(following, 1)).rejects.toMatchObject({ code: 'invalid_record', retryable: false });
      });
    }
  });

  test('fails the promise of run: onChange', async () => {
    await follow({}, async (following) => {
      await expect(following.run(fail)).rejects.toBe(boom);
    });
  });

  test('is a passing failure of the call that needed it: credentials, fetch', async () => {
    await using server = await honest();
    await using client = await connect(server.url, fail, { limits: { maxAttempts: 1 } });
    await expect(client.get('stations', 'a')).rejects.toMatchObject({
      code: 'credentials_unavailable',
      retryable: true,
      cause: boom,
    });
    await expect(
      connect(server.url, CREDENTIAL, { fetch: fail, limits: { maxAttempts: 1 } }),
    ).rejects.toMatchObject({ code: 'network_error', cause: boom });
  });

  test('is told while a follow goes on: credentials that are to be renewed', async () => {
    const statuses: unknown[] = [];
    await using server = await HostileServer.start({
      talk: (to) => to.authenticates({ reauthenticate_at: '2026-01-01T00:00:00Z' }).subscribes(),
    });
    const credentials: Credentials = ({ reason }) => (reason === 'initial' ? CREDENTIAL : fail());
    await using client = await connect(server.url, credentials, {
      onStatus: (status) => {
        if (status.kind === 'complaint') statuses.push(status.error.code);
      },
    });
    await using following = client.follow('stations');
    await takeUntil(following, isLive);
    await expect.poll(() => statuses).toContain('credentials_unavailable');
  });
});

describe('what a callback gives', () => {
  test.for<[string, unknown]>([
    ['no credential', undefined],
    ['a credential of no method', { token: 'secret-token' }],
    ['a token that is none', { method: 'shared_token', token: 7 }],
  ])('is refused where it is %s', async ([, credential]) => {
    await using server = await honest();
    await using client = await connect(server.url, (() => credential) as Credentials);
    const failure = await client.get('stations', 'a').catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'invalid_options', retryable: false });
  });

  test.for<[string, unknown]>([
    ['null', null],
    ['no scope', { cursor: 'c', eventId: undefined, records: [] }],
    ['no cursor', { scope: { implementationId: 'i', apiVersion: '1', resource: 'stations' }, records: [] }],
    [
      'records that are none',
      { scope: { implementationId: 'i', apiVersion: '1', resource: 'stations' }, cursor: 'c', records: [7] },
    ],
  ])('is refused where a state store loads %s', async ([, state]) => {
    const store = Object.assign(new MemoryStateStore(), { load: async () => state as FollowState });
    await follow({ store }, async (following) => {
      await expect(take(following, 1)).rejects.toMatchObject({ code: 'state_store_failed' });
    });
  });

  test.for<[string, unknown]>([
    ['a number of no use', Number.NaN],
    ['a number out of range', 1],
    ['a text', '0.5'],
  ])('is replaced where random gives %s', async ([, value]) => {
    await using server = await HostileServer.start({
      talk: (to) => (to.number === 1 ? to.socket.close(4500) : to.authenticates().subscribes()),
    });
    await using client = await connect(server.url, CREDENTIAL, { random: () => value as number });
    await using following = client.follow('stations');
    await takeUntil(following, isLive);
    await expect.poll(() => warnings.join()).toContain('random of rostack-client failed');
  });

  test('is refused where a schema is asynchronous, or recordId gives no id', async () => {
    const schema = { safeParse: () => Promise.resolve({ success: true }) as never };
    for (const options of [{ schema }, { recordId: () => 7.5 }]) {
      await follow(options, async (following) => {
        await expect(take(following, 1)).rejects.toMatchObject({ code: 'invalid_record' });
      });
    }
  });
});

describe('a WebSocket of the application', () => {
  const failing = (method: 'constructor' | 'send'): typeof globalThis.WebSocket =>
    class extends WebSocket {
      constructor(...args: ConstructorParameters<typeof WebSocket>) {
        if (method === 'constructor') throw boom;
        super(...args);
      }
      override send(): void {
        throw boom;
      }
    };

  test.for(['constructor', 'send'] as const)('whose %s throws is a lost connection', async (method) => {
    const losses: unknown[] = [];
    await follow(
      {},
      async (following) => {
        void following.run(() => {}).catch(() => {});
        await expect.poll(() => losses).not.toEqual([]);
        expect(losses[0]).toMatchObject({
          code: 'connection_lost',
          message: expect.stringContaining('boom'),
        });
      },
      {
        WebSocket: failing(method),
        onStatus: (status) => {
          if (status.kind === 'waiting') losses.push(status.error);
        },
      },
    );
  });
});
