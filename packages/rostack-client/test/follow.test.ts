import { connect, type Follow, type FollowChange } from 'rostack-client';
import { expect, test } from 'vitest';
import { Station, station } from './support/observatory.ts';
import { TestGateway } from './support/test-gateway.ts';

async function take<T>(follow: Follow<T>, count: number): Promise<FollowChange<T>[]> {
  const taken: FollowChange<T>[] = [];
  while (taken.length < count) {
    const { done, value } = await follow.next();
    if (done === true) break;
    taken.push(value);
  }
  return taken;
}

test('a follow tells the snapshot, then each change, then goes on after the gateway was down', async () => {
  await using gateway = await TestGateway.start();
  await gateway.put('stations', station(1), station(2));
  await using client = await connect(gateway.url, { method: 'shared_token', token: gateway.token().token });
  await using follow = client.follow('stations', { schema: Station });
  const [snapshot, live] = await take(follow, 2);
  expect(snapshot).toMatchObject({ kind: 'snapshot', reason: 'initial', removed: [], changed: [] });
  expect(live).toEqual({ kind: 'live' });
  expect([...follow.records.keys()]).toEqual(['station-0001', 'station-0002']);
  await gateway.put('stations', station(3), station(1, { name: 'renamed' }));
  await gateway.remove('stations', 'station-0002');
  expect(await take(follow, 3)).toMatchObject([
    { kind: 'created', id: 'station-0003' },
    { kind: 'updated', id: 'station-0001', record: { name: 'renamed' }, previous: { name: '관측소 1' } },
    { kind: 'deleted', id: 'station-0002' },
  ]);
  await gateway.down();
  await gateway.put('stations', station(4));
  await gateway.up();
  expect(await take(follow, 2)).toMatchObject([{ kind: 'created', id: 'station-0004' }, { kind: 'live' }]);
});

test('list, get and subscribe', async () => {
  await using gateway = await TestGateway.start();
  await gateway.put('stations', ...Array.from({ length: 7 }, (_, number) => station(number)));
  await using client = await connect(gateway.url, { method: 'shared_token', token: gateway.token().token });
  const list = client.list('stations', { schema: Station, pageSize: 3, sort: ['-/altitude'] });
  const altitudes: number[] = [];
  for await (const { altitude } of list) altitudes.push(altitude);
  expect(altitudes).toEqual([...altitudes].sort((a, b) => b - a));
  expect(altitudes).toHaveLength(7);
  const found = await client.get('stations', 'station-0003', { schema: Station });
  expect(found).toMatchObject({ kind: 'found', record: station(3) });
  if (list.eventCursor === undefined) throw new Error('no cursor');
  await using subscription = client.subscribe('stations', { schema: Station, cursor: list.eventCursor });
  await gateway.put('stations', station(9));
  expect(await subscription.next()).toMatchObject({ value: { kind: 'event', data: station(9) } });
});
