import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import * as fc from 'fast-check';
import { createRostackApp, createSharedTokenAuthenticator, type RostackAppOptions } from 'rostack-server';
import { expect, test } from 'vitest';
import { CURSOR_KEYS } from '../support/cursor-keys.ts';
import { Observatory, PRINCIPAL_IDS, readProblem, station } from '../support/observatory.ts';
import { BASE_URL, defineObservatory, RENDERERS } from '../support/observatory-implementation.ts';

const filtered = (filter: unknown): string => `filter=${encodeURIComponent(JSON.stringify(filter))}`;
const nested = (depth: number): unknown =>
  depth === 0 ? { '/name': { eq: 'x' } } : { $not: nested(depth - 1) };

test.each(
  [
    ['limit=0', 'invalid-request'],
    ['limit=101', 'invalid-request'],
    ['limit=-1', 'invalid-request'],
    ['limit=1.5', 'invalid-request'],
    ['limit=1e1', 'invalid-request'],
    ['limit=05', 'invalid-request'],
    ['limit=', 'invalid-request'],
    ['limit=10&limit=10', 'invalid-request'],
    ['limit=99999999999999999999', 'invalid-request'],
    ['page=2', 'invalid-request'],
    ['Limit=5', 'invalid-request'],
    ['access_token=abc', 'invalid-request'],
    ['__proto__=x', 'invalid-request'],
    ['filter=%', 'invalid-request'],
    ['filter=%C3%28', 'invalid-request'],
    ['filter', 'invalid-filter'],
    ['filter=', 'invalid-filter'],
    ['filter=%7B', 'invalid-filter'],
    ['filter=null', 'invalid-filter'],
    ['filter=[]', 'invalid-filter'],
    [filtered({ name: { eq: 'x' } }), 'invalid-filter'],
    [filtered({ '/name': {} }), 'invalid-filter'],
    [filtered({}), 'invalid-filter'],
    [filtered({ $not: {} }), 'invalid-filter'],
    [filtered({ $and: [{ '/name': { eq: 'x' } }, {}] }), 'invalid-filter'],
    ['filter={"/altitude":{"gt":9007199254740993}}', 'invalid-filter'],
    ['filter={"/altitude":{"gt":1e400}}', 'invalid-filter'],
    ['filter={"/altitude":{"gt":0.10000000000000000555}}', 'invalid-filter'],
    ['filter={"/name":{"eq":"x"},"/name":{"eq":"y"}}', 'invalid-filter'],
    ['filter={"/name":{"eq":"x","eq":"y"}}', 'invalid-filter'],
    [filtered({ '/name': 'x' }), 'invalid-filter'],
    [filtered({ '/name': { is: 'x' } }), 'invalid-filter'],
    [filtered({ '/name': { eq: { a: 1 } } }), 'invalid-filter'],
    [filtered({ '/name': { in: 'x' } }), 'invalid-filter'],
    [filtered({ '/note': { exists: 'yes' } }), 'invalid-filter'],
    [filtered({ $and: [] }), 'invalid-filter'],
    [filtered({ $nor: [{ '/name': { eq: 'x' } }] }), 'invalid-filter'],
    [filtered(nested(16)), 'invalid-filter'],
    [filtered({ $or: Array.from({ length: 257 }, () => ({ '/active': { eq: true } })) }), 'invalid-filter'],
    [filtered({ '/name': { eq: 'x'.repeat(4_097) } }), 'invalid-filter'],
    [filtered({ '/name': { eq: 'x'.repeat(9_000) } }), 'invalid-filter'],
    [filtered({ '/colour': { eq: 'red' } }), 'unsupported-filter'],
    [filtered({ '/region': { gt: 'x' } }), 'unsupported-filter'],
    [filtered({ '/__proto__': { eq: 'x' } }), 'unsupported-filter'],
    [filtered({ '/constructor/name': { eq: 'Object' } }), 'unsupported-filter'],
    [filtered({ '/tags/length': { gt: 0 } }), 'unsupported-filter'],
    [filtered({ '/tags/-': { exists: true } }), 'unsupported-filter'],
    [filtered({ '/toString': { exists: true } }), 'unsupported-filter'],
    [filtered({ $not: { $or: [{ '/hidden': { exists: true } }] } }), 'unsupported-filter'],
    ['sort=', 'invalid-sort'],
    ['sort=name', 'invalid-sort'],
    ['sort=/region', 'invalid-sort'],
    ['sort=%2B/name', 'invalid-sort'],
    ['sort=/name,,/altitude', 'invalid-sort'],
    ['sort=/name,-/name', 'invalid-sort'],
    ['sort=/__proto__', 'invalid-sort'],
    ['fields=', 'invalid-fields'],
    ['fields=name', 'invalid-fields'],
    ['fields=/colour', 'invalid-fields'],
    ['fields=/__proto__', 'invalid-fields'],
    ['fields=/name/length', 'invalid-fields'],
    ['fields=/a~2', 'invalid-fields'],
    ['cursor=', 'invalid-cursor'],
    ['cursor=abc', 'invalid-cursor'],
    ['cursor=%F0%9F%98%80', 'invalid-cursor'],
    [`cursor=${'A'.repeat(3_000)}`, 'invalid-cursor'],
    [`note=${'x'.repeat(9_216)}`, 'invalid-request'],
  ].map(([query = '', slug = '']) => ({ query, slug, name: query.slice(0, 60) })),
)('a collection refuses $name as $slug (%#)', async ({ query, slug }) => {
  await using observatory = await Observatory.start();
  const problem = await observatory.problem(`/api/stations?${query}`);
  expect([problem.slug, problem.detail]).toEqual([slug, expect.stringMatching(/^.{10,}\.$/s)]);
});

