import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { INAPPLICABLE } from './conformance/inapplicable.ts';
import { type ServedGateway, serveGateway } from './support/served-gateway.ts';

const CLI = fileURLToPath(new URL('../src/cli/cli.ts', import.meta.url));
const SUITE = fileURLToPath(
  new URL('../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
);

let served: ServedGateway;
let child: ChildProcess;
let url: URL;

beforeAll(async () => {
  served = await serveGateway();
  await served.put({ id: 's1', height: 1 });
  child = spawn(process.execPath, ['--conditions=workspace-source', CLI, served.gateway.url, '--http', '0'], {
    env: served.environment,
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  let told = '';
  for await (const piece of child.stderr ?? []) {
    told += String(piece);
    const [found] = /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(told) ?? [];
    if (found === undefined) continue;
    url = new URL(found);
    break;
  }
}, 60_000);
afterAll(async () => {
  child.kill('SIGTERM');
  if (child.exitCode === null) await once(child, 'close');
  await served[Symbol.asyncDispose]();
});

test.each(['legacy', 'auto'] as const)(
  'a client of versions "%s" calls tools over Streamable HTTP',
  async (mode) => {
    const client = new Client({ name: 'test-client', version: '1.0.0' }, { versionNegotiation: { mode } });
    await client.connect(new StreamableHTTPClientTransport(url));
    const { structuredContent } = await client.callTool({ name: 'get_stations', arguments: { id: 's1' } });
    expect(structuredContent).toEqual({ record: { id: 's1', height: 1 } });
    await client.close();
  },
);

test.each([
  ['a foreign host', { host: 'evil.example' }, '/mcp', 403],
  ['a foreign page', { origin: 'https://evil.example' }, '/mcp', 403],
  ['another path', {}, '/', 404],
])('%s is refused', async (_name, headers, path, status) => {
  const answer = await new Promise<number>((resolve, reject) => {
    request({ host: '127.0.0.1', port: url.port, path, method: 'POST', headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on('error', reject)
      .end('{}');
  });
  expect(answer).toBe(status);
});

test('the requirements of 2025-11-25 are met but for what does not apply', { timeout: 120_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rostack-mcp-conformance-'));
  const listed = INAPPLICABLE.flatMap(({ checks }) => checks);
  await writeFile(join(folder, 'baseline.yaml'), JSON.stringify({ server: listed }));
  const suite = spawn(
    process.execPath,
    [
      SUITE,
      'server',
      `--url=${url.href}`,
      '--requirements=2025-11-25',
      `--expected-failures=${join(folder, 'baseline.yaml')}`,
      `--output-dir=${join(folder, 'results')}`,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, NODE_OPTIONS: '' } },
  );
  const [output] = await Promise.all([text(suite.stdout), text(suite.stderr), once(suite, 'close')]);
  expect(suite.exitCode, output).toBe(0);
  const checks: { readonly status: string }[] = [];
  for (const scenario of await readdir(join(folder, 'results')))
    checks.push(
      ...(JSON.parse(await readFile(join(folder, 'results', scenario, 'checks.json'), 'utf8')) as {
        status: string;
      }[]),
    );
  expect(checks.filter(({ status }) => status === 'SUCCESS').length).toBeGreaterThanOrEqual(10);
  await rm(folder, { recursive: true });
});
