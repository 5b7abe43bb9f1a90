import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { Gateway } from '../src/gateway.ts';
import { createLogger } from '../src/observe/logger.ts';
import { checkReadiness } from '../src/observe/readiness.ts';
import { createToken } from '../src/token/create-token.ts';
import { ADMIN_TOKEN, adminGateway } from './support/admin-gateway.ts';
import { bearing, get } from './support/get.ts';

const records = (count: number) =>
  Array.from({ length: count }, (_, height) => ({
    resource: 'stations',
    op: 'put' as const,
    record: { id: `s${height}`, height },
  }));

async function tokenFor(gateway: Gateway): Promise<string> {
  const { token } = await createToken(gateway.store.tokens, {
    subject: 'me',
    grants: ['stations:read', 'stations:follow'],
  });
  return token;
}

const caOf = (gateway: Gateway) => readFileSync(gateway.developmentCertificatePath ?? '', 'utf8');

/** A client that has subscribed to stations. */
async function follow(gateway: Gateway, token: string): Promise<WebSocket> {
  const { websocket } = gateway.implementation.discovery.endpoints;
  const socket = new WebSocket(websocket, 'rostack.v1', { ca: caOf(gateway) });
  const next = async () => {
    const [data] = (await once(socket, 'message')) as [Buffer];
    return JSON.parse(data.toString()) as { type: string };
  };
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'authenticate', method: 'shared_token', token }));
  expect(await next()).toMatchObject({ type: 'authenticated' });
  socket.send(JSON.stringify({ type: 'subscribe', subscription_id: 's', resource: 'stations' }));
  expect(await next()).toMatchObject({ type: 'subscribed' });
  return socket;
}

/** Value of one sample of the exposition format; undefined where there is none. */
function sample(
  metrics: string,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  const line = metrics
    .split('\n')
    .find(
      (candidate) =>
        new RegExp(`^${name}(?:\\{| )`).test(candidate) &&
        Object.entries(labels).every(([label, value]) => candidate.includes(`${label}="${value}"`)),
    );
  return line === undefined ? undefined : Number(line.slice(line.lastIndexOf(' ') + 1));
}

