import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from 'test-support/temporary-folder';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { HostileServer, json } from '../../rostack-client/test/support/hostile-server.ts';
import { station } from '../../rostack-client/test/support/observatory.ts';
import { TestGateway } from '../../rostack-client/test/support/test-gateway.ts';
import { jsonLines, runCommand, startCli } from './support/run-cli.ts';

let gateway: TestGateway;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let environment: Record<string, string>;

beforeAll(async () => {
  folder = await temporaryFolder();
  gateway = await TestGateway.start();
  environment = { ROSTACK_TOKEN: gateway.token().token };
  await gateway.put('stations', ...Array.from({ length: 150 }, (_, number) => station(number)));
  await gateway.put('memos', { id: 'm1', text: 'two\nlines \u001b[31m' });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const run = (...argv: readonly string[]) => runCommand(argv, { environment });

test('list prints every record as a line of JSON', async () => {
  const { code, output, errors } = await run('list', gateway.url, 'stations');
  expect([code, errors]).toEqual([0, '']);
  expect(jsonLines(output)).toEqual(Array.from({ length: 150 }, (_, number) => station(number)));
});

test('list filters, sorts, keeps fields and ends at its limit', async () => {
  const { output } = await run(
    'list',
    gateway.url,
    'stations',
    '--filter={"/region":{"eq":"제주"}}',
    '--sort=-/altitude',
    '--fields=/id,/altitude',
    '--limit=3',
  );
  const wanted = Array.from({ length: 150 }, (_, number) => station(number))
    .filter(({ region }) => region === '제주')
    .sort((a, b) => b.altitude - a.altitude || (a.id < b.id ? -1 : 1))
    .slice(0, 3)
    .map(({ id, altitude }) => ({ id, altitude }));
  expect(jsonLines(output)).toEqual(wanted);
});

test('a filter that compares with another type lists nothing, and says why', async () => {
  const filter = '--filter={"/altitude":{"gt":"50"}}';
  expect(await run('list', gateway.url, 'stations', filter)).toEqual({
    code: 0,
    output: '',
    errors:
      'warning: the filter of stations matches nothing by /altitude {"gt":"50"}: the field is number, and no type converts to another\n',
  });
});

test('a person gets a table, in which nothing controls the terminal', async () => {
  const { output } = await runCommand(['list', gateway.url, 'stations', '--limit', '2'], {
    environment,
    isTTY: true,
  });
  expect(output.split('\n')).toEqual([
    'id            name      region  altitude',
    'station-0000  관측소 0  강원    0',
    'station-0001  관측소 1  제주    37',
    '',
  ]);
  const memos = await run('list', gateway.url, 'memos', '--output', 'table');
  expect(memos.output).toBe('id  text\nm1  two lines \\u001b[31m\n');
});

test('get prints one record, and exits with 3 where there is none', async () => {
  expect(await run('get', gateway.url, 'stations', 'station-0007')).toEqual({
    code: 0,
    output: `${JSON.stringify(station(7))}\n`,
    errors: '',
  });
  expect(await run('get', gateway.url, 'stations', 'no-such')).toEqual({
    code: 3,
    output: '',
    errors: 'error: the record no-such of stations is not there, or not for this token to see\n',
  });
});

test('follow goes on where it was, with a state', async () => {
  const argv = ['follow', gateway.url, 'memos', '--once', '--state', join(folder.path, 'follow.db')];
  const first = jsonLines((await run(...argv)).output);
  expect(first.map(({ kind, id }) => [kind, id])).toEqual([
    ['present', 'm1'],
    ['live', undefined],
  ]);
  await gateway.put('memos', { id: 'm2', text: 'new' });
  const second = jsonLines((await run(...argv)).output);
  expect(second).toMatchObject([
    { kind: 'created', id: 'm2', record: { id: 'm2', text: 'new' }, eventType: 'memo.written' },
    { kind: 'live' },
  ]);
  await gateway.remove('memos', 'm2');
});

test('follow tells changes as they happen, until it is stopped', async () => {
  const running = startCli(['follow', gateway.url, 'stations', '--filter', '{"/region":{"eq":"dokdo"}}'], {
    environment,
  });
  await vi.waitUntil(() => running.output().includes('live'), { timeout: 20_000 });
  await gateway.put('stations', station(900, { region: 'dokdo' }));
  await vi.waitUntil(() => running.output().includes('created'), { timeout: 20_000 });
  await gateway.put('stations', station(900, { region: 'elsewhere' }));
  await vi.waitUntil(() => running.output().includes('left-or-deleted'), { timeout: 20_000 });
  running.stop();
  expect((await running.result).code).toBe(0);
  await gateway.remove('stations', station(900).id);
});

test('follow waits while a proxy answers in place of the server', async () => {
  let answers = 0;
  await using server = await HostileServer.start({
    answerDiscovery(_request, response) {
      answers += 1;
      if (answers === 1) response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>');
      else json(response, 200, server.discovery());
    },
    talk: (conversation) => void conversation.authenticates().subscribes(),
  });
  const { code, output, errors } = await run('follow', server.url, 'memos', '--once');
  expect([code, jsonLines(output)]).toEqual([0, [{ kind: 'live' }]]);
  expect(errors).toMatch(/^waiting \d+ ms: .*502.*\n$/);
});

test.each([['follow'], ['mirror']])(
  '%s can be stopped while it waits for its first answer',
  async (command) => {
    let answers = 0;
    await using server = await HostileServer.start({
      answerDiscovery(_request, response) {
        answers += 1;
        response.writeHead(503, { 'retry-after': '60' }).end();
      },
    });
    const file = command === 'mirror' ? [join(folder.path, 'waiting.db')] : [];
    const running = startCli([command, server.url, 'memos', ...file], { environment });
    await vi.waitUntil(() => answers > 0, { timeout: 20_000 });
    running.stop();
    expect(await running.result).toMatchObject({ code: 0, output: '' });
  },
);

test('types, openapi and asyncapi need no token where discovery is public', async () => {
  const types = await runCommand(['types', gateway.url]);
  expect(types.code).toBe(0);
  expect(types.output).toContain('export interface StationsRecord {\n  readonly id: string;');
  const file = join(folder.path, 'openapi.json');
  expect(await runCommand(['openapi', gateway.url, '--out', file])).toEqual({
    code: 0,
    output: '',
    errors: '',
  });
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({
    openapi: '3.1.1',
    paths: { '/stations/{id}': {} },
  });
  const asyncApi = await runCommand(['asyncapi', gateway.url]);
  expect(JSON.parse(asyncApi.output)).toMatchObject({ asyncapi: '3.0.0' });
});

test.each<[string, readonly string[], number, string]>([
  [
    'no token',
    ['list', 'URL', 'stations', '--token-env', 'NOWHERE'],
    2,
    'error: there is no token: put one into the environment variable NOWHERE, or name another one with --token-env\n',
  ],
  [
    'a filter that is not JSON',
    ['list', 'URL', 'stations', '--filter', 'north'],
    2,
    `error: option '--filter <json>' argument 'north' is invalid. Expected JSON, such as '{"/region":{"eq":"north"}}'.\n(add --help for the usage)\n`,
  ],
  [
    'a filter that is not declared',
    ['list', 'URL', 'stations', '--filter', '{"/id":{"eq":"a"}}'],
    2,
    'error: ',
  ],
  [
    'an unknown resource',
    ['list', 'URL', 'boats'],
    2,
    'error: the server has no resource "boats"; it has: stations, memos, readings, notices, archive\n',
  ],
  [
    'a limit of nothing',
    ['list', 'URL', 'stations', '--limit', '0'],
    2,
    "error: option '--limit <count>' argument '0' is invalid. Expected a positive integer.\n",
  ],
  ...['1e3', '0x10', ' 5', '+5', '1.0', ''].map((limit): [string, readonly string[], number, string] => [
    `a limit that is not only digits, ${JSON.stringify(limit)},`,
    ['list', 'URL', 'stations', '--limit', limit],
    2,
    `error: option '--limit <count>' argument '${limit}' is invalid. Expected a positive integer.\n`,
  ]),
  ['a missing permission', ['list', 'URL', 'notices'], 1, 'error: permission-denied (403)'],
  [
    'a server that is not there',
    ['list', 'https://localhost:4', 'stations'],
    1,
    'error: https://localhost:4/.well-known/rostack could not be read: nothing listens there: check host and port, and that the server runs (ECONNREFUSED)\n',
  ],
  [
    'an address without a scheme',
    ['list', 'localhost:8951', 'stations'],
    2,
    'error: localhost:8951 is not a URL: write one such as https://localhost:8951; http is for servers on this computer\n',
  ],
  [
    'plain HTTP elsewhere',
    ['follow', 'http://data.example.com', 'stations'],
    2,
    'error: http://data.example.com is not https; http is for servers on this computer\n',
  ],
  ['no command', ['mirorr', 'URL'], 2, "error: unknown command 'mirorr'\n(Did you mean mirror?)\n"],
])('%s is an error in one sentence', async (_name, argv, code, sentence) => {
  const result = await run(...argv.map((word) => (word === 'URL' ? gateway.url : word)));
  expect(result).toMatchObject({ code, output: '' });
  expect(result.errors.startsWith(sentence), result.errors).toBe(true);
});
