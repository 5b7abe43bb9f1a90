import { join } from 'node:path';
import { parseBodies } from 'rostack-core';
import {
  attachTable,
  type Mover,
  openStore,
  type ResourceDefinition,
  type Store,
  type StoreAlarm,
  startMover,
} from 'rostack-store';
import { PostgresCluster } from 'test-support/own-postgres/cluster';
import { describePostgresPrograms } from 'test-support/own-postgres/describe';
import { PostgresPrograms } from 'test-support/own-postgres/programs';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

const PATIENT = { timeout: 60_000, interval: 100 };
const DATABASE = 'postgres';
const SOURCE = { table: 'boats', key: 'id' };

const boats: ResourceDefinition = {
  name: 'boats',
  idPointer: '/id',
  schema: { type: 'object', required: ['id', 'place'], properties: { id: { type: 'integer' } } },
};

/** A gateway's part of the work on a cluster. */
interface Follower extends AsyncDisposable {
  readonly store: Store;
  readonly mover: Mover;
  readonly alarms: readonly StoreAlarm[];
}

async function follow(cluster: PostgresCluster, database = DATABASE, attaches = false): Promise<Follower> {
  const stack = new AsyncDisposableStack();
  const alarms: StoreAlarm[] = [];
  const onAlarm = (alarm: StoreAlarm) => alarms.push(alarm);
  const store = stack.use(await openStore({ url: cluster.urlOf(database), resources: [boats], onAlarm }));
  if (attaches) await attachTable(store, 'boats', SOURCE);
  const mover = stack.use(startMover(store, { boats: SOURCE }));
  return { store, mover, alarms, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

async function recordsOf(store: Store): Promise<readonly unknown[]> {
  const page = await store.source('boats').page({ sort: [], limit: 1_000 });
  return [...parseBodies(page.bodies)].sort((a, b) => Number(a['id']) - Number(b['id']));
}

/** Resolves when the records of a cluster are what its table says, and its mover does not stop. */
async function equal(
  { store, mover, alarms }: Follower,
  cluster: PostgresCluster,
  database = DATABASE,
): Promise<void> {
  await vi.waitFor(async () => {
    expect(mover.status).toMatchObject([{ state: 'following' }]);
    const rows = await cluster.query(database, 'select id::int, place from boats order by boats.id');
    expect(await recordsOf(store)).toEqual(rows);
  }, PATIENT);
  expect(alarms.filter(({ code }) => code !== 'database_moved')).toEqual([]);
}

/** What the application does; each statement is its own transaction. */
async function work(cluster: PostgresCluster, round: string, database = DATABASE): Promise<void> {
  for (const statement of [
    `insert into boats select coalesce(max(id), 0) + i, '${round}' from boats, generate_series(1, 20) i group by i`,
    `update boats set place = '${round} 1' where id % 3 = 0`,
    `update boats set place = '${round} 2' where id % 3 = 0`,
    `delete from boats where id % 7 = 0`,
    `update boats set id = -id where id % 11 = 0`,
  ]) {
    await cluster.query(database, statement);
  }
}

/** Resolves when a subscriber has everything. */
async function replicated(from: PostgresCluster, to: PostgresCluster): Promise<void> {
  const [now] = await from.query(DATABASE, 'select pg_current_wal_lsn()::text as lsn');
  await vi.waitFor(async () => {
    const [state] = await to.query(
      DATABASE,
      `select (select bool_and(srsubstate = 'r') from pg_subscription_rel) as synced,
        (select bool_and(latest_end_lsn >= '${String(now?.['lsn'])}') from pg_stat_subscription where relid is null) as reached`,
    );
    expect(state).toEqual({ synced: true, reached: true });
  }, PATIENT);
}

describePostgresPrograms('a cut-over to another cluster', () => {
  const stack = new AsyncDisposableStack();
  let programs: PostgresPrograms;

  beforeAll(async () => {
    programs = stack.use(await PostgresPrograms.find());
  });

  afterAll(() => stack[Symbol.asyncDispose]());

  async function cluster(name: string): Promise<PostgresCluster> {
    const made = new PostgresCluster(programs, name, ['wal_level=logical']);
    await made.init();
    await made.start();
    stack.defer(() => made.stop('immediate'));
    return made;
  }

  async function copySchema(from: PostgresCluster, to: PostgresCluster): Promise<void> {
    const file = join(programs.folder, `${from.port}.sql`);
    await from.call('pg_dump', DATABASE, '--schema-only', '-f', file);
    await to.call('psql', DATABASE, '-q', '-v', 'ON_ERROR_STOP=1', '-f', file);
  }

  async function subscribe(to: PostgresCluster, from: PostgresCluster): Promise<void> {
    await to.query(
      DATABASE,
      `create subscription cut_over connection '${from.urlOf(DATABASE)}' publication everything`,
    );
  }

  test('by logical replication of all tables: the subscriber goes on, loses nothing and keeps nothing old', async () => {
    const [blue, green] = [await cluster('blue'), await cluster('green')];
    await blue.query(DATABASE, 'create table boats (id bigint primary key, place text)');
    {
      await using before = await follow(blue, DATABASE, true);
      await work(blue, 'first');
      await equal(before, blue);
      await blue.query(DATABASE, 'create publication everything for all tables');
      await copySchema(blue, green);
      await subscribe(green, blue);
      for (const round of ['second', 'third']) {
        await work(blue, round);
        await equal(before, blue);
      }
      await replicated(blue, green);
    }
    // What nobody moves any more on the old side waits, and comes over.
    await work(blue, 'waiting');
    await replicated(blue, green);
    const [failures] = await green.query(
      DATABASE,
      'select sum(apply_error_count)::int as count from pg_stat_subscription_stats',
    );
    expect(failures).toEqual({ count: 0 });
    await green.query(DATABASE, 'drop subscription cut_over');
    await work(green, 'fourth');
    await using after = await follow(green);
    await equal(after, green);
    await work(green, 'fifth');
    await equal(after, green);
    expect(await green.query(DATABASE, 'select * from rostack.inbox_1')).toEqual([]);
  }, 300_000);

  test('a table that a subscription writes is followed on the subscriber', async () => {
    const [publisher, subscriber] = [await cluster('publisher'), await cluster('subscriber')];
    await publisher.query(DATABASE, 'create table boats (id bigint primary key, place text)');
    await work(publisher, 'before');
    await publisher.query(DATABASE, 'create publication everything for table boats');
    await subscriber.query(DATABASE, 'create table boats (id bigint primary key, place text)');
    await using follower = await follow(subscriber, DATABASE, true);
    await subscribe(subscriber, publisher);
    for (const round of ['first', 'second']) {
      await work(publisher, round);
      await replicated(publisher, subscriber);
      await equal(follower, subscriber);
    }
    await publisher.query(DATABASE, `truncate boats; insert into boats values (1, 'after')`);
    await replicated(publisher, subscriber);
    await equal(follower, subscriber);
    expect(await recordsOf(follower.store)).toEqual([{ id: 1, place: 'after' }]);
  }, 300_000);

  test('by a dump, restored where tables have other numbers', async () => {
    const from = await cluster('dumped');
    await from.query(DATABASE, 'create table gone (id int); drop table gone');
    await from.query(DATABASE, 'create table boats (old int, id bigint primary key, place text)');
    await from.query(DATABASE, 'alter table boats drop old');
    {
      await using before = await follow(from, DATABASE, true);
      await work(from, 'first');
      await equal(before, from);
    }
    await work(from, 'waiting');
    const file = join(programs.folder, 'both.dump');
    await from.call('pg_dump', DATABASE, '-Fc', '-f', file);
    const to = await cluster('restored');
    await to.query(DATABASE, 'create table shift (id int); create table numbers (id int)');
    await to.call('pg_restore', DATABASE, '--no-owner', file);
    await work(to, 'second');
    await using after = await follow(to);
    await equal(after, to);
    await work(to, 'third');
    await equal(after, to);
    expect(after.alarms.map(({ code }) => code)).toEqual(['database_moved']);
  }, 300_000);
});
