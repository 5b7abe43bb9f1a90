import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { ExplorerProcess, runExplorer } from './support/explorer-process.ts';
import { refusal, serving, startServer } from './support/refusal.ts';
import { type RunningSite, startSite } from './support/start-site.ts';

let site: RunningSite;

beforeAll(async () => {
  site = await startSite();
});

afterAll(() => site[Symbol.asyncDispose]());

describe('an address', () => {
  test('of an implementation is shown by the page on loopback; Ctrl-C ends it', async () => {
    await using explorer = await ExplorerProcess.start([site.baseUrl]);
    expect(explorer.stdout).toBe(`Sample observatory: ${explorer.url} (Ctrl-C ends it)\n`);
    expect(explorer.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
    const page = await fetch(explorer.url);
    expect(page.headers.get('content-security-policy')).toContain("connect-src 'self';");
    const html = await page.text();
    expect(html).toContain('?resource=stations');
    expect(html).toContain('Degrees north.');
    expect(await explorer.stop('SIGINT')).toBe(0);
    expect(explorer.stderr).toBe('');
  });

  test('may be that of the discovery document, and the port may be chosen', async () => {
    const { discovery } = site.implementation.discovery.endpoints;
    await using first = await ExplorerProcess.start([discovery]);
    const { port } = new URL(first.url);
    await using taken = runExplorer([discovery, '--port', port]);
    expect(await taken.exited()).toBe(1);
    expect(taken.stderr).toContain(`port ${port} cannot be listened on`);
    await first.stop('SIGTERM');
    await using second = await ExplorerProcess.start([discovery, '--port', port]);
    expect(new URL(second.url).port).toBe(port);
  });

  test('by http on loopback is asked by http throughout', async () => {
    await using plain = await startSite({ isSecure: false, observations: 2 });
    await using explorer = await ExplorerProcess.start([plain.baseUrl]);
    const { collection_url: url = '' } = plain.implementation.discovery.resources[0] ?? {};
    const list = await fetch(
      `${explorer.url}relay?url=${encodeURIComponent(url.replace('https:', 'http:'))}`,
      { headers: { authorization: `Rostack-Token ${plain.token}` } },
    );
    expect(list.status).toBe(200);
  });

  test('whose discovery is not public needs a token in the environment, which nothing prints', async () => {
    await using closed = await startSite({ discoveryPublic: false, observations: 0 });
    await using refused = runExplorer([closed.baseUrl]);
    expect(await refused.exited()).toBe(1);
    expect(refused.stderr).toContain('is not public: put a token that may read it into ROSTACK_TOKEN');
    await using wrong = runExplorer([closed.baseUrl], { ROSTACK_TOKEN: 'rostack_wrong' });
    expect(await wrong.exited()).toBe(1);
    expect(wrong.stderr).toContain('refuses the token in ROSTACK_TOKEN (401)');
    expect(wrong.stderr).not.toContain('rostack_wrong');
    await using opened = await ExplorerProcess.start([closed.baseUrl], { ROSTACK_TOKEN: closed.token });
    const html = await (await fetch(opened.url)).text();
    expect(html).toContain('?resource=stations');
    expect(html + opened.stdout + opened.stderr).not.toContain(closed.token);
  });
});

describe('what cannot be shown is refused with the reason', () => {
  test('nobody listens there', async () => {
    const server = await startServer(serving({}));
    await server[Symbol.asyncDispose]();
    expect(await refusal(server.url)).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^error: http:\/\/127\.0\.0\.1:\d+\/\.well-known\/rostack cannot be reached: connect ECONNREFUSED [^\n]+\n$/,
      ),
    });
  });

  test('a document with faults', async () => {
    const document = { protocol: { name: 'rostack', version: 'rostack_v1' }, errors: {}, '\u001b[31m': 1 };
    await using server = await startServer(serving(document));
    const { code, stderr } = await refusal(server.url);
    expect(code).toBe(1);
    expect(stderr).toContain('breaks the protocol:\n  /implementation: is required');
    expect(stderr).not.toMatch(/\p{Cc}(?<!\n)/u);
  });

  test('no URL at all', async () => {
    const { code, stderr } = await refusal();
    expect(code).toBe(2);
    expect(stderr).toContain('pass one URL');
    expect(stderr).toContain('--help');
  });
});

test('Ctrl-C ends it while a page is connected, and the connection with it', async () => {
  await using explorer = await ExplorerProcess.start([site.baseUrl]);
  const gateway = encodeURIComponent(site.implementation.discovery.endpoints.websocket);
  const address = `${explorer.url.replace('http:', 'ws:')}relay?url=${gateway}`;
  const socket = new WebSocket(address, 'rostack.v1', { origin: explorer.origin });
  await once(socket, 'open');
  const closed = once(socket, 'close');
  expect(await explorer.stop('SIGINT')).toBe(0);
  await closed;
  expect(explorer.stderr).toBe('');
});