test.each(
  [
    ['/api/stations/x?limit=1', 'invalid-request'],
    ['/api/stations/x?fields=/name&fields=/id', 'invalid-request'],
    ['/api/stations/x?fields=/colour', 'invalid-fields'],
    [`/api/stations/${'x'.repeat(9_216)}`, 'invalid-request'],
    ['/note', 'resource-not-found'],
    ['/note?id=', 'resource-not-found'],
    ['/note?id=a&id=b', 'invalid-request'],
  ].map(([url = '', slug = '']) => ({ url, slug, name: url.slice(0, 60) })),
)('an item refuses $name as $slug', async ({ url, slug }) => {
  await using observatory = await Observatory.start();
  expect((await observatory.problem(url)).slug).toBe(slug);
});

test('a filter that would not be kept as it is written is refused with the place', async () => {
  await using observatory = await Observatory.start();
  const detail = async (filter: string) =>
    (await observatory.problem(`/api/stations?filter=${encodeURIComponent(filter)}`)).detail;
  expect(await detail('{"/altitude":{"gt":9007199254740993}}')).toContain('/~1altitude/gt');
  expect(await detail('{"$and":[{"/name":{"eq":"x"},"/name":{"eq":"y"}}]}')).toContain('/$and/0/~1name');
  expect(await detail('{"$and":[{}]}')).toContain('/$and/0');
});

test('a filter within every limit is answered', async () => {
  await using observatory = await Observatory.start();
  await observatory.putStations(station(1, { name: 'x' }), station(2));
  expect(await observatory.get(`/api/stations?${filtered(nested(14))}`)).toMatchObject({
    items: [{ name: 'x' }],
  });
});

