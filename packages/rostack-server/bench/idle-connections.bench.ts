/**
 * What an idle connection costs: memory of the process and of the kernel, and processor time, for `ws` alone, the gateway, the gateway
 * with a subscription each, and the gateway over TLS, each server in a process of its own. A straight line through several counts
 * tells the cost of one from what is there anyway. `BENCH_CONNECTIONS` lists the counts; a process may have to be allowed that many
 * files (`ulimit -n`).
 */
import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { SinkPlan } from './support/frame-sink-worker.ts';
import { FrameSinks } from './support/frame-sinks.ts';
import type { HostRequest, HostSetup, HostUse } from './support/idle-host.ts';
import { report } from './support/rounds.ts';

const COUNTS = (process.env['BENCH_CONNECTIONS'] ?? '4000,8000,12000,16000').split(',').map(Number);
const IDLE_MS = 3_000;
const CHANGES = 20;
const BAR_BYTES = 8_192;
/** As the image of the gateway has it: what a burst of upgrades leaves in the heap would be taken for connections. */
const ENVIRONMENT = {
  ...process.env,
  NODE_OPTIONS: '--max-semi-space-size=8',
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
};
/** What the kernel keeps for an open TCP connection, by the names of its caches; both ends are on this machine. */
const SLABS =
  /^(TCP|TCPv6|sock_inode_cache|filp|dentry|eventpoll_epi|ep_head|tw_sock_TCP)\s+(\d+) +\d+ +(\d+)/gm;

const folder = mkdtempSync(join(tmpdir(), 'idle-connections-'));
const [certificateFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
execFileSync(
  'openssl',
  [
    'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=localhost -days 1'.split(
      ' ',
    ),
    ['-keyout', keyFile, '-out', certificateFile],
  ].flat(),
  { stdio: 'ignore' },
);

async function ask<Answer>(host: ChildProcess, request: HostRequest): Promise<Answer> {
  host.send(request);
  const [answer] = (await once(host, 'message')) as [Answer];
  return answer;
}

/** Bytes of the kernel's caches for sockets, by their own counts; NaN where they cannot be read. */
function slabBytes(): number {
  try {
    let bytes = 0;
    for (const [, , objects, size] of readFileSync('/proc/slabinfo', 'utf8').matchAll(SLABS)) {
      bytes += Number(objects) * Number(size);
    }
    return bytes;
  } catch {
    return Number.NaN;
  }
}

interface Measured {
  readonly connections: number;
  readonly residentBytes: number;
  readonly heapBytes: number;
  /** Of both ends. */
  readonly kernelBytes: number;
  /** Processor time of an idle second, in us. */
  readonly idleCpuUs: number;
}

/** A server in a process of its own, which is ready. */
async function startHost(setup: HostSetup): Promise<ChildProcess> {
  const host = fork(new URL('./support/idle-host.ts', import.meta.url), [JSON.stringify(setup)], {
    execArgv: ['--conditions=workspace-source', '--expose-gc'],
    env: ENVIRONMENT,
  });
  await once(host, 'message');
  return host;
}

async function measure(setup: HostSetup, subscribe: object | undefined): Promise<readonly Measured[]> {
  const host = await startHost(setup);
  const clients: ChildProcess[] = [];
  const measured: Measured[] = [];
  let connections = 0;
  try {
    // The first connections bring code and pools that the next ones share.
    for (const count of [500, ...COUNTS]) {
      const more = count - connections;
      const plan = await ask<SinkPlan>(host, {
        kind: 'plan',
        connections: more,
        ...(subscribe && { subscribe }),
      });
      const client = spawn(
        process.execPath,
        [
          '--conditions=workspace-source',
          new URL('./support/idle-clients.ts', import.meta.url).pathname,
          JSON.stringify(plan),
        ],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      );
      clients.push(client);
      await once(client.stdout, 'data');
      connections = count;
      await wait(1_000);
      const before = await ask<HostUse>(host, { kind: 'use' });
      const startedMs = performance.now();
      const idleFrom = await ask<HostUse>(host, { kind: 'idle' });
      await wait(IDLE_MS);
      const after = await ask<HostUse>(host, { kind: 'idle' });
      const seconds = (performance.now() - startedMs) / 1_000;
      measured.push({
        connections,
        residentBytes: before.residentBytes,
        heapBytes: before.heapBytes,
        kernelBytes: slabBytes(),
        idleCpuUs: (after.cpuUs - idleFrom.cpuUs) / seconds,
      });
    }
  } finally {
    for (const client of clients) {
      const ended = once(client, 'exit');
      if (client.kill()) await ended;
    }
    host.kill();
    await once(host, 'exit');
  }
  return measured.slice(1);
}

/** The slope of the straight line with the least squares, and its standard error. */
function slopeOf(points: readonly (readonly [number, number])[]): { slope: number; error: number } {
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanX, meanY] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))];
  const sumXX = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  const slope = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / sumXX;
  const residues = points.reduce((sum, [x, y]) => sum + (y - meanY - slope * (x - meanX)) ** 2, 0);
  return { slope, error: Math.sqrt(residues / (points.length - 2) / sumXX) };
}

