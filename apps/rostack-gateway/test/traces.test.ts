import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { createLogger } from '../src/observe/log/logger.ts';
import { adminGateway } from './support/admin-gateway.ts';
import { bearing, get } from './support/get.ts';
import { caOf, Lines, records, tokenFor } from './support/observed.ts';

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