describe('metrics', () => {
  test('count requests by route and problem, connections, events, and where the log and its readers stand', async () => {
    await using running = await adminGateway();
    const { gateway } = running;
    const token = await tokenFor(gateway);
    const ca = caOf(gateway);
    await gateway.store.apply(records(5));
    const paths = [
      '/api/stations',
      '/api/stations',
      '/api/stations/absent',
      '/api/stations?limit=x',
      '/.well-known/rostack',
    ];
    for (const path of paths) await get(`${gateway.url}${path}`, { ca, headers: bearing(token) });
    await get(`${gateway.url}/api/stations`, { ca });
    const socket = await follow(gateway, token);
    const received = once(socket, 'message');
    await gateway.store.apply([{ resource: 'stations', op: 'delete', id: 's0' }]);
    await received;

    const response = await running.admin('/metrics');
    expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    const metrics = await response.text();
    const list = { operation: 'list', resource: 'stations' };
    expect(sample(metrics, 'rostack_http_requests_total', { ...list, status: '200', problem: 'none' })).toBe(
      2,
    );
    expect(sample(metrics, 'rostack_http_requests_total', { ...list, problem: 'invalid-request' })).toBe(1);
    expect(
      sample(metrics, 'rostack_http_requests_total', { ...list, problem: 'authentication-required' }),
    ).toBe(1);
    expect(
      sample(metrics, 'rostack_http_requests_total', { operation: 'get', problem: 'resource-not-found' }),
    ).toBe(1);
    expect(sample(metrics, 'rostack_http_request_duration_seconds_count', { operation: 'list' })).toBe(4);
    const stations = { resource: 'stations' };
    expect({
      connections: sample(metrics, 'rostack_websocket_connections'),
      subscriptions: sample(metrics, 'rostack_resource_subscriptions', stations),
      paused: sample(metrics, 'rostack_websocket_paused_connections'),
      events: sample(metrics, 'rostack_events_total', stations),
      head: sample(metrics, 'rostack_log_head_position', stations),
      floor: sample(metrics, 'rostack_log_floor_position', stations),
      lag: sample(metrics, 'rostack_tail_lag_changes', stations),
      oldest: sample(metrics, 'rostack_oldest_cursor_lag_changes', stations),
      margin: sample(metrics, 'rostack_oldest_cursor_retention_margin_changes', stations),
      up: sample(metrics, 'rostack_store_up'),
    }).toEqual({
      connections: 1,
      subscriptions: 1,
      paused: 0,
      events: 1,
      head: 6,
      floor: 0,
      lag: 0,
      oldest: 0,
      margin: 6,
      up: 1,
    });
    expect(sample(metrics, 'rostack_tail_lag_seconds', stations)).toBeLessThan(5);
    expect(sample(metrics, 'process_resident_memory_bytes')).toBeGreaterThan(0);
    for (const line of metrics.split('\n').filter((line) => line.startsWith('rostack_'))) {
      expect(line).toMatch(/^rostack_[a-z_]+(?:\{[^{}]*\})? -?[\d.e+-]+$/);
    }

    socket.close();
    await once(socket, 'close');
    await expect
      .poll(async () =>
        sample(await (await running.admin('/metrics')).text(), 'rostack_websocket_closes_total', {
          code: '1005',
        }),
      )
      .toBe(1);
  });

  test('are those that the guide tells of', async () => {
    await using running = await adminGateway({ sections: 'metrics: { process: false }' });
    const metrics = await (await running.admin('/metrics')).text();
    const names = [...metrics.matchAll(/^# TYPE (\w+) /gm)].map((match) => match[1]);
    const guide = readFileSync(new URL('../../../docs/guides/operating.md', import.meta.url), 'utf8');
    const told = [...guide.matchAll(/`(rostack_\w+)(?:\{([\w,]*)\})?`/g)];
    expect(new Set(told.map((match) => match[1]))).toEqual(new Set(names));
  });

  test('can be left out', async () => {
    await using running = await adminGateway({ sections: 'metrics: { enabled: false }' });
    expect((await running.admin('/metrics')).status).toBe(404);
  });
});

describe('health', () => {
  test('is asked without a token: alive, and ready once it serves', async () => {
    await using running = await adminGateway();
    const alive = await running.admin('/healthz', { token: null });
    expect([alive.status, await alive.json()]).toEqual([200, { status: 'ok' }]);
    const ready = await running.admin('/readyz', { token: null });
    expect([ready.status, await ready.json()]).toEqual([
      200,
      { status: 'ready', checks: { migrations: 'ok', store: 'ok', tail: 'ok', serving: 'ok' } },
    ]);
  });

  test('is not ready when the store does not answer, and while it drains', async () => {
    await using running = await adminGateway();
    const { gateway } = running;
    const socket = await follow(gateway, await tokenFor(gateway));
    await gateway.store.close();
    const down = await running.admin('/readyz');
    expect(down.status).toBe(503);
    expect(await down.json()).toMatchObject({
      status: 'not_ready',
      checks: { store: 'failed', migrations: 'ok' },
    });
    const closing = gateway.close(1_000);
    await expect
      .poll(async () => ((await (await running.admin('/readyz')).json()) as { checks: object }).checks)
      .toMatchObject({ serving: 'failed' });
    expect((await running.admin('/healthz')).status).toBe(200);
    await closing;
    socket.terminate();
  });

  test('looks at migrations, the tail and the time that the store takes', async () => {
    await using running = await adminGateway();
    const { store, status } = running.gateway;
    const serving = { resources: ['stations'], store, status, tables: [], isDraining: false };
    const limits = { maxTailLagMs: 1_000, storeTimeoutMs: 50 };
    const checksOf = async (seen: Parameters<typeof checkReadiness>[0]) =>
      (await checkReadiness(seen, limits)).checks;
    expect(await checksOf({ ...serving, store: undefined, status: undefined })).toEqual({
      migrations: 'failed',
      store: 'failed',
      tail: 'ok',
      serving: 'failed',
    });
    const [stations] = status.resources;
    if (stations === undefined) throw new Error('no status');
    const lagging = { ...status, resources: [{ ...stations, behindMs: 1_500 }] };
    expect(await checksOf({ ...serving, status: lagging })).toMatchObject({ tail: 'failed', store: 'ok' });
    const silent = { source: () => ({ head: () => new Promise(() => {}) }) } as unknown as typeof store;
    expect(await checksOf({ ...serving, store: silent })).toMatchObject({ store: 'failed' });
  });
});

/** Keeps what is written to it. */
class Lines extends Writable {
  text = '';

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }

  get objects(): Record<string, unknown>[] {
    return this.text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  }
}

describe('logs', () => {
  test('are one JSON object a line, with the request id that the client gets, and no credential ever', async () => {
    const destination = new Lines();
    const otlpSecret = 'otlp-secret-0123456789';
    const logger = createLogger({
      level: 'debug',
      format: 'json',
      destination,
      secrets: [ADMIN_TOKEN, otlpSecret],
    });
    await using running = await adminGateway({ dependencies: { logger } });
    const { gateway } = running;
    const token = await tokenFor(gateway);
    const ca = caOf(gateway);
    const jwt = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJzb21lYm9keSJ9.c2lnbmF0dXJl';
    const secrets = [token.split('_')[2] ?? '', ADMIN_TOKEN, jwt, otlpSecret, 'hunter2hunter2'];

    const listed = await get(`${gateway.url}/api/stations`, { ca, headers: bearing(token) });
    const named = await get(`${gateway.url}/api/stations`, { ca, headers: { 'X-Request-Id': 'mine-1' } });
    // Credentials where they do not belong: in paths, in queries, in fields of another meaning.
    for (const path of [
      `/api/stations/${token}`,
      `/api/${token}`,
      `/api/stations?access_token=${token}`,
      `/${jwt}`,
    ]) {
      await get(`${gateway.url}${path}`, {
        ca,
        headers: { 'X-Request-Id': token, Authorization: `Bearer ${jwt}` },
      });
    }
    await running.admin(`/resources/stations/${token}`, { method: 'DELETE' });
    await running.admin(`/resources/${encodeURIComponent(ADMIN_TOKEN)}/x`, { method: 'DELETE' });
    await running.admin('/metrics', { token: `${ADMIN_TOKEN}x` });
    (await follow(gateway, token)).terminate();
    logger.error(
      { err: new Error(`connect to postgres://gateway:hunter2hunter2@db/x with ${otlpSecret} failed`) },
      'x',
    );
    logger.warn(`header Authorization: Rostack-Token ${token}`);

    const requests = destination.objects.filter(({ msg }) => msg === 'request');
    expect(requests[0]).toMatchObject({
      level: 30,
      requestId: listed.headers['x-request-id'],
      method: 'GET',
      path: '/api/stations',
      operation: 'list',
      resource: 'stations',
      status: 200,
      durationMs: expect.any(Number),
      principalId: expect.any(String),
      clientAddress: '127.0.0.1',
    });
    expect(requests[1]).toMatchObject({
      requestId: 'mine-1',
      status: 401,
      problem: 'authentication-required',
    });
    expect(named.body).toMatchObject({ request_id: 'mine-1' });
    expect(destination.objects.map(({ msg }) => msg)).toEqual(
      expect.arrayContaining(['admin request', 'connected', 'authenticated']),
    );
    for (const secret of secrets) expect(destination.text).not.toContain(secret);
    expect(destination.text).toContain('[redacted]');
  });

  test('of unexpected errors say what the client is not told, under the same request id', async () => {
    const destination = new Lines();
    const logger = createLogger({ level: 'info', format: 'json', destination, secrets: [] });
    await using running = await adminGateway({ dependencies: { logger } });
    const { gateway } = running;
    const token = await tokenFor(gateway);
    const ca = caOf(gateway);
    // Known to the authenticator, so that the request comes to the records.
    await get(`${gateway.url}/api/stations`, { ca, headers: bearing(token) });
    await gateway.store.close();
    const failed = await get(`${gateway.url}/api/stations/a`, { ca, headers: bearing(token) });
    expect(failed.status).toBe(503);
    const { request_id: requestId } = failed.body as { request_id: string };
    expect(destination.objects).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          level: 50,
          requestId,
          err: expect.objectContaining({ message: expect.any(String) }),
        }),
        expect.objectContaining({ level: 40, requestId, status: 503, problem: 'service-unavailable' }),
      ]),
    );
  });

  test('can be text for people', () => {
    const destination = new Lines();
    createLogger({ level: 'info', format: 'text', destination, secrets: [] }).info(
      { port: 1, a: { b: 2 } },
      'serving',
    );
    expect(destination.text).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z info serving port=1 a=\{"b":2\}\n$/);
  });
});

