import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { runConformanceCommand } from '../src/cli/run-command.ts';
import { CLIENT_CHECKS, CLIENT_JUDGEMENTS } from '../src/client/client-checks.ts';
import { runClientConformance } from '../src/client/run-client-conformance.ts';
import { type Report, readRequirements } from '../src/index.ts';
import { CLIENT_MUTANTS } from './support/client-mutants.ts';
import { ADAPTERS, expectFailing, expectKept, nodeOf, UNJUDGED } from './support/client-runs.ts';
import { oneIn } from './support/one-in.ts';

/** One of each group: how it follows, takes messages and errors, keeps its state and takes a snapshot. */
const QUICK = [
  'client.follow.order',
  'client.follow.duplicates',
  'client.messages.unknown-member',
  'client.errors.permission_denied',
  'client.state.other-filter',
  'client.snapshot.cut-chain',
];

// The night has all checks of both clients that keep the protocol, and all faults.
describe('a client that keeps the protocol passes:', () => {
  test.for(['the plain one', 'rostack-client'] as const)('%s', { timeout: 120_000 }, async (adapter) => {
    await expectKept(adapter, QUICK);
  });
});

describe('a client with a fault fails for it, and for nothing else:', () => {
  test.concurrent.for(oneIn(8, CLIENT_MUTANTS))('$name', { timeout: 120_000 }, async (mutant) => {
    await expectFailing(mutant);
  });
});

test('the command tells what it starts and what is broken, and writes the reports', {
  timeout: 60_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'client-report-'));
  const said: string[] = [];
  const stdout = new Writable({
    write(chunk, _, done) {
      said.push(String(chunk));
      done();
    },
  });
  const run = (...argv: string[]) =>
    runConformanceCommand(['client', ...argv], {
      environment: {},
      stdin: Readable.from([]),
      stdout,
      stderr: stdout,
      stop: new AbortController().signal,
    });
  try {
    const adapter = nodeOf(join(ADAPTERS, 'plain.mjs'));
    const options = ['--only', 'client.heartbeat.pong', '--seed', '7', '--report', folder];
    expect(await run('--adapter', adapter, ...options)).toBe(0);
    expect(said.join('')).toContain('1 checks of the client');
    const report = JSON.parse(await readFile(join(folder, 'report.json'), 'utf8')) as Report;
    expect(report).toMatchObject({ seed: 7, is_conformant: true, levels: { follows: 'partly' } });
    expect(await run('--adapter', 'exit 0', '--only', 'client.heartbeat.pong')).toBe(1);
    expect(said.join('')).toContain('the adapter has ended');
    expect(await run('--adapter', 'echo hello', '--only', 'client.heartbeat.pong')).toBe(1);
    expect(said.join('')).toContain('the adapter said hello, which is not a JSON object');
    expect(await run('--list')).toBe(0);
    expect(said.join('')).toContain('client.snapshot.cut-chain\n  client.snapshot.whole\n');
    expect(await run('--adapter', adapter, '--only', 'nothing')).toBe(2);
    expect(await run()).toBe(2);
  } finally {
    await rm(folder, { recursive: true });
  }
});

const RUDE = `
  const { url, token } = JSON.parse(await new Promise((resolve) => process.stdin.once('data', resolve)));
  const headers = { authorization: \`Rostack-Token \${token}\` };
  for (const path of ['/api/things?filter={', '/api/things?filter={"/value":{"eq":{}}}', '/api/things/%zz', '//', '/%zz'])
    await fetch(url + path, { headers });
  const socket = new WebSocket(url.replace('https', 'wss') + '/gateway', 'rostack.v1');
  socket.onopen = () => {
    const more = { type: 'subscribe', subscription_id: 's', resource: 'things', filter: { '/value': { eq: {} } } };
    for (const text of ['{', '[]', 'null', '{"type":"subscribe"}', JSON.stringify(more), new Uint8Array([1])]) socket.send(text);
  };
`;

test('a client that sends nonsense fails, and is no fault of the kit', { timeout: 60_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'client-rude-'));
  try {
    const script = join(folder, 'rude.mjs');
    await writeFile(script, RUDE);
    const only = ['client.heartbeat.pong'];
    const run = await runClientConformance({ adapter: nodeOf(script), only, patienceMs: 6_000 });
    expect(run.results.flatMap(({ error }) => error ?? [])).toEqual([]);
    const failed = run.verdicts.filter(({ status }) => status === 'fail');
    expect(failed.map(({ requirement }) => requirement.id).sort()).toEqual([
      'client.heartbeat',
      'ws.frames',
      'ws.heartbeat.pong',
      'ws.message.pong',
      'ws.message.subscribe',
    ]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('a run that is given up ends the processes of the adapter', { timeout: 60_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'client-stop-'));
  // A process that hears nothing is connected as long as it lives.
  const server = createServer().listen(0, '127.0.0.1');
  try {
    await once(server, 'listening');
    const script = join(folder, 'deaf.mjs');
    await writeFile(
      script,
      "import { connect } from 'node:net'; connect(Number(process.argv[2]), '127.0.0.1');",
    );
    const stop = new AbortController();
    const adapter = `${nodeOf(script)} ${(server.address() as AddressInfo).port}`;
    const run = runClientConformance({ adapter, only: ['client.heartbeat.pong'], signal: stop.signal });
    const [socket] = (await once(server, 'connection')) as [Socket];
    const ended = new Promise((resolve) => {
      socket.on('error', resolve).on('close', resolve).resume();
    });
    stop.abort(new Error('given up'));
    await expect(run).rejects.toThrow('given up');
    await ended;
  } finally {
    server.close();
    await rm(folder, { recursive: true });
  }
});

test('each requirement that is judged has a fault that breaks it', () => {
  const broken = new Set(CLIENT_MUTANTS.flatMap(({ fails }) => fails));
  const judged = CLIENT_JUDGEMENTS.flatMap(({ requirements }) => requirements);
  expect(judged.filter((id) => !broken.has(id) && !UNJUDGED.includes(id))).toEqual([]);
});

test('the names of the checks are unique, and what they judge are requirements', () => {
  const names = CLIENT_CHECKS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  const known = new Set([...readRequirements('2026-08-12').keys(), ...readRequirements('2026-08-13').keys()]);
  expect(
    CLIENT_JUDGEMENTS.flatMap(({ requirements }) => requirements).filter((id) => !known.has(id)),
  ).toEqual([]);
});
