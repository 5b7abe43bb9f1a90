import { type ClientOptions, connect, type RostackClient } from 'rostack-client';
import type { JsonObject } from 'rostack-core';
import { describe, expect, test } from 'vitest';
import { JumpingClock } from './support/jumping-clock.ts';
import { Station, station } from './support/observatory.ts';
import { TestGateway } from './support/test-gateway.ts';

const connected = (gateway: TestGateway, options: ClientOptions = {}): Promise<RostackClient> =>
  connect(gateway.url, { method: 'shared_token', token: gateway.token().token }, options);

describe('list', () => {
  test('says once that a comparison of another type finds nothing, and nothing where records are merely missing', async () => {
    await using gateway = await TestGateway.start();
    await gateway.put('stations', station(0));
    const advice: string[] = [];
    await using client = await connected(gateway, { onAdvice: (sentence) => void advice.push(sentence) });
    const found = async (filter: JsonObject) => {
      const records: object[] = [];
      for await (const record of client.list('stations', { filter })) records.push(record);
      return records.length;
    };
    expect(await found({ '/altitude': { gt: 1e6 } })).toBe(0);
    expect(await found({ '/region': { eq: 'nowhere' } })).toBe(0);
    expect(advice).toEqual([]);
    for (const _ of [1, 2]) expect(await found({ '/altitude': { gt: '50' } })).toBe(0);
    expect(advice).toEqual([
      'the filter of stations matches nothing by /altitude {"gt":"50"}: the field is number, and no type converts to another',
    ]);
    await using _ = client.subscribe('stations', { filter: { $not: { '/region': { in: [1, 2] } } } });
    await expect.poll(() => advice).toHaveLength(2);
    expect(advice[1]).toContain('/region {"in":[1,2]}: the field is string');
  });

  test('is one consistent chain while writers run, and its event cursor misses nothing', async () => {
    await using gateway = await TestGateway.start();
    for (let number = 0; number < 40; number += 1) await gateway.put('stations', station(number));
    await using client = await connected(gateway);
    const list = client.list('stations', { schema: Station, pageSize: 3, sort: ['/name'] });
    const listed = new Map<string, Station>();
    let written = 0;
    for await (const page of list.pages()) {
      for (const record of page.records) listed.set(record.id, record);
      // Each page is read after another change: none of them may show.
      await gateway.put('stations', station(written, { name: `after ${written}` }), station(100 + written));
      await gateway.remove('stations', station(39 - written).id);
      written += 1;
    }
    expect(written).toBe(14);
    expect([...listed.values()].sort((a, b) => (a.id < b.id ? -1 : 1))).toEqual(
      Array.from({ length: 40 }, (_, number) => station(number)),
    );

    const { eventCursor } = list;
    if (eventCursor === undefined) throw new Error('no event cursor');
    await using subscription = client.subscribe('stations', { schema: Station, cursor: eventCursor });
    for await (const message of subscription) {
      if (message.kind !== 'event') break;
      if (message.transition === 'delete') listed.delete(message.resourceId);
      else if (message.data !== undefined) listed.set(message.resourceId, message.data);
    }
    const now: string[] = [];
    for await (const { id, name } of client.list('stations', { schema: Station })) now.push(`${id} ${name}`);
    expect(Array.from(listed.values(), ({ id, name }) => `${id} ${name}`).sort()).toEqual(now.sort());
  });

  test('takes filter, sort, fields and page size; every iteration is a chain of its own', async () => {
    await using gateway = await TestGateway.start();
    await gateway.put('stations', ...Array.from({ length: 9 }, (_, number) => station(number)));
    await using client = await connected(gateway);
    const list = client.list<{ altitude: number }>('stations', {
      filter: { '/region': { eq: 'seoul' } },
      sort: ['-/altitude'],
      fields: ['/altitude'],
      pageSize: 2,
    });
    expect(list.eventCursor).toBeUndefined();
    for (const _ of [1, 2]) {
      const found: object[] = [];
      for await (const record of list) found.push(record);
      expect(found).toEqual([{ altitude: 296 }, { altitude: 185 }, { altitude: 74 }]);
    }
    const [first] = gateway.requests.filter((url) => url.startsWith('/api'));
    expect(first).toBe(
      `/api/stations?filter=${encodeURIComponent('{"/region":{"eq":"seoul"}}')}&sort=${encodeURIComponent('-/altitude')}&fields=%2Faltitude&limit=2`,
    );
  });

  test('says so when the cursor of the next page counts no more', async () => {
    await using gateway = await TestGateway.start({ retention: { maxChanges: 1, intervalMs: 0 } });
    await gateway.put('stations', ...Array.from({ length: 5 }, (_, number) => station(number)));
    await using client = await connected(gateway);
    const pages = client.list('stations', { pageSize: 2 }).pages();
    await pages.next();
    for (let number = 0; number < 5; number += 1) {
      await gateway.put('stations', station(number, { name: 'pruned' }));
    }
    await gateway.store.prune();
    await expect(pages.next()).rejects.toMatchObject({ code: 'page_cursor_expired', retryable: true });
  });

  test('reads only as far as it is asked', async () => {
    await using gateway = await TestGateway.start();
    await gateway.put('stations', ...Array.from({ length: 9 }, (_, number) => station(number)));
    await using client = await connected(gateway);
    for await (const record of client.list('stations', { pageSize: 2 })) {
      expect(record).toMatchObject({ id: 'station-0000' });
      break;
    }
    expect(gateway.requests.filter((url) => url.startsWith('/api'))).toHaveLength(1);
  });
});