test('a filter that leaves the next page no room for its cursor is refused, unless there is no next page', async () => {
  await using observatory = await Observatory.start();
  await observatory.putStations(...Array.from({ length: 9 }, (_, number) => station(number)));
  const isNot = (letter: string) => ({ '/name': { ne: letter.repeat(3_990) } });
  const long = filtered({ $and: [isNot('x'), isNot('y')] });
  expect(await observatory.get(`/api/stations?${long}`)).toMatchObject({ items: { length: 9 } });
  const refused = await observatory.problem(`/api/stations?limit=3&${long}`);
  expect(refused.slug).toBe('invalid-filter');
  expect(refused.detail).toContain('the URL of the next would be longer than 8192 bytes');
});

test('a cursor with any byte changed is an invalid cursor', async () => {
  await using observatory = await Observatory.start();
  await observatory.putStations(...Array.from({ length: 9 }, (_, number) => station(number)));
  const { page } = await observatory.get<{ page: { next_cursor: string } }>('/api/stations?limit=3');
  const cursor = page.next_cursor;
  await fc.assert(
    fc.asyncProperty(
      fc.nat(cursor.length - 1),
      fc.constantFrom('A', 'B', '7', '-', '_', '', '~', '='),
      async (at, byte) => {
        const changed = cursor.slice(0, at) + byte + cursor.slice(at + 1);
        fc.pre(changed !== cursor);
        expect((await observatory.problem(`/api/stations?limit=3&cursor=${changed}`)).slug).toBe(
          'invalid-cursor',
        );
      },
    ),
    { numRuns: 300 },
  );
});

test('a cursor of another resource, principal, query or API version, and an expired one, are invalid cursors', async () => {
  await using observatory = await Observatory.start();
  await observatory.putStations(...Array.from({ length: 9 }, (_, number) => station(number)));
  await observatory.store.apply(
    Array.from({ length: 5 }, (_, number) => ({
      op: 'put',
      resource: 'notes',
      record: { id: `n${number}`, text: '' },
    })),
  );
  const query = `${filtered({ '/altitude': { gte: 0 } })}&sort=/name&fields=/id`;
  const { page } = await observatory.get<{ page: { next_cursor: string } }>(`/api/stations?${query}&limit=3`);
  const slugOf = async (path: string, token = observatory.token): Promise<unknown> =>
    (await observatory.problem(`${path}&cursor=${page.next_cursor}`, { token })).slug;
  expect((await observatory.fetch(`/api/stations?${query}&cursor=${page.next_cursor}`)).status).toBe(200);
  const reordered = `fields=/id&${query.replace('&fields=/id', '')}&limit=4`;
  expect((await observatory.fetch(`/api/stations?${reordered}&cursor=${page.next_cursor}`)).status).toBe(200);

  expect(await slugOf('/notes?limit=3')).toBe('invalid-cursor');
  const another = observatory.issueToken(undefined, { subject: 'another' });
  expect(await slugOf(`/api/stations?${query}`, another)).toBe('invalid-cursor');
  expect(await slugOf(`/api/stations?sort=/name&fields=/id`)).toBe('invalid-cursor');
  expect(await slugOf(`/api/stations?${query.replace('sort=/name', 'sort=-/name')}`)).toBe('invalid-cursor');
  expect(await slugOf(`/api/stations?${query.replace('&fields=/id', '')}`)).toBe('invalid-cursor');

  const implementation = defineObservatory();
  implementation.discovery.implementation.api_version = '4';
  await using upgraded = await Observatory.start({ implementation });
  expect((await upgraded.problem(`/api/stations?${query}&cursor=${page.next_cursor}`)).slug).toBe(
    'invalid-cursor',
  );

  observatory.clock.nowMs += 14 * 60_000;
  expect((await observatory.fetch(`/api/stations?${query}&cursor=${page.next_cursor}`)).status).toBe(200);
  observatory.clock.nowMs += 7 * 60_000;
  expect(await slugOf(`/api/stations?${query}`)).toBe('invalid-cursor');
});

