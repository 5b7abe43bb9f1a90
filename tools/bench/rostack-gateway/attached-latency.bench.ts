/**
 * From the commit of an application to its partners' callbacks: rows of an attached table of PostgreSQL are updated 200 times a second, each
 * in a transaction of its own, and now and then after a rest, and clients follow the table. With the processor time of gateway and database.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { connect } from 'rostack-client';
import { builtProgram } from 'test-support/built-program';
import { createDatabase, queryPostgres } from 'test-support/postgres';
import { temporaryFolder } from 'test-support/temporary-folder';
import { GatewayProcess } from '../../../apps/rostack-gateway/test/support/spawn-gateway.ts';
import { quantile } from '../support/numbers.ts';
import { cpuUsOf } from '../support/processes.ts';
import { report } from '../support/report.ts';

const ROWS = Number(process.env['BENCH_ROWS'] ?? 10_000);
const CHANGES_PER_SECOND = 200;
const BUSY_MS = 10_000;
const WARM_UP_MS = 3_000;
const RESTS = 12;
const REST_MS = 1_200;

builtProgram('apps/rostack-gateway/dist/cli/main.js');

interface Point {
  readonly id: string;
  readonly value: number;
}

async function writeConfig(folder: string, url: string): Promise<void> {
  const schema = {
    type: 'object',
    additionalProperties: false,
    required: ['id', 'value', 'note'],
    properties: { id: { type: 'string' }, value: { type: 'integer' }, note: { type: 'string' } },
  };
  await writeFile(join(folder, 'point.json'), JSON.stringify(schema));
  const config = {
    identity: { id: 'bench', name: 'Bench', api_version: '1' },
    listeners: { data: { port: 0, tls: 'loopback' } },
    rates: { per_address: { requests: 10_000 }, per_principal: { requests: 10_000 } },
    store: { url },
    log: { level: 'error' },
    permissions: { 'points:read': 'Read points.' },
    resources: {
      points: {
        schema: 'point.json',
        source: { table: 'public.points', key: 'id', columns: ['id', 'value', 'note'] },
        read_permissions: ['points:read'],
        events: {
          'point.made': { transition: 'create' },
          'point.changed': { transition: 'update' },
          'point.gone': { transition: 'delete' },
        },
      },
    },
  };
  await writeFile(join(folder, 'rostack-gateway.yaml'), JSON.stringify(config));
}

await using stack = new AsyncDisposableStack();
const { url } = stack.use(await createDatabase());
await queryPostgres(
  `create table points (id text primary key, value integer not null, note text not null);
    insert into points select n::text, 0, repeat('x', 180) from generate_series(0, ${ROWS - 1}) n`,
  url,
);
const folder = stack.use(await temporaryFolder());
await writeConfig(folder.path, url);

async function command(...argv: string[]): Promise<string> {
  await using running = new GatewayProcess(argv, { folder: folder.path });
  if ((await running.exited()) !== 0) throw new Error(running.stderr);
  return running.stdout.trim();
}

const attachedMs = performance.now();
await command('attach');
console.log(
  `${ROWS} rows are attached and read in ${((performance.now() - attachedMs) / 1_000).toFixed(1)} s`,
);
const token = await command('token', 'create', '-p', 'bench', '-g', 'points:read');
const gateway = stack.use(new GatewayProcess(['start'], { folder: folder.path }));
const [, port] = await gateway.prints(/on port (\d+)/);
const writer = new Client({ connectionString: url });
await writer.connect();
stack.defer(() => writer.end());

/** When the commit of each value was answered. Rows begin with 0. */
const committedAtMs: number[] = [0];
async function write(): Promise<void> {
  const value = committedAtMs.push(Number.NaN) - 1;
  await writer.query('update points set value = $1 where id = $2', [value, String((value * 7_919) % ROWS)]);
  committedAtMs[value] = performance.now();
}

async function measure(followers: number): Promise<void> {
  await using clients = new AsyncDisposableStack();
  const closing = new AbortController();
  let latencies: number[] = [];
  const awaited = { events: 0 };
  const live = Array.from({ length: followers }, async () => {
    const client = clients.use(
      await connect(
        `http://localhost:${port}`,
        { method: 'shared_token', token },
        { allowInsecureLoopback: true },
      ),
    );
    const changes = client.follow<Point>('points', { signal: closing.signal });
    await new Promise<void>((resolve, reject) => {
      void (async () => {
        for await (const change of changes) {
          if (change.kind === 'live') resolve();
          if (change.kind !== 'updated') continue;
          awaited.events -= 1;
          latencies.push(performance.now() - (committedAtMs[change.record.value] ?? Number.NaN));
        }
      })().catch((error: unknown) => {
        if (!closing.signal.aborted) reject(error instanceof Error ? error : new Error(String(error)));
      });
    });
  });
  await Promise.all(live);
  const settle = async () => {
    while (awaited.events > 0) await wait(20);
  };
  const busy = async (forMs: number) => {
    const startedMs = performance.now();
    for (let written = 0; performance.now() - startedMs < forMs; written += 1) {
      await wait(Math.max(0, startedMs + (written * 1_000) / CHANGES_PER_SECOND - performance.now()));
      awaited.events += followers;
      await write();
    }
    await settle();
  };
  const percentile = (share: number): number =>
    Math.max(
      0,
      quantile(
        latencies.filter((ms) => !Number.isNaN(ms)),
        share,
      ),
    );
  await busy(WARM_UP_MS);
  latencies = [];
  const pid = gateway.child.pid ?? 0;
  const usedUs = await cpuUsOf(pid);
  const startedMs = performance.now();
  await busy(BUSY_MS);
  const share = ((await cpuUsOf(pid)) - usedUs) / ((performance.now() - startedMs) * 1_000);
  const name = `attached-latency/${followers === 1 ? 'one-follower' : `${followers}-followers`}`;
  const note = `ms, p99 ${percentile(0.99).toFixed(1)}, ${share.toFixed(2)} of a core`;
  report(`rostack-gateway/${name}/p50`, { ratio: percentile(0.5), bar: 8, want: 'at most', note });
  latencies = [];
  for (let rest = 0; rest < RESTS; rest += 1) {
    await wait(REST_MS + ((rest * 37) % 100));
    awaited.events += followers;
    await write();
    await settle();
  }
  report(`rostack-gateway/${name}/after-rest-max`, {
    ratio: percentile(0.999),
    bar: 50,
    want: 'at most',
    note: `ms, p50 ${percentile(0.5).toFixed(1)}`,
  });
  closing.abort();
}

await measure(1);
await measure(20);
await gateway.stop();
