/**
 * What an idle connection costs a whole gateway, with its workers and its supervisor, up to more connections than one process may open
 * files: memory of all processes after garbage collection, kernel memory, and processor time. A straight line fitted through several counts
 * gives the cost of one connection. `BENCH_CONNECTIONS` lists the counts, `BENCH_WORKERS` is the number of workers.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { type BenchGateway, startBenchGateway } from '../support/gateway/bench-gateway.ts';
import { sqliteFile } from '../support/gateway/databases.ts';
import { IMAGE_PROCESS } from '../support/gateway/image-process.ts';
import { socketCacheBytes } from '../support/kernel-memory.ts';
import { processesOf, residentBytes, threadTimeUs } from '../support/processes.ts';
import { report } from '../support/report.ts';
import { ClientProcesses } from '../support/sockets/client-processes.ts';
import { slopeOf, slopeText } from '../support/straight-line.ts';

const COUNTS = (process.env['BENCH_CONNECTIONS'] ?? '10000,20000,35000,50000').split(',').map(Number);
const WORKERS = Number(process.env['BENCH_WORKERS'] ?? 3);
/** The first connections load code and fill pools that later ones share. */
const FIRST = 1_000;
const PLENTY = 1_000_000;
const RECORDS = 5_000;
const SETTLE_MS = 2_000;
const ATTEMPTS = 10;
const MIN_OPEN_SHARE = 0.99;
const IDLE_MS = 5_000;
const BAR_BYTES = 8_192;
const MIB = 1_048_576;

interface Measured {
  readonly connections: number;
  readonly residentBytes: number;
  readonly supervisorBytes: number;
  /** JavaScript heap and buffers of the workers. */
  readonly heapBytes: number;
  /** Socket memory of both ends. */
  readonly kernelBytes: number;
  /** Processor time of an idle second, in us. */
  readonly idleCpuUs: number;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

async function measure(gateway: BenchGateway, connections: number): Promise<Measured> {
  const pids = await processesOf(gateway.pid);
  for (let round = 0; round < 3; round += 1) {
    await wait(SETTLE_MS);
    for (const each of pids) process.kill(each, 'SIGUSR2');
  }
  await wait(SETTLE_MS);
  const times = async () => sum(await Promise.all(pids.map(threadTimeUs)));
  const [before, startedMs] = [await times(), performance.now()];
  await wait(IDLE_MS);
  const idleCpuUs = ((await times()) - before) / ((performance.now() - startedMs) / 1_000);
  let samples = await gateway.metrics();
  const sample = (name: string) => samples.get(name) ?? Number.NaN;
  const open = () => sample('rostack_websocket_connections');
  // On a busy machine a worker may be late with its metrics, so the previous ones are shown.
  for (let attempt = 1; open() < MIN_OPEN_SHARE * connections; attempt += 1) {
    if (attempt > ATTEMPTS) throw new Error(`${open()} of ${connections} connections are open`);
    await wait(SETTLE_MS);
    samples = await gateway.metrics();
  }
  return {
    connections: open(),
    residentBytes: sum(await Promise.all(pids.map(residentBytes))),
    supervisorBytes: await residentBytes(gateway.pid),
    heapBytes: sample('nodejs_heap_size_used_bytes') + sample('nodejs_external_memory_bytes'),
    kernelBytes: socketCacheBytes(),
    idleCpuUs,
  };
}

async function run(name: string, subscribe: object | undefined): Promise<void> {
  await using database = await sqliteFile();
  const collector = new URL('./support/collect-on-signal.ts', import.meta.url).href;
  await using gateway = await startBenchGateway(database, {
    records: RECORDS,
    sections: {
      workers: WORKERS,
      limits: {
        max_connections: PLENTY,
        max_connections_per_address: PLENTY,
        max_connections_per_principal: PLENTY,
        heartbeat_interval: '1h',
        // On a busy machine clients are slow to authenticate; one that is too late gets an error and is closed.
        authentication_timeout: '5m',
      },
    },
    surroundings: {
      ...IMAGE_PROCESS,
      nodeOptions: [...IMAGE_PROCESS.nodeOptions, '--expose-gc', `--import=${collector}`],
    },
  });
  const measured: Measured[] = [];
  {
    await using clients = new ClientProcesses();
    let connections = 0;
    for (const count of [FIRST, ...COUNTS]) {
      await clients.open(gateway.clients(count - connections, subscribe));
      connections = count;
      const each = await measure(gateway, connections);
      measured.push(each);
      console.log(
        `${each.connections} connections, ${name}: ${(each.residentBytes / MIB).toFixed(0)} MiB resident, of them supervisor ${(each.supervisorBytes / MIB).toFixed(0)}; JavaScript and buffers ${(each.heapBytes / MIB).toFixed(0)} MiB`,
      );
    }
  }
  const fit = (of: (each: Measured) => number) =>
    slopeOf(measured.slice(1).map((each) => [each.connections, of(each)] as const));
  const resident = fit((each) => each.residentBytes);
  report(`rostack-gateway/idle-workers/${name}`, {
    ratio: resident.slope,
    bar: BAR_BYTES,
    want: 'at most',
    note: `bytes each, ${WORKERS} workers: resident ${slopeText(resident)}, of them JavaScript and buffers ${slopeText(fit((each) => each.heapBytes))}, in the supervisor ${slopeText(fit((each) => each.supervisorBytes))}, kernel ${slopeText(fit((each) => each.kernelBytes / 2))}; processor ${slopeText(fit((each) => each.idleCpuUs))} us each and second`,
  });
}

await run('bytes', undefined);
await run('bytes-with-a-subscription', {});
