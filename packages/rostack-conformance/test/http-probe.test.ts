import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { HttpProbe, type HttpProbeOptions } from '../src/probe/http/http-probe.ts';

const SECRET = 'secret token/1';

/** A probe of a server that answers as `listener` does; time passes by itself. */
async function probing(listener: RequestListener, options: Partial<HttpProbeOptions> = {}) {
  const server = createServer(listener).listen(0, 'localhost');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const waits: number[] = [];
  const http = new HttpProbe({
    base: new URL(`http://localhost:${port}`),
    scheme: 'Rostack-Token',
    secrets: [SECRET],
    signal: new AbortController().signal,
    maxRequests: 20,
    clock: { nowMs: () => 0, wait: async (ms) => void waits.push(ms) },
    ...options,
  });
  return {
    http,
    port,
    waits,
    async [Symbol.asyncDispose]() {
      await http.close();
      server.close();
      server.closeAllConnections();
    },
  };
}

test.each([
  ['retry_after_ms of the problem', { 'Retry-After': '9' }, '{"retry_after_ms":1500}', 1_500],
  ['Retry-After in seconds', { 'Retry-After': '2' }, '', 2_000],
  ['a second without either', {}, 'no', 1_000],
])('429 is waited out, by %s', async (_, headers, body, waitMs) => {
  let count = 0;
  const told: number[] = [];
  await using probe = await probing(
    (_request, response) => {
      count += 1;
      if (count < 3) response.writeHead(429, headers).end(body);
      else response.end('"served"');
    },
    { onWait: (ms) => told.push(ms) },
  );
  expect(await probe.http.get('/a')).toMatchObject({ status: 200, json: 'served' });
  expect(probe.waits).toEqual([waitMs, waitMs]);
  expect(told).toEqual(probe.waits);
});

test('a target that asks to wait for more than a minute, or again and again, ends it', async () => {
  await using long = await probing((_, response) => response.writeHead(429, { 'Retry-After': '61' }).end());
  await expect(long.http.get('/')).rejects.toMatchObject({ code: 'rate_limited_for_too_long' });
  await using again = await probing((_, response) => response.writeHead(429).end());
  await expect(again.http.get('/')).rejects.toMatchObject({ code: 'rate_limited_for_too_long' });
  expect(again.waits).toHaveLength(10);
});

test('a service-unavailable of the protocol is waited out, and told where it stays', async () => {
  const body = '{"retry_after_ms":1500}';
  let count = 0;
  await using probe = await probing((_, response) => {
    count += 1;
    if (count < 3) response.writeHead(503).end(body);
    else response.end('"served"');
  });
  expect(await probe.http.get('/')).toMatchObject({ status: 200, json: 'served' });
  expect(probe.waits).toEqual([1_500, 1_500]);

  await using away = await probing((_, response) => response.writeHead(503).end(body));
  expect(await away.http.get('/')).toMatchObject({ status: 503 });
  expect(away.waits).toHaveLength(10);

  await using proxy = await probing((_, response) => response.writeHead(503).end('no'));
  expect(await proxy.http.get('/')).toMatchObject({ status: 503 });
  expect(proxy.waits).toEqual([]);
});

test('no more is sent than may be', async () => {
  await using probe = await probing((_, response) => response.end(), { maxRequests: 2 });
  await probe.http.get('/');
  await probe.http.get('/');
  await expect(probe.http.get('/')).rejects.toMatchObject({ code: 'request_budget_spent' });
  expect(probe.http.count).toBe(2);
});

test('credentials are sent, and are in no part of the exchange', async () => {
  await using probe = await probing((request, response) => {
    response.setHeader('X-Said', `${request.headers.authorization}`);
    response.end(`${request.url} ${request.headers.authorization}`);
  });
  const { exchange } = await probe.http.get(`/?token=${encodeURIComponent(SECRET)}`, { token: SECRET });
  expect(exchange.text).toBe('/?token=[redacted] Rostack-Token [redacted]');
  expect(exchange.isAuthenticated).toBe(true);
  expect(JSON.stringify(exchange)).not.toMatch(/secret/);
});

test('a field may be sent several times, and all fields of a name are read', async () => {
  await using probe = await probing((request, response) => {
    const sent = request.rawHeaders.filter((_, index, all) => all[index - 1] === 'X-A');
    response.setHeader('WWW-Authenticate', ['Bearer', 'Rostack-Token']);
    response.end(JSON.stringify(sent));
  });
  const answer = await probe.http.get('/', { headers: { 'X-A': ['1', '2'] } });
  expect(answer.json).toEqual(['1', '2']);
  expect(answer.headers('www-authenticate')).toEqual(['Bearer', 'Rostack-Token']);
});

test('a connection that ends without an answer is told by a code', async () => {
  await using probe = await probing((request) => request.socket.destroy());
  await expect(probe.http.get('/')).rejects.toMatchObject({ code: 'unreachable' });
});

test('a request on a connection that the target closes meanwhile is sent again on another one', async () => {
  const sockets = new Map<unknown, number>();
  await using probe = await probing(({ socket }, response) => {
    const count = (sockets.get(socket) ?? 0) + 1;
    sockets.set(socket, count);
    if (count === 1) response.end('1');
    else socket.resetAndDestroy();
  });
  for (const path of ['/a', '/b', '/c']) expect(await probe.http.get(path)).toMatchObject({ json: 1 });
  expect([...sockets.values()]).toEqual([2, 2, 1]);
});

test('where the target is insecure, its own secure URLs mean insecure ones', async () => {
  await using probe = await probing((_, response) => response.end());
  const { http, port } = probe;
  expect(http.reachable(`https://localhost:${port}/a`).href).toBe(`http://localhost:${port}/a`);
  expect(http.reachable(`wss://localhost:${port}/a`).href).toBe(`ws://localhost:${port}/a`);
  expect(http.reachable('https://other.example/a').href).toBe('https://other.example/a');
});
