import { type ConnectionStatus, connect, type FollowChange, MemoryStateStore } from 'rostack-client';
import { parseRowRule } from 'rostack-core';
import { describe, expect, test } from 'vitest';
import { idsOf, isLive, take, takeUntil } from './support/collect.ts';
import { Station, station } from './support/observatory.ts';
import { TestGateway } from './support/test-gateway.ts';

const credential = (gateway: TestGateway) =>
  ({ method: 'shared_token', token: gateway.token().token }) as const;

describe('a follow', () => {
  test('tells the snapshot, then each change', async () => {
    await using gateway = await TestGateway.start();
    await gateway.put('stations', station(1), station(2));
    await using client = await connect(gateway.url, credential(gateway));
    await using follow = client.follow('stations', { schema: Station });
    const [snapshot, live] = await take(follow, 2);
    expect(snapshot).toMatchObject({
      kind: 'snapshot',
      reason: 'initial',
      added: [{ record: station(1) }, { record: station(2) }],
      removed: [],
      changed: [],
    });
    expect(live).toEqual({ kind: 'live' });
    await gateway.put('stations', station(3), station(1, { name: 'renamed' }));
    await gateway.remove('stations', 'station-0002');
    expect(await take(follow, 3)).toMatchObject([
      { kind: 'created', id: 'station-0003', event: { eventType: 'station.created' } },
      { kind: 'updated', id: 'station-0001', record: { name: 'renamed' }, previous: station(1) },
      { kind: 'deleted', id: 'station-0002', previous: station(2) },
    ]);
    expect([...follow.records.values()]).toEqual([station(1, { name: 'renamed' }), station(3)]);
  });

  test.each([{}, { schema: Station }])('a snapshot stays as it was told: %o', async (options) => {
    await using gateway = await TestGateway.start();
    await gateway.put('stations', station(1), station(2));
    await using client = await connect(gateway.url, credential(gateway));
    await using follow = client.follow<Station>('stations', options);
    const [snapshot] = await takeUntil(follow, isLive);
    await gateway.put('stations', station(1, { name: 'renamed' }), station(3));
    await gateway.remove('stations', 'station-0002');
    await take(follow, 3);
    if (snapshot?.kind !== 'snapshot') throw new Error(`the first change is ${snapshot?.kind}`);
    expect([...snapshot.records.values()]).toEqual([station(1), station(2)]);
    expect(snapshot.added).toEqual([station(1), station(2)].map((record) => ({ id: record.id, record })));
    expect([...follow.records.keys()]).toEqual(['station-0001', 'station-0003']);
  });

  test('with a filter says that a record left or was deleted, and that one came in', async () => {
    await using gateway = await TestGateway.start();
    await gateway.put('stations', station(1, { altitude: 10 }), station(2, { altitude: 900 }));
    await using client = await connect(gateway.url, credential(gateway));
    await using follow = client.follow<Station>('stations', { filter: { '/altitude': { gte: 500 } } });
    await takeUntil(follow, isLive);
    expect([...follow.records.keys()]).toEqual(['station-0002']);
    await gateway.put('stations', station(1, { altitude: 600 }), station(2, { altitude: 1 }));
    await gateway.remove('stations', 'station-0001');
    expect(await take(follow, 3)).toMatchObject([
      { kind: 'created', id: 'station-0001' },
      { kind: 'left-or-deleted', id: 'station-0002', previous: { altitude: 900 } },
      { kind: 'left-or-deleted', id: 'station-0001', previous: { altitude: 600 } },
    ]);
    expect(await client.get('stations', 'station-0002')).toMatchObject({ kind: 'found' });
    expect(await client.get('stations', 'station-0001')).toEqual({ kind: 'gone' });
  });

  test('fetches the record of an event that carries no data', async () => {
    await using gateway = await TestGateway.start();
    await gateway.put('memos', { id: 'a', text: 'one' });
    await using client = await connect(gateway.url, credential(gateway));
    await using follow = client.follow('memos', { filter: { '/text': { starts_with: 'o' } } });
    await takeUntil(follow, isLive);
    await gateway.put('memos', { id: 'a', text: 'other' }, { id: 'b', text: 'often' });
    expect(await take(follow, 2)).toMatchObject([
      { kind: 'updated', id: 'a', record: { text: 'other' } },
      { kind: 'created', id: 'b', record: { text: 'often' } },
    ]);
    await gateway.put('memos', { id: 'a', text: 'away' });
    await gateway.remove('memos', 'b');
    expect(idsOf(await take(follow, 2))).toEqual(['a', 'b']);
    expect(follow.records.size).toBe(0);
  });

  test('does not take in a record that no longer fits its filter when it is fetched', async () => {
    await using gateway = await TestGateway.start();
    await using client = await connect(gateway.url, credential(gateway));
    await using follow = client.follow('memos', { filter: { '/text': { starts_with: 'o' } } });
    await takeUntil(follow, isLive);
    // Both of its changes are written before it can be asked for.
    await gateway.put(
      'memos',
      { id: 'a', text: 'one' },
      { id: 'a', text: 'away' },
      { id: 'b', text: 'often' },
    );
    const changes = await takeUntil(follow, (change) => 'id' in change && change.id === 'b');
    expect(changes.filter(({ kind }) => kind !== 'left-or-deleted')).toMatchObject([
      { kind: 'created', id: 'b' },
    ]);
    expect([...follow.records.keys()]).toEqual(['b']);
  });

  test('takes decimals in strings for numbers where the published schema says so, as the gateway does', async () => {
    await using gateway = await TestGateway.start();
    await using client = await connect(gateway.url, credential(gateway));
    await using follow = client.follow('memos', { filter: { '/cost': { gt: '9.5' } } });
    await takeUntil(follow, isLive);
    const memo = (id: string, cost: string) => ({ id, text: 'x', cost });
    await gateway.put('memos', memo('a', '10'), memo('b', '9.50'), memo('c', '9.51'));
    expect(idsOf(await take(follow, 2))).toEqual(['a', 'c']);
    await gateway.put('memos', memo('a', '2'));
    expect(await take(follow, 1)).toMatchObject([{ kind: 'left-or-deleted', id: 'a' }]);
  });

  test('ends with the rows that are visible, when rights shrink, change and grow, alive or after it was away', async () => {
    const { rule } = parseRowRule({ '/region': { in: { principal: 'claims.regions' } } });
    await using gateway = await TestGateway.start({ visible: rule });
    await gateway.put('stations', ...['a', 'b', 'c'].map((region, at) => station(at + 1, { region })));
    const { token, tokenId } = gateway.token();
    await gateway.claim(tokenId, { regions: ['a', 'b'] });
    await using client = await connect(gateway.url, { method: 'shared_token', token });
    await using follow = client.follow<Station>('stations');
    await takeUntil(follow, isLive);
    const regions = () => [...follow.records.values()].map(({ region }) => region);
    expect(regions()).toEqual(['a', 'b']);

    await gateway.claim(tokenId, { regions: ['a'] });
    const [shrunk] = await takeUntil(follow, isLive);
    expect(shrunk).toMatchObject({
      kind: 'snapshot',
      reason: 'replaced',
      added: [],
      removed: [{ id: 'station-0002' }],
    });
    await gateway.put('stations', station(2, { region: 'b', name: 'unseen' }), station(4, { region: 'a' }));
    expect(await take(follow, 1)).toMatchObject([{ kind: 'created', id: 'station-0004' }]);

    await gateway.down();
    await gateway.claim(tokenId, { regions: ['b', 'c'] });
    await gateway.up();
    expect(await takeUntil(follow, isLive)).toContainEqual(
      expect.objectContaining({ kind: 'snapshot', reason: 'replaced' }),
    );
    expect([...follow.records.values()]).toEqual([
      station(2, { region: 'b', name: 'unseen' }),
      station(3, { region: 'c' }),
    ]);

    await gateway.claim(tokenId, {});
    await takeUntil(follow, isLive);
    expect(regions()).toEqual([]);
    await gateway.claim(tokenId, { regions: ['a', 'b', 'c'] });
    await takeUntil(follow, isLive);
    expect(regions()).toEqual(['a', 'b', 'c', 'a']);
  });

  test('goes on where it was, whenever the gateway is killed', async () => {
    await using gateway = await TestGateway.start();
    await using client = await connect(gateway.url, credential(gateway));
    await using follow = client.follow<Station>('stations');
    await takeUntil(follow, isLive);
    const seen: string[] = [];
    for (let round = 0; round < 4; round += 1) {
      await gateway.put('stations', station(round * 10));
      await gateway.down();
      await gateway.put('stations', station(round * 10 + 1), station(round * 10 + 2));
      await gateway.up();
      await gateway.put('stations', station(round * 10 + 3));
      while (seen.length < (round + 1) * 4) seen.push(...idsOf(await take(follow, 1)));
    }
    expect(seen).toEqual(
      [0, 1, 2, 3].flatMap((round) => [0, 1, 2, 3].map((n) => station(round * 10 + n).id)),
    );
  });

  test('stores a cursor when the change is processed, not before', async () => {
    await using gateway = await TestGateway.start();
    await using client = await connect(gateway.url, credential(gateway));
    const store = new MemoryStateStore();
    const follow = client.follow<Station>('stations', { store });
    await takeUntil(follow, isLive);
    await gateway.put('stations', station(1), station(2));
    await take(follow, 2);
    await follow.return();
    expect(Array.from((await store.load(follow.key ?? ''))?.records ?? [], ({ id }) => id)).toEqual([
      'station-0001',
    ]);

    await using again = client.follow<Station>('stations', { store });
    const changes = await takeUntil(again, isLive);
    expect(changes).toMatchObject([
      { kind: 'snapshot', reason: 'restored', added: [], changed: [], removed: [] },
      { kind: 'created', id: 'station-0002' },
      { kind: 'live' },
    ]);
    expect([...again.records.keys()]).toEqual(['station-0001', 'station-0002']);
  });

  test('replaces its set in one step when its cursor has been pruned', async () => {
    await using gateway = await TestGateway.start({ retention: { maxChanges: 3, intervalMs: 0 } });
    await gateway.put('stations', station(1), station(2), station(3));
    await using client = await connect(gateway.url, credential(gateway));
    const store = new MemoryStateStore();
    const first = client.follow<Station>('stations', { store });
    await takeUntil(first, isLive);
    await first.return();
    await gateway.remove('stations', 'station-0001');
    await gateway.put('stations', station(2, { name: 'changed' }), station(4));
    for (let number = 10; number < 20; number += 1) await gateway.put('stations', station(number));
    await gateway.store.prune();

    await using follow = client.follow<Station>('stations', { store });
    const [restored, replaced, live] = await take(follow, 3);
    expect(restored).toMatchObject({ kind: 'snapshot', reason: 'restored' });
    expect(live).toEqual({ kind: 'live' });
    if (replaced?.kind !== 'snapshot') throw new Error('no snapshot');
    expect(replaced.reason).toBe('replaced');
    expect(replaced.removed).toEqual([{ id: 'station-0001', previous: station(1) }]);
    expect(replaced.changed).toMatchObject([{ id: 'station-0002', previous: station(2) }]);
    expect(replaced.added.map(({ id }) => id)).toContain('station-0004');
    expect([...replaced.records.keys()].sort()).toEqual(
      [2, 3, 4, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19].map((number) => station(number).id),
    );
  });

  test('takes a stored state of another filter for a set to replace', async () => {
    await using gateway = await TestGateway.start();
    await gateway.put('stations', station(1, { altitude: 1 }), station(2, { altitude: 900 }));
    await using client = await connect(gateway.url, credential(gateway));
    const store = new MemoryStateStore();
    const key = 'stations of the map';
    const all = client.follow<Station>('stations', { store, key });
    await takeUntil(all, isLive);
    await all.return();
    await using high = client.follow<Station>('stations', {
      store,
      key,
      filter: { '/altitude': { gt: 500 } },
    });
    expect(await take(high, 1)).toMatchObject([
      { kind: 'snapshot', reason: 'replaced', removed: [{ id: 'station-0001' }], added: [] },
    ]);
  });

  test.each([
    ['of fewer records', { sort: ['/name'], limit: 1 }, [station(1)]],
    [
      'of some fields',
      { fields: ['/id', '/name'] },
      [1, 2].map((n) => ({ id: station(n).id, name: station(n).name })),
    ],
  ])('takes a stored state %s for a set to replace', async (_which, view, stored) => {
    await using gateway = await TestGateway.start();
    await gateway.put('stations', station(1), station(2));
    await using client = await connect(gateway.url, credential(gateway));
    const store = new MemoryStateStore();
    const key = 'stations of the map';
    const part = client.follow('stations', { store, key, ...view });
    await takeUntil(part, isLive);
    expect([...part.records.values()]).toEqual(stored);
    await part.return();
    await using whole = client.follow('stations', { store, key });
    expect(await take(whole, 2)).toMatchObject([{ kind: 'snapshot', reason: 'replaced' }, { kind: 'live' }]);
    expect([...whole.records.values()]).toEqual([station(1), station(2)]);
  });

  test('ends when the permission is taken away; the others go on', async () => {
    await using gateway = await TestGateway.start();
    const { token, tokenId } = gateway.token();
    await using client = await connect(gateway.url, { method: 'shared_token', token });
    await using stations = client.follow('stations');
    await using memos = client.follow('memos');
    await takeUntil(stations, isLive);
    await takeUntil(memos, isLive);
    const record = await gateway.tokens.find(tokenId);
    if (record !== undefined) gateway.tokens.put({ ...record, grants: ['memos:read'] });
    await expect(stations.next()).rejects.toMatchObject({ code: 'permission_revoked', retryable: false });
    await gateway.put('memos', { id: 'a', text: 'still here' });
    expect(idsOf(await take(memos, 1))).toEqual(['a']);
  });

  test('ends with the problem when the permission is missing, and for good', async () => {
    await using gateway = await TestGateway.start();
    await using client = await connect(gateway.url, {
      method: 'shared_token',
      token: gateway.token({ grants: ['memos:read'] }).token,
    });
    const follow = client.follow('stations');
    await expect(follow.next()).rejects.toMatchObject({ code: 'permission-denied', retryable: false });
    expect(await follow.next()).toEqual({ done: true, value: undefined });
  });

  test.for([
    ['no such resource', 'planets', {}, 'invalid_options'],
    ['a resource without events', 'archive', {}, 'invalid_options'],
    ['a field that cannot be filtered', 'stations', { filter: { '/id': { eq: 'a' } } }, 'unsupported_filter'],
    ['a filter that is none', 'stations', { filter: { '/name': {} } }, 'invalid_filter'],
    ['an empty filter', 'stations', { filter: {} }, 'invalid_filter'],
    ['an empty filter in a filter', 'stations', { filter: { $or: [{}] } }, 'invalid_filter'],
  ] as const)('is refused before anything is asked: %s', async ([, resource, options, code]) => {
    await using gateway = await TestGateway.start();
    await using client = await connect(gateway.url, credential(gateway));
    const before = gateway.requests.length;
    await expect(client.follow(resource, options).next()).rejects.toMatchObject({ code });
    expect(gateway.requests).toHaveLength(before);
  });

  test('ends with the schema error of a record, naming it', async () => {
    await using gateway = await TestGateway.start();
    await gateway.put('stations', station(1));
    await using client = await connect(gateway.url, credential(gateway));
    const follow = client.follow('stations', { schema: Station.extend({ altitude: Station.shape.name }) });
    await expect(follow.next()).rejects.toMatchObject({
      code: 'invalid_record',
      message: expect.stringContaining('station-0001'),
    });
  });

  test('ends when it is closed, throws the reason when it is aborted, and the loop may break', async () => {
    await using gateway = await TestGateway.start();
    await using client = await connect(gateway.url, credential(gateway));
    const closed = client.follow('stations');
    await takeUntil(closed, isLive);
    const pending = closed.next();
    void closed.close();
    expect(await pending).toEqual({ done: true, value: undefined });

    const controller = new AbortController();
    const aborted = client.follow('stations', { signal: controller.signal });
    await takeUntil(aborted, isLive);
    const waiting = aborted.next();
    controller.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');

    const kinds: FollowChange<unknown>['kind'][] = [];
    for await (const change of client.follow('stations')) {
      kinds.push(change.kind);
      if (change.kind === 'live') break;
    }
    expect(kinds).toEqual(['snapshot', 'live']);
  });

  test('ends with client_closed when the client is closed', async () => {
    await using gateway = await TestGateway.start();
    const client = await connect(gateway.url, credential(gateway));
    const follow = client.follow('stations');
    await takeUntil(follow, isLive);
    const pending = follow.next();
    await client.close();
    await expect(pending).rejects.toMatchObject({ code: 'client_closed' });
    await expect(client.get('stations', 'a')).rejects.toMatchObject({ code: 'client_closed' });
    expect(() => client.subscribe('stations')).toThrow('closed');
  });

  test('another API version is met with discovery read again and a new snapshot', async () => {
    await using gateway = await TestGateway.start();
    await gateway.put('stations', station(1));
    const statuses: ConnectionStatus['kind'][] = [];
    await using client = await connect(gateway.url, credential(gateway), {
      onStatus: ({ kind }) => statuses.push(kind),
    });
    await using follow = client.follow<Station>('stations');
    await takeUntil(follow, isLive);
    await gateway.down();
    await gateway.up({ apiVersion: '2' });
    const changes = await takeUntil(follow, isLive);
    expect(changes).toMatchObject([
      { kind: 'snapshot', reason: 'replaced', added: [], changed: [], removed: [] },
      {},
    ]);
    expect(client.discovery.implementation.api_version).toBe('2');
    expect(statuses).toContain('waiting');
  });
});

test('a subscription by a filter that does not fit sends nothing and ends with the reason', async () => {
  await using gateway = await TestGateway.start();
  const statuses: string[] = [];
  await using client = await connect(gateway.url, credential(gateway), {
    onStatus: ({ kind }) => statuses.push(kind),
  });
  const unsupported = client.subscribe('stations', { filter: { '/id': { eq: 'a' } } });
  await expect(unsupported.next()).rejects.toMatchObject({ code: 'unsupported_filter' });
  const closed = client.subscribe('stations', { filter: { '/name': { eq: 'a' } } });
  await closed.close();
  expect(await closed.next()).toEqual({ done: true, value: undefined });
  expect(statuses).toEqual([]);
  const ended = client.subscribe('stations', { filter: { '/name': { eq: 'a' } } });
  await client.close();
  await expect(ended.next()).rejects.toMatchObject({ code: 'client_closed' });
});
