import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { readImplementation } from '../src/cli/read-implementation.ts';
import { type ServedExplorer, serveExplorer } from '../src/cli/serve-explorer.ts';
import { startSite } from './support/start-site.ts';

const stack = new AsyncDisposableStack();
let explorer: ServedExplorer;
let upstream: string;
/** What the upstream was asked, oldest first. */
const asked: { readonly url: string | undefined; readonly headers: IncomingHttpHeaders }[] = [];
let gateway: WebSocketServer;

/** Collections that answer as no implementation should, and a gateway that only takes connections. */
async function startUpstream(): Promise<string> {
  const server = createServer((incoming, outgoing) => {
    asked.push({ url: incoming.url, headers: incoming.headers });
    if (incoming.url === '/redirect') outgoing.writeHead(302, { location: '/elsewhere' }).end();
    else outgoing.writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'a=b' }).end('<script>');
  });
  gateway = new WebSocketServer({ server });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stack.defer(async () => {
    for (const socket of gateway.clients) socket.terminate();
    gateway.close();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  upstream = await startUpstream();
  const site = stack.use(await startSite({ isSecure: false, observations: 0 }));
  const opened = await readImplementation(site.baseUrl, undefined);
  const paths = ['/redirect', '/html'];
  const discovery = {
    ...opened.discovery,
    endpoints: { ...opened.discovery.endpoints, websocket: `ws://${upstream}/gateway` },
    resources: opened.discovery.resources.map((one, index) => ({
      ...one,
      collection_url: `http://${upstream}${paths[index] ?? `/other${index}`}`,
    })),
  };
  explorer = stack.use(await serveExplorer({ ...opened, discovery }, 0));
});
afterAll(() => stack.disposeAsync());

const ask = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${explorer.url}relay?url=${encodeURIComponent(`http://${upstream}${path}`)}`, {
    headers,
    redirect: 'manual',
  });

test('a redirect is not followed: the token goes where it is meant to, and nowhere else', async () => {
  asked.length = 0;
  const answer = await ask('/redirect', { authorization: 'Rostack-Token secret' });
  expect([answer.status, answer.headers.get('location')]).toEqual([302, null]);
  expect(asked.map(({ url, headers }) => [url, headers.authorization])).toEqual([
    ['/redirect', 'Rostack-Token secret'],
  ]);
});

test('what comes from elsewhere can be no page of this origin, and sets no cookie', async () => {
  const answer = await ask('/html');
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'application/octet-stream',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': 'no-store',
  });
  expect(answer.headers.get('set-cookie')).toBeNull();
});

test('what is not advertised is not asked for, however its address begins', async () => {
  asked.length = 0;
  for (const path of ['/html-of-others', '/html/inside', '/html/../inside', '/?/html'])
    expect([path, (await ask(path, { authorization: 'Rostack-Token secret' })).status]).toEqual([path, 403]);
  expect(asked).toEqual([]);
});

test('only the header fields of a read go on', async () => {
  asked.length = 0;
  await ask('/html', { accept: 'application/json', cookie: 'own=1', 'x-other': '1' });
  expect(asked[0]?.headers).toMatchObject({ accept: 'application/json' });
  expect(asked[0]?.headers).not.toHaveProperty('cookie');
  expect(asked[0]?.headers).not.toHaveProperty('x-other');
});

test.each(['cross-site', 'same-site', 'none'])('a page that is %s is not answered', async (site) => {
  asked.length = 0;
  expect((await ask('/html', { 'sec-fetch-site': site })).status).toBe(403);
  expect(asked).toEqual([]);
});

test('a foreign name of this computer is not answered', async () => {
  const sent = request(explorer.url, { headers: { host: 'rebound.example' } }).end();
  const [answer] = (await once(sent, 'response')) as [{ statusCode: number; resume: () => void }];
  answer.resume();
  expect(answer.statusCode).toBe(421);
});

function dial(origin: string | undefined, url = `ws://${upstream}/gateway`): WebSocket {
  const address = `${explorer.url.replace('http:', 'ws:')}relay?url=${encodeURIComponent(url)}`;
  const socket = new WebSocket(address, 'rostack.v1', origin === undefined ? {} : { origin });
  socket.on('error', () => {});
  return socket;
}
const own = (): string => new URL(explorer.url).origin;

test.each([
  ['of a foreign page', () => dial('https://evil.example')],
  ['of no page', () => dial(undefined)],
  ['to another gateway', () => dial(own(), 'ws://127.0.0.1:1/gateway')],
  ['to no WebSocket', () => dial(own(), `http://${upstream}/gateway`)],
] as const)('a WebSocket %s is refused', async (_, connect) => {
  const [, answer] = (await once(connect(), 'unexpected-response')) as [unknown, { statusCode: number }];
  expect(answer.statusCode).toBe(403);
});

test('when the page goes, its connection to the gateway goes too; when the gateway goes, the page is told', async () => {
  const connected = once(gateway, 'connection') as Promise<[WebSocket]>;
  const page = dial(own());
  const [far] = await connected;
  await once(page, 'open');
  const gone = once(far, 'close');
  page.terminate();
  expect((await gone)[0]).toBe(1006);

  const again = once(gateway, 'connection') as Promise<[WebSocket]>;
  const other = dial(own());
  const [second] = await again;
  const told = once(other, 'close');
  second.terminate();
  expect((await told)[0]).toBe(1006);
});

test('a closed explorer leaves no connection to the gateway', async () => {
  const connected = once(gateway, 'connection') as Promise<[WebSocket]>;
  const page = dial(own());
  const [far] = await connected;
  await once(page, 'open');
  const gone = Promise.all([once(far, 'close'), once(page, 'close')]);
  await explorer[Symbol.asyncDispose]();
  await gone;
  await expect(fetch(explorer.url)).rejects.toThrow('fetch failed');
});