interface Span {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly kind: number;
  readonly attributes: readonly { readonly key: string; readonly value: Record<string, unknown> }[];
}

interface Export {
  readonly path: string;
  readonly headers: Record<string, unknown>;
  readonly body: {
    readonly resourceSpans: readonly {
      readonly resource: { readonly attributes: Span['attributes'] };
      readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
    }[];
  };
}

/** A collector that takes OTLP over HTTP. */
async function collector(): Promise<AsyncDisposable & { readonly url: string; readonly exports: Export[] }> {
  const exports: Export[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      exports.push({
        path: request.url ?? '',
        headers: request.headers,
        body: JSON.parse(body) as Export['body'],
      });
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    exports,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

const attributesOf = ({ attributes }: Pick<Span, 'attributes'>) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

describe('traces', () => {
  test('go to the collector: a span for each request under the trace of the client, and one for each look at the store', async () => {
    await using otlp = await collector();
    const running = await adminGateway({
      sections: `telemetry: { otlp_endpoint: ${otlp.url}, otlp_headers: { env: OTLP_HEADERS }, service_name: observatory }`,
      environment: { OTLP_HEADERS: 'x-api-key=collector%20key' },
    });
    const { gateway } = running;
    const token = await tokenFor(gateway);
    const ca = caOf(gateway);
    await gateway.store.apply(records(3));
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const traceparent = `00-${traceId}-b7ad6b7169203331-01`;
    await get(`${gateway.url}/api/stations?limit=2`, { ca, headers: { ...bearing(token), traceparent } });
    await get(`${gateway.url}/api/stations/absent`, { ca, headers: bearing(token) });
    await get(`${gateway.url}/api/stations/${token}`, { ca, headers: { 'X-Request-Id': token } });
    await running[Symbol.asyncDispose]();

    const [first] = otlp.exports;
    expect(first).toMatchObject({ path: '/v1/traces', headers: { 'x-api-key': 'collector key' } });
    const groups = otlp.exports.flatMap(({ body }) => body.resourceSpans);
    expect(attributesOf(groups[0]?.resource ?? { attributes: [] })).toMatchObject({
      'service.name': 'observatory',
    });
    const spans = groups.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
    const list = spans.find(({ name }) => name === 'list stations');
    expect(list).toMatchObject({ traceId, parentSpanId: 'b7ad6b7169203331', kind: 2 });
    expect(attributesOf(list ?? { attributes: [] })).toMatchObject({
      'http.request.method': 'GET',
      'url.path': '/api/stations',
      'http.response.status_code': 200,
      'rostack.resource': 'stations',
      'rostack.request_id': expect.any(String),
    });
    const page = spans.find(({ name }) => name === 'store page');
    expect(page).toMatchObject({ traceId, parentSpanId: list?.spanId });
    const missed = spans.find(({ name }) => name === 'get stations');
    expect(missed?.traceId).not.toBe(traceId);
    expect(attributesOf(missed ?? { attributes: [] })).toMatchObject({ 'error.type': 'resource-not-found' });
    expect(JSON.stringify(otlp.exports)).not.toContain(token.split('_')[2]);
  });

  test('that nobody takes hold up nothing', async () => {
    const destination = new Lines();
    const logger = createLogger({ level: 'warn', format: 'json', destination, secrets: [] });
    const running = await adminGateway({
      sections: 'telemetry: { otlp_endpoint: "http://127.0.0.1:9" }',
      dependencies: { logger },
    });
    const { gateway } = running;
    const ca = caOf(gateway);
    expect((await get(`${gateway.url}/.well-known/rostack`, { ca })).status).toBe(200);
    const startedAtMs = performance.now();
    await running[Symbol.asyncDispose]();
    expect(performance.now() - startedAtMs).toBeLessThan(10_000);
    expect(destination.objects).toMatchObject([{ msg: 'traces cannot be sent' }]);
  });
});
