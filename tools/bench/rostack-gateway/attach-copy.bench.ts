/**
 * How long `attach` takes from its start until the table of an application is a resource: its process, the triggers, the first copy. Beside
 * it, in the same round, `COPY` of the table out of the server and into another table of the same columns and keys. `BENCH_ROWS` lists
 * the rows of the tables; a million has a bar of its own.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from 'pg';
import { builtProgram } from 'test-support/built-program';
import { connectPostgres, createDatabase, hasPostgres } from 'test-support/postgres';
import { temporaryFolder } from 'test-support/temporary-folder';
import { GatewayProcess } from '../../../apps/rostack-gateway/test/support/spawn-gateway.ts';
import { appReadings } from '../rostack-store/support/app-database.ts';
import { median, spreadOf } from '../support/numbers.ts';
import { cpuUsOf } from '../support/processes.ts';
import { report } from '../support/report.ts';
import { runRounds } from '../support/rounds.ts';

const COUNTS = (process.env['BENCH_ROWS'] ?? '100000').split(',').map(Number);
const BARS_S: ReadonlyMap<number, number> = new Map([
  [100_000, 3],
  [1_000_000, 25],
]);
const ROUNDS = 3;

builtProgram('apps/rostack-gateway/dist/cli/main.js');

const COLUMNS = `id bigint primary key, station text not null, value float8 not null, amount numeric(12,3) not null,
  taken_at timestamptz not null, note text not null, is_valid boolean not null`;

async function writeConfig(folder: string, url: string): Promise<void> {
  const config = {
    identity: { id: 'bench', name: 'Bench', api_version: '1' },
    store: { url },
    log: { level: 'error' },
    permissions: { 'readings:read': 'Read readings.' },
    resources: {
      readings: {
        schema: 'reading.json',
        source: { table: 'public.readings', key: 'id' },
        read_permissions: ['readings:read'],
        filterable: { '/station': ['eq'] },
        sortable: ['/value'],
        events: {
          'reading.created': { transition: 'create' },
          'reading.changed': { transition: 'update' },
          'reading.removed': { transition: 'delete' },
        },
      },
    },
  };
  await writeFile(join(folder, 'reading.json'), JSON.stringify(appReadings.schema));
  await writeFile(join(folder, 'rostack-gateway.yaml'), JSON.stringify(config));
}

async function fill(client: Client, rows: number): Promise<void> {
  await client.query(`create table readings (${COLUMNS})`);
  await client.query(`insert into readings select i, 'station-' || i % 500, i * 1.5, i * 1.125, now(),
    'a note as long as such notes usually are, number ' || i || ', of a reading', true from generate_series(1, ${rows}) i`);
  await client.query('vacuum analyze readings');
  await client.query('checkpoint');
}

/** Seconds of the clock, and of the processor that the process of `attach` took; for `COPY`, the session of the server. */
interface Taken {
  readonly seconds: number;
  readonly processorS: number;
}

async function attached(rows: number): Promise<Taken> {
  await using database = await createDatabase();
  await using folder = await temporaryFolder();
  await using client = await connectPostgres(database.url);
  await fill(client, rows);
  await writeConfig(folder.path, database.url);
  const startedMs = performance.now();
  await using attaching = new GatewayProcess(['attach'], { folder: folder.path });
  let usedUs = 0;
  const note = async () => {
    const nowUs = await cpuUsOf(attaching.child.pid ?? 0);
    if (nowUs > usedUs) usedUs = nowUs;
  };
  const look = setInterval(() => void note(), 50);
  const code = await attaching.exited();
  const seconds = (performance.now() - startedMs) / 1_000;
  clearInterval(look);
  if (code !== 0) throw new Error(attaching.stderr);
  return { seconds, processorS: usedUs / 1e6 };
}

async function copied(rows: number): Promise<Taken> {
  await using database = await createDatabase();
  await using client = await connectPostgres(database.url);
  await fill(client, rows);
  await client.query('create table copied (like readings including all)');
  const { rows: found } = await client.query<{ pid: number; file: string }>(
    `select pg_backend_pid() as pid, current_setting('data_directory') || '/bench-attach-copy' as file`,
  );
  const [{ pid, file } = { pid: 0, file: '' }] = found;
  const startUs = await cpuUsOf(pid);
  const startedMs = performance.now();
  await client.query(`copy readings to '${file}'`);
  await client.query(`copy copied from program 'cat ${file} && rm ${file}'`);
  const seconds = (performance.now() - startedMs) / 1_000;
  const processorS = ((await cpuUsOf(pid)) - startUs) / 1e6;
  return { seconds, processorS };
}

if (!hasPostgres) console.log('rostack-gateway/attach-copy: skipped, no PostgreSQL answers');
else {
  for (const rows of COUNTS) {
    const { attach, copy } = await runRounds(
      { attach: () => attached(rows), copy: () => copied(rows) },
      { rounds: ROUNDS, warmUps: 0 },
    );
    const secondsOf = (all: readonly Taken[]) => all.map(({ seconds }) => seconds);
    const processorOf = (all: readonly Taken[]) => median(all.map(({ processorS }) => processorS));
    const attachS = median(secondsOf(attach));
    const copyS = median(secondsOf(copy));
    report(`rostack-gateway/attach-copy/${rows}`, {
      ratio: attachS,
      bar: BARS_S.get(rows) ?? (rows / 100_000) * 3,
      want: 'at most',
      note: `s for ${rows} rows, rounds ${spreadOf(secondsOf(attach))}, ${processorOf(attach).toFixed(2)} s of the processor in the process; COPY ${copyS.toFixed(2)} s, ${processorOf(copy).toFixed(2)} s of the processor`,
      figures: {
        attach_s: attachS,
        copy_s: copyS,
        attach_processor_s: processorOf(attach),
        copy_processor_s: processorOf(copy),
      },
    });
  }
}
