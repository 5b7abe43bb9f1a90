/**
 * What an idle connection costs: memory of the process and of the kernel, and processor time, for `ws` alone, the gateway, the gateway
 * with a subscription each, with a filter each, and over TLS, each server in a process of its own; then what an event costs for each
 * subscriber, and for each filter that it is tested against. A straight line through several counts tells the cost of one from what is
 * there anyway. `BENCH_CONNECTIONS` lists the counts; a process may have to be allowed that many files (`ulimit -n`). Those of TLS and
 * of events are a quarter. `BENCH_KINDS` lists what to measure, all by default.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { makeCertificate } from 'test-support/certificate';
import { socketCacheBytes } from '../support/kernel-memory.ts';
import { report } from '../support/report.ts';
import { ClientProcesses } from '../support/sockets/client-processes.ts';
import type { SinkPlan } from '../support/sockets/frame-sink-worker.ts';
import { FrameSinks } from '../support/sockets/frame-sinks.ts';
import { slopeOf, slopeText } from '../support/straight-line.ts';
import type { HostRequest, HostSetup, HostUse } from './support/idle-host.ts';

const COUNTS = (process.env['BENCH_CONNECTIONS'] ?? '5000,10000,15000,19500').split(',').map(Number);
const QUARTERS = COUNTS.map((count) => Math.round(count / 4));
/** What is there before the first count: the first connections bring code and pools that the next ones share. */
const FIRST = 500;
const IDLE_MS = 3_000;
const CHANGES = 20;
const BAR_BYTES = 8_192;
/** As the image of the gateway has it: what a burst of upgrades leaves in the heap would be taken for connections. */
const ENVIRONMENT = {
  ...process.env,
  NODE_OPTIONS: '--max-semi-space-size=4',
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
};
async function ask<Answer>(host: ChildProcess, request: HostRequest): Promise<Answer> {
  host.send(request);
  const [answer] = (await once(host, 'message')) as [Answer];
  return answer;
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

async function measure(
  setup: HostSetup,
  counts: readonly number[],
  subscribe: object | undefined,
): Promise<readonly Measured[]> {
  const host = await startHost(setup);
  const measured: Measured[] = [];
  let connections = 0;
  try {
    await using clients = new ClientProcesses();
    for (const count of [FIRST, ...counts]) {
      const more = { connections: count - connections, ...(subscribe && { subscribe }) };
      await clients.open(await ask<SinkPlan>(host, { kind: 'plan', ...more }));
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
        kernelBytes: socketCacheBytes(),
        idleCpuUs: (after.cpuUs - idleFrom.cpuUs) / seconds,
      });
    }
  } finally {
    host.kill();
    await once(host, 'exit');
  }
  return measured.slice(1);
}

async function run(
  name: string,
  setup: HostSetup,
  { counts = COUNTS, subscribe }: { readonly counts?: readonly number[]; readonly subscribe?: object } = {},
): Promise<void> {
  const measured = await measure(setup, counts, subscribe);
  const fit = (of: (each: Measured) => number) =>
    slopeOf(measured.map((each) => [each.connections, of(each)] as const));
  const resident = fit(({ residentBytes }) => residentBytes);
  const heap = fit(({ heapBytes }) => heapBytes);
  const kernel = fit(({ kernelBytes }) => kernelBytes / 2);
  const cpu = fit(({ idleCpuUs }) => idleCpuUs);
  const totals = measured.map(
    (each) => `${each.connections}: ${(each.residentBytes / 1_048_576).toFixed(0)} MiB`,
  );
  const note = `bytes each: resident ${slopeText(resident)}, of them JavaScript and buffers ${slopeText(heap)}, kernel ${slopeText(kernel)}; processor ${slopeText(cpu)} us each and second; ${totals.join(', ')}`;
  if (name === 'gateway') {
    report('rostack-server/idle-connections/bytes', {
      ratio: resident.slope,
      bar: BAR_BYTES,
      want: 'at most',
      note,
    });
  } else {
    console.log(`idle-connections, ${name}: ${note}`);
  }
}

/** Processor time of the gateway for an event: the slope over the number of connections, each with a subscription. */
async function runEvents(name: string, subscribe: object, receivers: 'all' | 'one'): Promise<void> {
  const host = await startHost({ kind: 'gateway' });
  const points: (readonly [number, number])[] = [];
  try {
    await using sinks = new FrameSinks();
    const plan = (connections: number, of: object) =>
      ask<SinkPlan>(host, { kind: 'plan', connections, subscribe: of });
    // It gets each event, so that there is always somebody who says that an event was handled.
    const witness = await sinks.open(await plan(1, {}));
    for (const connections of [1, ...QUARTERS]) {
      const id = await sinks.open(await plan(connections, subscribe));
      for (const isCounted of [false, true]) {
        const before = await ask<HostUse>(host, { kind: 'idle' });
        const received = [
          sinks.receive(witness, CHANGES),
          ...(receivers === 'all' ? [sinks.receive(id, connections * CHANGES)] : []),
        ];
        await ask<null>(host, { kind: 'publish', changes: CHANGES });
        await Promise.all(received);
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
    `idle-connections, ${name}: ${slopeText(slopeOf(points))} us of processor for an event and each of them, ${first?.[1].toFixed(0)} us for a change with one; ${points.map(([count]) => count).join(', ')} of them`,
  );
}

/** Another one for each connection, which matches no record. */
const EQUALITY = { filter: { '/region': { eq: 'nowhere-{number}' } } };
/** The same, which no index answers. */
const RANGE = { filter: { '/region': { gt: 'yonder-{number}' } } };
const gateway: HostSetup = { kind: 'gateway' };

const kinds: Readonly<Record<string, () => Promise<void>>> = {
  ws: () => run('ws', { kind: 'ws' }),
  gateway: () => run('gateway', gateway),
  subscription: () => run('with a subscription', gateway, { subscribe: {} }),
  filter: () => run('with a filter', gateway, { subscribe: EQUALITY }),
  tls: async () => run('TLS', { kind: 'tls', certificate: await makeCertificate() }, { counts: QUARTERS }),
  events: () => runEvents('events to subscribers', {}, 'all'),
  equality: () => runEvents('events tested against equalities', EQUALITY, 'one'),
  range: () => runEvents('events tested against ranges', RANGE, 'one'),
};
const wanted = process.env['BENCH_KINDS']?.split(',') ?? Object.keys(kinds);

for (const kind of wanted) await kinds[kind]?.();
