import { type ConnectionStatus, connect } from 'rostack-client';
import { describe, expect, test } from 'vitest';
import { isLive, take, takeUntil } from './support/collect.ts';
import { HostileServer, json } from './support/hostile-server.ts';

const CREDENTIAL = { method: 'shared_token', token: 'secret-token' } as const;

describe('discovery', () => {
  test('that names another gateway moves the subscriptions there, with overlap', async () => {
    let path = 'gateway';
    await using server = await HostileServer.start({
      discovery: (honest) => {
        honest.endpoints.websocket = honest.endpoints.websocket.replace(/[^/]+$/, path);
        honest.capabilities.websocket.discovery_refresh_after_ms = 1_000;
        return honest;
      },
      talk: (to) => to.authenticates().subscribes(),
    });
    const statuses: ConnectionStatus['kind'][] = [];
    await using client = await connect(server.url, CREDENTIAL, {
      onStatus: ({ kind }) => statuses.push(kind),
    });
    await using follow = client.follow('stations');
    await takeUntil(follow, isLive);
    path = 'elsewhere';
    await takeUntil(follow, isLive);
    const [first, second] = server.conversations;
    expect(second?.path).toBe('/elsewhere');
    await expect.poll(() => first?.socket.readyState).toBe(3);
    expect(statuses).toEqual(['connecting', 'connected', 'connecting', 'connected']);
  });

  test('that stays the same is revalidated while something is subscribed', async () => {
    await using server = await HostileServer.start({
      answerDiscovery: (request, response) => {
        response.setHeader('etag', '"1"');
        if (request.headers['if-none-match'] === '"1"') response.writeHead(304).end();
        else json(response, 200, server.discovery({ discovery_refresh_after_ms: 1_000 }));
      },
      talk: (to) => to.authenticates().subscribes(),
    });
    let changes = 0;
    await using client = await connect(server.url, CREDENTIAL, {
      onDiscoveryChanged: () => {
        changes += 1;
      },
    });
    await using follow = client.follow('stations');
    await takeUntil(follow, isLive);
    const reads = (): number => server.requests.filter(({ path }) => path === '/.well-known/rostack').length;
    await expect.poll(reads, { timeout: 20_000 }).toBeGreaterThanOrEqual(3);
    expect(changes).toBe(0);
    expect(server.conversations).toHaveLength(1);
  });

  test('that is not public is read with the credentials', async () => {
    await using server = await HostileServer.start({
      answerDiscovery: (request, response) => {
        if (request.headers.authorization === 'Rostack-Token secret-token') {
          json(response, 200, server.discovery());
        } else {
          const type = 'https://spec.pmh.codes/problems/authentication-required';
          json(response, 401, { type, title: 'Authentication required', status: 401 });
        }
      },
    });
    await using client = await connect(server.url, CREDENTIAL);
    expect(client.discovery.authentication.methods).toHaveLength(1);
    expect(server.requests.map(({ authorization }) => authorization)).toEqual([
      undefined,
      'Rostack-Token secret-token',
    ]);
  });

  test('that gains an event type while it is followed is read again', async () => {
    let isNew = false;
    await using server = await HostileServer.start({
      discovery: (honest) => {
        const [stations] = honest.resources;
        const [created] = stations?.events ?? [];
        if (stations !== undefined && created !== undefined) {
          stations.event_filtering = false;
          if (isNew) stations.events = [...stations.events, { ...created, name: 'station.imported' }];
        }
        return honest;
      },
      talk: (to) =>
        to.authenticates().subscribes((subscriptionId) => {
          isNew = true;
          to.event(subscriptionId, to.number, { id: `r${to.number}` }, 'station.imported');
        }),
    });
    await using client = await connect(server.url, CREDENTIAL);
    await using follow = client.follow('stations');
    await takeUntil(follow, isLive);
    const changes = await takeUntil(follow, ({ kind }) => kind === 'created');
    expect(changes.at(-1)).toMatchObject({ id: 'r2', event: { eventType: 'station.imported' } });
    expect(server.conversations).toHaveLength(2);
  });
});

describe('release 2026-08-12', () => {
  test('is spoken too: no declared errors, problems and error codes of any kind', async () => {
    await using server = await HostileServer.start({
      discovery: (honest) => ({ ...honest, errors: undefined }),
      answer: (_request, response, url) => {
        if (url.pathname.endsWith('/odd'))
          json(response, 418, { type: 'urn:teapot', title: 'Teapot', shape: 'round' });
        else
          json(response, 200, {
            items: [],
            page: { next_cursor: null, has_more: false, event_cursor: 'c0' },
          });
      },
      talk: (to) =>
        to
          .authenticates()
          .on('subscribe', ({ subscription_id }) =>
            to.send({ type: 'error', code: 'teapot', message: 'round', retryable: false, subscription_id }),
          ),
    });
    await using client = await connect(server.url, CREDENTIAL);
    await expect(client.get('stations', 'odd')).rejects.toMatchObject({
      code: 'unknown-problem',
      retryable: false,
    });
    const follow = client.follow('stations');
    await take(follow, 1);
    await expect(follow.next()).rejects.toMatchObject({ code: 'unknown_error' });
  });

  test('asks for credentials by any problem with status 401, before the release is known', async () => {
    await using server = await HostileServer.start({
      answerDiscovery: (request, response) => {
        const document = { ...server.discovery(), errors: undefined };
        if (request.headers.authorization === undefined)
          json(response, 401, { title: 'Who are you?', status: 401, realm: 'stations' });
        else json(response, 200, document);
      },
    });
    await using client = await connect(server.url, CREDENTIAL);
    expect(client.discovery).not.toHaveProperty('errors');
    expect(server.requests.map(({ authorization }) => authorization !== undefined)).toEqual([false, true]);
  });

  test('an error without retryable is final', async () => {
    await using server = await HostileServer.start({
      discovery: (honest) => ({ ...honest, errors: undefined }),
      talk: (to) =>
        to
          .authenticates()
          .on('subscribe', ({ subscription_id }) =>
            to.send({ type: 'error', code: 'rate_limited', message: 'enough', subscription_id }),
          ),
    });
    await using client = await connect(server.url, CREDENTIAL);
    const follow = client.follow('stations');
    await take(follow, 1);
    await expect(follow.next()).rejects.toMatchObject({ code: 'rate_limited', retryable: false });
  });
});

test('the id of a record may stand anywhere', async () => {
  await using server = await HostileServer.start({
    answer: (_request, response) =>
      json(response, 200, {
        items: [{ code: 'x', name: 'one' }],
        page: { next_cursor: null, has_more: false, event_cursor: 'c0' },
      }),
    talk: (to) =>
      to.authenticates().subscribes((subscriptionId) => to.event(subscriptionId, 1, { code: 'r1' })),
  });
  await using client = await connect(server.url, CREDENTIAL);
  await expect(client.follow('stations').next()).rejects.toMatchObject({ code: 'invalid_record' });
  await using follow = client.follow<{ code: string }>('stations', {
    recordId: ({ code }) => (typeof code === 'string' ? code : ''),
  });
  await take(follow, 3);
  expect([...follow.records.keys()]).toEqual(['x', 'r1']);
});