describe.runIf(process.platform === 'linux')('--open', () => {
  test('hands the address to the browser that the system has', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rostack-explorer-'));
    const opened = join(folder, 'opened');
    await writeFile(
      join(folder, 'xdg-open'),
      `#!/bin/sh\necho "$1" > '${opened}.new' && mv '${opened}.new' '${opened}'\n`,
      {
        mode: 0o755,
      },
    );
    const PATH = `${folder}${delimiter}${process.env['PATH']}`;
    await using explorer = await ExplorerProcess.start([site.baseUrl, '--open'], { PATH });
    await expect.poll(() => readFile(opened, 'utf8').catch(() => '')).toBe(`${explorer.url}\n`);
    await rm(folder, { recursive: true });
  });

  test('where there is none, the address is to be opened by hand', async () => {
    await using explorer = await ExplorerProcess.start([site.baseUrl, '--open'], { PATH: '/nowhere' });
    await expect.poll(() => explorer.stderr).toContain('open the address yourself');
    expect((await fetch(explorer.url)).status).toBe(200);
  });
});

test('help and version go to standard output', async () => {
  await using help = runExplorer(['--help']);
  expect(await help.exited()).toBe(0);
  expect(help.stdout).toMatch(/^Usage: rostack-explorer <url>/);
  await using version = runExplorer(['--version']);
  expect(await version.exited()).toBe(0);
  expect(version.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

describe('the relay', () => {
  let explorer: ExplorerProcess;

  beforeAll(async () => {
    explorer = await ExplorerProcess.start([site.baseUrl]);
  });

  afterAll(() => explorer[Symbol.asyncDispose]());

  const stations = () => site.implementation.discovery.resources[0]?.collection_url ?? '';
  const ask = (url: string, headers: Record<string, string> = {}) =>
    fetch(`${explorer.url}relay?url=${encodeURIComponent(url)}`, { headers });
  const authorization = () => `Rostack-Token ${site.token}`;

  test('passes advertised reads on, with the token in a header, and answers as JSON alone', async () => {
    const list = await ask(`${stations()}?limit=1`, {
      authorization: authorization(),
      origin: explorer.origin,
    });
    expect(list.status).toBe(200);
    expect(list.headers.get('content-type')).toBe('application/json');
    expect(list.headers.get('x-content-type-options')).toBe('nosniff');
    expect(list.headers.get('access-control-allow-origin')).toBeNull();
    expect((await ask(`${stations()}/busan`, { authorization: authorization() })).status).toBe(200);
    expect((await ask(site.implementation.discovery.endpoints.discovery)).status).toBe(200);
    expect((await ask(stations())).status).toBe(401);
    expect(site.requests.map(({ url }) => url).join(' ')).not.toContain(site.token);
  });

  test.for([
    ['another path', (): string => `${site.baseUrl}/explorer-assets/x.js`],
    ['a way around', (): string => `${stations()}/../../explorer-assets/x.js`],
    ['another server', (): string => 'https://elsewhere.example/api/stations'],
    ['another scheme', (): string => stations().replace('https:', 'http:')],
    ['no URL', (): string => 'stations'],
  ] as const)('refuses %s', async ([, url]) => {
    expect((await ask(url(), { authorization: authorization() })).status).toBe(403);
  });

  test('serves its own page alone', async () => {
    for (const site of ['cross-site', 'same-site', 'none'])
      expect((await ask(stations(), { 'sec-fetch-site': site })).status).toBe(403);
    const { status } = await explorer.requestAs('rebound.example');
    expect(status).toBe(421);
  });

  const dial = async (url: string, origin: string | undefined, protocol = 'rostack.v1'): Promise<string> => {
    const address = `${explorer.url.replace('http:', 'ws:')}relay?url=${encodeURIComponent(url)}`;
    const socket: WebSocket = new WebSocket(address, protocol, origin === undefined ? {} : { origin });
    // Sent when a socket that never opened is terminated.
    socket.on('error', () => {});
    const outcome = await new Promise<string>((resolve) => {
      socket.once('open', () => resolve(`open ${socket.protocol}`));
      socket.once('unexpected-response', (_, answer) => resolve(String(answer.statusCode)));
    });
    socket.terminate();
    return outcome;
  };

  test('joins WebSockets of its own page to the gateway, and no others', async () => {
    const { websocket } = site.implementation.discovery.endpoints;
    expect(await dial(websocket, explorer.origin)).toBe('open rostack.v1');
    expect(site.requests.at(-1)).toEqual({ url: new URL(websocket).pathname, origin: undefined });
    expect(await dial(websocket, 'https://elsewhere.example')).toBe('403');
    expect(await dial(websocket, undefined)).toBe('403');
    expect(await dial('wss://elsewhere.example/gateway', explorer.origin)).toBe('403');
    expect(await dial(websocket, explorer.origin, 'other.v1')).toBe('400');
  });
});
