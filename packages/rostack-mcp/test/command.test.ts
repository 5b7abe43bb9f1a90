import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { ForeignServer } from 'test-support/foreign/foreign-server';
import { goStyle } from 'test-support/foreign/go-style';
import { freePort } from 'test-support/free-port';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runMcpCommand } from '../src/cli/index.ts';

let server: ForeignServer;
beforeAll(async () => {
  server = await ForeignServer.start(goStyle);
});
afterAll(() => server[Symbol.asyncDispose]());

/** The command in this process. @param token undefined: none in the environment */
function run(argv: readonly string[], token: string | undefined = server.tokens[0]) {
  const stop = new AbortController();
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  let told = '';
  stderr.setEncoding('utf8').on('data', (text: string) => {
    told += text;
  });
  const environment = token === '' ? {} : { ROSTACK_TOKEN: token };
  const code = runMcpCommand(argv, { environment, stdin, stdout, stderr, stop: stop.signal });
  let ended: number | undefined;
  void code.then((found) => {
    ended = found;
  });
  return { code, exitCode: () => ended, stdin, stdout, stop, told: () => told };
}

const ADDRESS = 'http://127.0.0.1:1';

test.each<[string, readonly string[], string, string?]>([
  ['no URL', [], 'pass one URL'],
  ['two URLs', [ADDRESS, ADDRESS], 'pass one URL'],
  ['an unknown option', [ADDRESS, '--port', '1'], "'--port'"],
  ['a port that is none', [ADDRESS, '--http', '1e3'], '--http must be an integer from 0'],
  ['no records at all', [ADDRESS, '--max-count', '0'], '--max-count must be an integer from 1'],
  ['too few bytes', [ADDRESS, '--max-bytes', '1023'], '--max-bytes must be an integer from 1024'],
  ['an unknown method', [ADDRESS, '--auth', 'basic'], '--auth must be shared_token or oauth2'],
  ['an id that is no pointer', [ADDRESS, '--record-id', 'id'], '--record-id must be a JSON Pointer'],
  ['no token', [ADDRESS], 'put a token into the environment variable ROSTACK_TOKEN', ''],
])(
  '%s is wrong usage: exit code 2, what to write, and where the help is',
  async (_name, argv, says, token) => {
    const { code, told } = run(argv, token);
    expect(await code).toBe(2);
    expect(told()).toContain(says);
    expect(told()).toMatch(/^error: [^\n]+\n\(add --help for the usage\)\n$/);
  },
);

test('a server that is out of reach is a failure, one that does not take such tokens wrong usage; neither tells the token', async () => {
  for (const [argv, exitCode, says] of [
    [[`http://127.0.0.1:${await freePort()}`], 1, 'ECONNREFUSED'],
    [[server.url, '--auth', 'oauth2'], 2, 'oauth2'],
  ] as const) {
    const { code, stdin, told } = run(argv);
    stdin.end();
    expect(await code).toBe(exitCode);
    expect(told()).toMatch(/^error: /);
    expect(told()).toContain(says);
    expect(told()).not.toContain(server.tokens[0]);
  }
});

test('over stdio it answers with as many records as were asked for, until standard input ends', async () => {
  const { exitCode, stdin, stdout } = run([server.url, '--max-count', '1']);
  const lines = createInterface(stdout)[Symbol.asyncIterator]();
  const ask = async (id: number, method: string, params: object) => {
    stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return JSON.parse((await lines.next()).value as string) as {
      readonly id: number;
      readonly result: object;
    };
  };
  const clientInfo = { name: 'test-client', version: '1.0.0' };
  await ask(1, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  const { result } = await ask(2, 'tools/call', { name: 'list_health_steps', arguments: {} });
  expect(result).toMatchObject({
    structuredContent: { items: [expect.any(Object)], more: true, cursor: expect.any(String) },
  });
  stdin.end();
  await expect.poll(exitCode).toBe(0);
});

test('over HTTP it answers under both names of this computer, and when it is stopped no connection holds it', async () => {
  const { exitCode, stop, told } = run([server.url, '--http', '0']);
  await expect.poll(told).toMatch(/^rostack-mcp: http:\/\/127\.0\.0\.1:\d+\/mcp\n$/);
  const [url = ''] = /http\S+/.exec(told()) ?? [];
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => {}).write('POST /mcp HTTP/1.1\r\n');
  await once(socket, 'connect');
  for (const address of [url, url.replace('127.0.0.1', 'localhost')]) {
    const { status } = await fetch(address, { method: 'POST', body: 'nonsense' });
    expect([address, status >= 400 && status !== 403]).toEqual([address, true]);
  }
  const closed = once(socket, 'close');
  stop.abort();
  await expect.poll(exitCode).toBe(0);
  await closed;
});