describe('get', () => {
  test('finds, revalidates, and tells absent from gone', async () => {
    await using gateway = await TestGateway.start();
    await gateway.put('stations', station(1), station(2));
    await gateway.remove('stations', 'station-0002');
    await using client = await connected(gateway);
    const found = await client.get('stations', 'station-0001', { schema: Station });
    if (found.kind !== 'found' || found.etag === undefined) throw new Error(found.kind);
    expect(found.record).toEqual(station(1));
    expect(await client.get('stations', 'station-0001', { etag: found.etag })).toEqual({
      kind: 'not_modified',
    });
    expect(await client.get('stations', 'nothing')).toEqual({ kind: 'absent' });
    expect(await client.get('stations', 'station-0002')).toEqual({ kind: 'gone' });
    for (const id of ['..', 'a\ud83d'])
      await expect(client.get('stations', id)).rejects.toMatchObject({ code: 'invalid_options' });
  });
});

describe('connect', () => {
  test('revalidates discovery by its ETag when it is old', async () => {
    await using gateway = await TestGateway.start({ discoveryRefreshAfterMs: 60_000 });
    const clock = new JumpingClock();
    await using client = await connected(gateway, { clock });
    await client.get('stations', 'a');
    expect(gateway.requests).toEqual(['/.well-known/rostack', '/api/stations/a']);
    clock.jump(60_000);
    const before = client.discovery;
    await client.get('stations', 'a');
    expect(gateway.requests.slice(2)).toEqual(['/.well-known/rostack', '/api/stations/a']);
    expect(client.discovery).toBe(before);
  });

  test.for([
    ['http', 'http://example.org', {}, 'not https'],
    ['http on loopback without the option', 'http://localhost:1', {}, 'allowInsecureLoopback'],
    ['http elsewhere with the option', 'http://example.org', { allowInsecureLoopback: true }, 'not https'],
    ['credentials in the URL', 'https://a:b@example.org', {}, 'second argument'],
    ['no URL', 'example', {}, 'not a URL'],
    [
      'an origin with a path',
      'https://example.org',
      { trustedOrigins: ['https://b.example/x'] },
      'pass origins such as',
    ],
  ] as const)('refuses %s', async ([, url, options, message]) => {
    const attempt = connect(url, { method: 'shared_token', token: 'a' }, options);
    await expect(attempt).rejects.toMatchObject({
      code: 'invalid_options',
      message: expect.stringContaining(message),
    });
  });

  test('refuses a method that the server has not, and a token that cannot be one', async () => {
    await using gateway = await TestGateway.start();
    const oauth = connect(gateway.url, { method: 'oauth2', token: 'a' });
    await expect(oauth).rejects.toMatchObject({ code: 'invalid_options' });
    const broken = connect(gateway.url, { method: 'shared_token', token: 'secret\r\nx: y' });
    await expect(broken).rejects.toMatchObject({
      code: 'invalid_options',
      message: expect.not.stringContaining('secret'),
    });
  });
});