test('a cursor below the floor of the log, or of an earlier epoch, is an invalid cursor', async () => {
  await using observatory = await Observatory.start();
  await observatory.putStations(...Array.from({ length: 9 }, (_, number) => station(number)));
  const { page } = await observatory.get<{ page: { next_cursor: string } }>('/api/stations?limit=3');
  expect((await observatory.fetch(`/api/stations?cursor=${page.next_cursor}`)).status).toBe(200);
  await observatory.store.renewEpoch();
  expect((await observatory.problem(`/api/stations?cursor=${page.next_cursor}`)).slug).toBe('invalid-cursor');
});

test('hosts that are not advertised are an invalid request, unless they are configured', async () => {
  await using observatory = await Observatory.start();
  expect((await observatory.problem('https://evil.example/.well-known/rostack')).slug).toBe(
    'invalid-request',
  );
  expect((await observatory.problem('https://observatory.example:8443/api/stations')).slug).toBe(
    'invalid-request',
  );
  expect((await observatory.fetch('https://OBSERVATORY.example/api/stations')).status).toBe(200);
  // The default port may be written: RFC 9110 section 4.2.3.
  const headers = { host: 'Observatory.example:443' };
  expect((await observatory.fetch('http://observatory.example:443/api/stations', { headers })).status).toBe(
    200,
  );
  await using configured = await Observatory.start({ app: { hosts: ['inside.example:8080'] } });
  expect((await configured.fetch('http://inside.example:8080/api/stations')).status).toBe(200);
  expect((await configured.problem('https://observatory.example/api/stations')).slug).toBe('invalid-request');
  await using any = await Observatory.start({ app: { hosts: 'any' } });
  expect((await any.fetch('http://whatever.example/api/stations')).status).toBe(200);
});

test.each([
  ['a body', 'Content-Length: 2\r\n\r\n{}', 'invalid-request'],
  ['a chunked body', 'Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n', 'invalid-request'],
  ['an empty body', 'Content-Length: 0\r\n\r\n', undefined],
])('a GET with %s over a real server is answered with %s', async (_name, rest, slug) => {
  await using observatory = await Observatory.start();
  await using server = await observatory.listen();
  const socket = connect(server.port, '127.0.0.1');
  const host = new URL(BASE_URL).host;
  socket.write(
    `GET /api/stations HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Rostack-Token ${observatory.token}\r\nConnection: close\r\n${rest}`,
  );
  const response = await text(socket);
  expect(response).toMatch(
    slug === undefined ? /^HTTP\/1.1 200 / : new RegExp(`^HTTP/1.1 400 [^]*/problems/${slug}"`),
  );
});

test.each([
  ['implementation', (members: { id: string }) => (members.id = 'planetarium')],
  ['API version', (members: { api_version: string }) => (members.api_version = '4')],
] as const)('a cursor of another %s over the same records is an invalid cursor', async (_name, change) => {
  await using observatory = await Observatory.start();
  await observatory.putStations(station(1), station(2));
  const served = (implementation: ReturnType<typeof defineObservatory>) => {
    const options: RostackAppOptions = {
      implementation,
      sources: (name) => observatory.store.source(name),
      authenticators: [
        createSharedTokenAuthenticator({ store: observatory.tokens, principalId: PRINCIPAL_IDS }),
      ],
      cursorKeys: CURSOR_KEYS,
      renderers: RENDERERS,
    };
    return createRostackApp(options);
  };
  const other = defineObservatory();
  change(other.discovery.implementation);
  const ask = async (app: ReturnType<typeof served>, query: string) =>
    app.request(`${BASE_URL}/api/stations?${query}`, {
      headers: { authorization: `Rostack-Token ${observatory.token}` },
    });
  const [same, changed] = [served(defineObservatory()), served(other)];
  const first = (await (await ask(same, 'limit=1')).json()) as { page: { next_cursor: string } };
  const next = `limit=1&cursor=${first.page.next_cursor}`;
  expect((await ask(same, next)).status).toBe(200);
  expect((await readProblem(await ask(changed, next))).slug).toBe('invalid-cursor');
});