const text = ({ slope, error }: { slope: number; error: number }): string =>
  `${slope.toFixed(slope < 100 ? 2 : 0)} ± ${error.toFixed(slope < 100 ? 2 : 0)}`;

async function run(name: string, setup: HostSetup, subscribe?: object): Promise<void> {
  const measured = await measure(setup, subscribe);
  const fit = (of: (each: Measured) => number) =>
    slopeOf(measured.map((each) => [each.connections, of(each)] as const));
  const resident = fit(({ residentBytes }) => residentBytes);
  const heap = fit(({ heapBytes }) => heapBytes);
  const kernel = fit(({ kernelBytes }) => kernelBytes / 2);
  const cpu = fit(({ idleCpuUs }) => idleCpuUs);
  const note = `bytes each: resident ${text(resident)}, of them JavaScript and buffers ${text(heap)}, kernel ${text(kernel)}; processor ${text(cpu)} us each and second; ${COUNTS.join(', ')} connections`;
  if (name === 'gateway') {
    report('idle-connections/bytes', { ratio: resident.slope, bar: BAR_BYTES, want: 'at most', note });
  } else {
    console.log(`idle-connections, ${name}: ${note}`);
  }
}

/** Processor time of the gateway for an event and a subscriber: the slope over the number of subscribers. */
async function runEvents(): Promise<void> {
  const host = await startHost({ kind: 'gateway' });
  const points: (readonly [number, number])[] = [];
  try {
    await using sinks = new FrameSinks();
    for (const connections of [1, ...COUNTS.map((count) => Math.round(count / 4))]) {
      const id = await sinks.open(await ask<SinkPlan>(host, { kind: 'plan', connections, subscribe: {} }));
      for (const isCounted of [false, true]) {
        const before = await ask<HostUse>(host, { kind: 'idle' });
        const received = sinks.receive(id, connections * CHANGES);
        await ask<null>(host, { kind: 'publish', changes: CHANGES });
        await received;
        const after = await ask<HostUse>(host, { kind: 'idle' });
        if (isCounted) points.push([connections, (after.cpuUs - before.cpuUs) / CHANGES]);
      }
      await sinks.close(id);
    }
  } finally {
    host.kill();
    await once(host, 'exit');
  }
  const [first] = points;
  console.log(
    `idle-connections, events: ${text(slopeOf(points))} us of processor for an event and subscriber, ${first?.[1].toFixed(0)} us for a change with one subscriber`,
  );
}

try {
  await run('ws', { kind: 'ws' });
  await run('gateway', { kind: 'gateway' });
  await run('with a subscription', { kind: 'gateway' }, {});
  await run('TLS', { kind: 'tls', certificateFile, keyFile });
  await runEvents();
} finally {
  rmSync(folder, { recursive: true });
}
