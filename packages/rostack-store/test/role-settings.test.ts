import { describePostgres, POSTGRES_URL, queryPostgres } from 'test-support/postgres';
import { expect, test, vi } from 'vitest';
import { openStore, type Store, type StoreAlarm } from '../src/index.ts';
import { postgres } from './support/databases.ts';
import { put, stations } from './support/stations.ts';

/** A store of a role of its own that logs in with these settings. */
async function roleWith(settings: string) {
  const { schema } = postgres();
  const password = 'of-a-test';
  await queryPostgres(
    `create role ${schema} login password '${password}'; create schema ${schema} authorization ${schema}; alter role ${schema} set ${settings}`,
  );
  const url = new URL(POSTGRES_URL);
  url.username = schema;
  url.password = password;
  const alarms: StoreAlarm[] = [];
  const onAlarm = (alarm: StoreAlarm) => alarms.push(alarm);
  return {
    schema,
    alarms,
    open: (): Promise<Store> =>
      openStore({ url: url.href, schema, resources: [stations], onAlarm, pollIntervalMs: 60_000 }),
    async [Symbol.asyncDispose]() {
      await queryPostgres(`drop schema ${schema} cascade; drop role ${schema}`);
    },
  };
}

describePostgres('settings of the role', () => {
  test('that make it read-only are named, and what to do', async () => {
    await using role = await roleWith('default_transaction_read_only = on');
    await expect(role.open()).rejects.toMatchObject({
      code: 'store_unavailable',
      message: expect.stringMatching(/takes no writes: .*default_transaction_read_only.*URL of the primary/),
    });
  });

  test('that end idle sessions do not end the one that listens', async () => {
    await using role = await roleWith(`idle_session_timeout = '2s'`);
    await using store = await role.open();
    await using other = await role.open();
    const moved = vi.fn();
    const unwatch = store.source('stations').watch(moved);
    const listening = `select query from pg_stat_activity where usename = '${role.schema}' and query ilike 'listen%'`;
    await vi.waitFor(async () => expect(await queryPostgres(listening)).toHaveLength(1));
    // The idle connections of the pool are ended meanwhile, and this one has been idle for as long.
    await vi.waitFor(
      async () => {
        const idle = await queryPostgres(
          `${listening} and state = 'idle' and state_change < clock_timestamp() - interval '4s'`,
        );
        expect(idle).toHaveLength(1);
      },
      { timeout: 20_000 },
    );
    moved.mockClear();
    await other.apply([put({ id: 'a', height: 1 })]);
    await vi.waitFor(() => expect(moved).toHaveBeenCalled());
    unwatch();
    expect(role.alarms).toEqual([]);
  });
});

describePostgres('a connection that listens', () => {
  test('and is ended again and again is told once, until it has held', async () => {
    await using role = await roleWith('client_min_messages = warning');
    await using store = await role.open();
    const unwatch = store.source('stations').watch(() => {});
    const end = `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${role.schema}' and query ilike 'listen%'`;
    for (let count = 0; count < 3; count += 1) {
      await vi.waitFor(async () => expect(await queryPostgres(end)).toHaveLength(1), { timeout: 20_000 });
    }
    await vi.waitFor(() => expect(role.alarms).not.toEqual([]));
    unwatch();
    expect(role.alarms.map(({ code }) => code)).toEqual(['watch_failed']);
  });
});

describePostgres('sslmode', () => {
  test.each(['prefer', 'allow'])('%s is followed on a server without TLS', async (mode) => {
    await using database = postgres();
    const url = new URL(POSTGRES_URL);
    url.searchParams.set('sslmode', mode);
    const { schema } = database;
    await using store = await openStore({ url: url.href, schema, resources: [stations], onAlarm: () => {} });
    expect(await store.apply([put({ id: 'a', height: 1 })])).toHaveLength(1);
    const moved = vi.fn();
    const unwatch = store.source('stations').watch(moved);
    await vi.waitFor(() => expect(moved).toHaveBeenCalled());
    unwatch();
  });
});
