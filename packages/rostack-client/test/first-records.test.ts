import { setTimeout as delay } from 'node:timers/promises';
import {
  connect,
  type Follow,
  type FollowOptions,
  MemoryStateStore,
  type RostackClient,
} from 'rostack-client';
import { seededNumbers } from 'test-support/seeded-random';
import { describe, expect, test } from 'vitest';
import { isLive, take, takeUntil } from './support/collect.ts';
import { type Station, station } from './support/observatory.ts';
import { TestGateway } from './support/test-gateway.ts';

const credential = (gateway: TestGateway) =>
  ({ method: 'shared_token', token: gateway.token().token }) as const;

const names = (follow: Follow<Station>): string[] =>
  Array.from(follow.records.values(), ({ id }) => id.replace(/^station-0*/, ''));

async function highest(
  client: RostackClient,
  options: FollowOptions<Station> = {},
): Promise<Follow<Station>> {
  const follow = client.follow<Station>('stations', { sort: ['-/altitude'], limit: 2, ...options });
  await takeUntil(follow, isLive);
  return follow;
}

describe('a follow of the first records', () => {
  test('tells what enters with what leaves, and nothing of what happens behind', async () => {
    await using gateway = await TestGateway.start();
    const at = (number: number, altitude: number) => station(number, { altitude });
    await gateway.put('stations', at(1, 100), at(2, 200), at(3, 300), at(4, 50), at(5, 40), at(6, 30));
    await using client = await connect(gateway.url, credential(gateway));
    await using follow = await highest(client);
    expect(names(follow)).toEqual(['3', '2']);
    const lists = () => gateway.requests.filter((path) => path.includes('sort=')).length;
    const before = lists();

    // Behind the first two nothing is told; the next change is that of number 2.
    await gateway.put('stations', at(1, 110), at(7, 5), at(2, 210));
    expect(await take(follow, 1)).toMatchObject([{ kind: 'updated', id: 'station-0002' }]);
    await gateway.put('stations', at(2, 400));
    expect(await take(follow, 1)).toMatchObject([{ kind: 'updated', previous: { altitude: 210 } }]);
    expect(names(follow)).toEqual(['2', '3']);
    await gateway.remove('stations', 'station-0002');
    expect(await take(follow, 1)).toMatchObject([
      {
        kind: 'snapshot',
        reason: 'shifted',
        added: [{ id: 'station-0001', record: { altitude: 110 } }],
        removed: [{ id: 'station-0002', previous: { altitude: 400 } }],
        changed: [],
      },
    ]);
    expect(names(follow)).toEqual(['3', '1']);
    expect(lists()).toBe(before);

    await gateway.remove('stations', 'station-0003', 'station-0001', 'station-0004');
    while (names(follow).join() !== '5,6') await take(follow, 1);
    expect(lists()).toBeGreaterThan(before);
    await gateway.remove('stations', 'station-0006', 'station-0007');
    await takeUntil(follow, ({ kind }) => kind === 'left-or-deleted');
    expect(names(follow)).toEqual(['5']);
    await gateway.put('stations', at(8, 1));
    await takeUntil(follow, ({ kind }) => kind === 'created');
    expect(names(follow)).toEqual(['5', '8']);
  });

  test('asks for no page beyond what it holds', async () => {
    await using gateway = await TestGateway.start({ maxPageSize: 2 });
    await gateway.put('stations', ...Array.from({ length: 12 }, (_, number) => station(number)));
    await using client = await connect(gateway.url, credential(gateway));
    for (const [margin, pages] of [
      [2, 2],
      [3, 3],
      [4, 3],
    ] as const) {
      const before = gateway.requests.length;
      await using follow = await highest(client, { margin });
      expect(follow.records.size).toBe(2);
      const lists = gateway.requests.slice(before).filter((path) => path.includes('sort='));
      expect(lists).toHaveLength(pages);
    }
  });

  test('is the list at one position of the log after each change, and ends as the list', {
    timeout: 120_000,
  }, async () => {
    const random = seededNumbers();
    const pick = (count: number) => Math.floor(random() * count);
    await using gateway = await TestGateway.start();
    const held = new Map<string, Station>();
    for (let number = 0; number < 30; number += 1) {
      const one = station(number, { altitude: pick(6) });
      held.set(one.id, one);
    }
    await gateway.put('stations', ...held.values());

    const filter = { '/altitude': { lt: 5 } };
    const sort = ['-/altitude', '/name'];
    const byOrder = (a: Station, b: Station) =>
      b.altitude - a.altitude || (a.name < b.name ? -1 : Number(a.name > b.name)) || (a.id < b.id ? -1 : 1);
    const matching = () => [...held.values()].filter(({ altitude }) => altitude < 5).sort(byOrder);
    const text = (stations: readonly Station[]) =>
      JSON.stringify(stations.map(({ id, altitude }) => [id, altitude]));
    // Everything that matched, in order, after each change so far.
    const past = [matching()];

    await using client = await connect(gateway.url, credential(gateway), {
      async fetch(...call) {
        const answer = await fetch(...call);
        if (random() < 0.5) await delay(pick(30));
        return answer;
      },
    });
    const variants = [
      { limit: 1, margin: 0 },
      { limit: 3, margin: 0 },
      { limit: 4, margin: 1 },
      { limit: 3 },
      { limit: 10, margin: 3 },
      { limit: 100 },
      {},
    ];
    let isOver = false;
    const following = variants.map(async (variant) => {
      const limit = 'limit' in variant ? variant.limit : undefined;
      const store = new MemoryStateStore();
      let position = 0;
      let told = 0;
      let snapshots = 0;
      for (;;) {
        await using follow = client.follow<Station>('stations', { filter, sort, store, ...variant });
        // Now and then another follow goes on from the store.
        const leaveAfter = 20 + pick(20);
        for (let changes = 0; changes < leaveAfter; changes += 1) {
          const { value: change } = await follow.next();
          if (change === undefined) throw new Error('the follow ended');
          if (change.kind === 'snapshot') snapshots += 1;
          else told += 1;
          const shown = text([...follow.records.values()]);
          const fits = (list: readonly Station[]) => text(list.slice(0, limit)) === shown;
          // A store may be one change behind what was told.
          if (change.kind === 'snapshot' && change.reason === 'restored') position = 0;
          const found = past.findIndex((list, at) => at >= position && fits(list));
          if (found === -1) throw new Error(`${JSON.stringify(variant)} shows ${shown}, which never was`);
          position = found;
          if (isOver && fits(past.at(-1) ?? [])) return { told, snapshots };
        }
      }
    });
    const writing = (async () => {
      for (let round = 0; round < 150; round += 1) {
        const id = station(pick(34)).id;
        if (random() < 0.35 && held.has(id)) {
          held.delete(id);
          past.push(matching());
          await gateway.remove('stations', id);
        } else {
          const one = station(Number(id.slice(8)), { altitude: pick(6), name: `name ${pick(3)}` });
          held.set(id, one);
          past.push(matching());
          await gateway.put('stations', one);
        }
        if (round % 50 === 49) {
          await gateway.down();
          await delay(pick(30));
          await gateway.up();
        }
        if (random() < 0.3) await delay(pick(20));
      }
      isOver = true;
      // A change that all of them tell, should the last ones have been told before.
      const last = station(99, { altitude: 4, name: 'a' });
      held.set(last.id, last);
      past.push(matching());
      await gateway.put('stations', last);
    })();
    const [results] = await Promise.all([Promise.all(following), writing]);
    // A list of one record may change seldom, as chance has it; all of them together have seen enough.
    const seen = results.map(({ told, snapshots }) => told + snapshots);
    expect(Math.min(...seen)).toBeGreaterThan(1);
    expect(seen.reduce((sum, each) => sum + each, 0)).toBeGreaterThan(5 * variants.length);
  });

  test('keeps the fields that were chosen, those of the order and the id', async () => {
    await using gateway = await TestGateway.start();
    await gateway.put('stations', station(1, { altitude: 1 }), station(2, { altitude: 2 }));
    await using client = await connect(gateway.url, credential(gateway));
    const named = (number: number, altitude: number) => ({
      id: station(number).id,
      altitude,
      name: station(number).name,
    });
    await using follow = await highest(client, { fields: ['/name'] });
    await gateway.put('stations', station(3, { altitude: 3 }));
    await take(follow, 1);
    expect([...follow.records.values()]).toEqual([named(3, 3), named(2, 2)]);

    await using unordered = client.follow('stations', { fields: ['/region'] });
    await takeUntil(unordered, isLive);
    await gateway.put('stations', station(4));
    await take(unordered, 1);
    expect([...unordered.records.values()]).toEqual(
      [1, 2, 3, 4].map((number) => ({ id: station(number).id, region: station(number).region })),
    );
  });

  test('goes on from its store, under a key of its own', async () => {
    await using gateway = await TestGateway.start();
    for (let number = 0; number < 9; number += 1) {
      await gateway.put('stations', station(number, { altitude: number }));
    }
    await using client = await connect(gateway.url, credential(gateway));
    const store = new MemoryStateStore();
    const first = await highest(client, { store });
    expect(first.key).toBe('stations~all~-/altitude~4~');
    await first.return();
    await gateway.remove('stations', 'station-0008', 'station-0007', 'station-0006');
    await using follow = client.follow<Station>('stations', { sort: ['-/altitude'], limit: 2, store });
    expect(await take(follow, 1)).toMatchObject([{ kind: 'snapshot', reason: 'restored' }]);
    expect(names(follow)).toEqual(['8', '7']);
    await takeUntil(follow, ({ kind }) => kind === 'snapshot' && names(follow).join() === '5,4');
  });

  test('stores what enters before what leaves, so that it can go on from each state in between', async () => {
    await using gateway = await TestGateway.start();
    for (let number = 0; number < 4; number += 1) {
      await gateway.put('stations', station(number, { altitude: number }));
    }
    await using client = await connect(gateway.url, credential(gateway));
    const states: (readonly string[])[] = [];
    class WatchedStore extends MemoryStateStore {
      override async update(...given: Parameters<MemoryStateStore['update']>): Promise<void> {
        await super.update(...given);
        const { records = [] } = (await this.load(given[0])) ?? {};
        states.push(Array.from(records, ({ id }) => id));
      }
    }
    await using follow = await highest(client, { margin: 0, store: new WatchedStore() });
    const ids = (...numbers: number[]) => numbers.map((number) => station(number).id);
    for (const number of [4, 5]) {
      await gateway.put('stations', station(number, { altitude: number }));
      await take(follow, 1);
    }
    // What is told last is not stored yet.
    expect(states).toEqual([ids(3, 2, 4), ids(3, 4)]);
  });

  test.for([
    ['limit without sort', { limit: 2 }, 'invalid_options'],
    ['margin without limit', { sort: ['/name'], margin: 2 }, 'invalid_options'],
    ['a limit of nothing', { sort: ['/name'], limit: 0 }, 'invalid_options'],
    ['a field that is not sortable', { sort: ['/region'] }, 'invalid_sort'],
  ] as const)('is refused before anything is asked: %s', async ([, options, code]) => {
    await using gateway = await TestGateway.start();
    await using client = await connect(gateway.url, credential(gateway));
    const before = gateway.requests.length;
    const call = async () => client.follow('stations', options).next();
    await expect(call()).rejects.toMatchObject({ code });
    expect(gateway.requests).toHaveLength(before);
  });
});
