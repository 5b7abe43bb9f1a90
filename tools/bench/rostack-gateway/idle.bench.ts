/**
 * What attached tables cost that nobody changes and nobody follows: transactions a second that the database counts, processor time of the
 * gateway, and the time of `attach` and of `start`. `BENCH_TABLES` lists the counts of tables; the bars are for the last one.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { builtProgram } from 'test-support/built-program';
import { createDatabase, queryPostgres } from 'test-support/postgres';
import { temporaryFolder } from 'test-support/temporary-folder';
import { GatewayProcess } from '../../../apps/rostack-gateway/test/support/spawn-gateway.ts';
import { cpuUsOf } from '../support/processes.ts';
import { report } from '../support/report.ts';

const COUNTS = (process.env['BENCH_TABLES'] ?? '1,20,100').split(',').map(Number);
const MEASURED_MS = 15_000;
/** The server tells the transactions of the start some seconds late. */
const SETTLING_MS = 20_000;
const ROWS = 20;

interface Rest {
  readonly transactionsPerSecond: number | undefined;
  readonly processorShare: number;
  readonly attachS: number;
  readonly startS: number;
}

interface Database extends AsyncDisposable {
  readonly url: string;
  readonly schema: string | undefined;
  readonly run: (sql: string) => Promise<void>;
  /** Undefined where the database does not count them. */
  readonly transactions: () => Promise<number | undefined>;
}

builtProgram('apps/rostack-gateway/dist/cli/main.js');

async function postgres(): Promise<Database> {
  const database = await createDatabase();
  const { url } = database;
  const name = new URL(url).pathname.slice(1);
  return {
    url,
    schema: 'public',
    run: async (sql) => void (await queryPostgres(sql, url)),
    // Asked in another database, so that asking is not counted.
    transactions: async () => {
      const [row] = await queryPostgres(
        `select xact_commit + xact_rollback as count from pg_stat_database where datname = '${name}'`,
      );
      return Number(row?.['count']);
    },
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}

async function sqlite(): Promise<Database> {
  const folder = await temporaryFolder();
  const file = join(folder.path, 'data.db');
  return {
    url: `sqlite:${file}`,
    schema: undefined,
    run: (sql) => {
      const database = new Sqlite(file);
      database.exec(sql);
      database.close();
      return Promise.resolve();
    },
    transactions: () => Promise.resolve(undefined),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

async function writeConfig(folder: string, { url, schema }: Database, count: number): Promise<void> {
  const item = {
    type: 'object',
    additionalProperties: false,
    required: ['id', 'name'],
    properties: { id: { type: 'string' }, name: { type: 'string' } },
  };
  await writeFile(join(folder, 'item.json'), JSON.stringify(item));
  const resource = (number: number) => ({
    schema: 'item.json',
    source: {
      table: schema === undefined ? `items_${number}` : `${schema}.items_${number}`,
      key: 'id',
      columns: ['id', 'name'],
    },
    read_permissions: ['things:read'],
    events: {
      [`item${number}.made`]: { transition: 'create' },
      [`item${number}.changed`]: { transition: 'update' },
      [`item${number}.gone`]: { transition: 'delete' },
    },
  });
  const config = {
    identity: { id: 'idle', name: 'Idle', api_version: '1' },
    listeners: { data: { port: 0 } },
    store: { url },
    log: { level: 'error' },
    permissions: { 'things:read': 'Read things.' },
    resources: Object.fromEntries(
      Array.from({ length: count }, (_, number) => [`items-${number}`, resource(number)]),
    ),
  };
  await writeFile(join(folder, 'rostack-gateway.yaml'), JSON.stringify(config));
}

async function measure(open: () => Promise<Database>, count: number): Promise<Rest> {
  await using database = await open();
  await using folder = await temporaryFolder();
  const values = Array.from({ length: ROWS }, (_, row) => `('${row}', 'item ${row}')`).join(', ');
  for (let number = 0; number < count; number += 1) {
    await database.run(
      `create table items_${number} (id text primary key not null, name text not null); insert into items_${number} values ${values}`,
    );
  }
  await writeConfig(folder.path, database, count);
  const surroundings = { folder: folder.path };
  const attachedMs = performance.now();
  await using attaching = new GatewayProcess(['attach'], surroundings);
  if ((await attaching.exited()) !== 0) throw new Error(attaching.stderr);
  const startedMs = performance.now();
  await using gateway = new GatewayProcess(['start'], surroundings);
  await gateway.prints(/on port (\d+)/);
  const servingMs = performance.now();
  await wait(SETTLING_MS);
  const pid = gateway.child.pid ?? 0;
  const [transactions, usedUs] = [await database.transactions(), await cpuUsOf(pid)];
  await wait(MEASURED_MS);
  // The server tells its counts a little late.
  const more = ((await database.transactions()) ?? Number.NaN) - (transactions ?? Number.NaN);
  const usedS = ((await cpuUsOf(pid)) - usedUs) / 1e6;
  await gateway.stop();
  const seconds = MEASURED_MS / 1_000;
  return {
    transactionsPerSecond: Number.isNaN(more) ? undefined : more / seconds,
    processorShare: usedS / seconds,
    attachS: (startedMs - attachedMs) / 1_000,
    startS: (servingMs - startedMs) / 1_000,
  };
}

for (const [kind, open, maxProcessorShare] of [
  ['sqlite', sqlite, 0.01],
  ['postgresql', postgres, 0.02],
] as const) {
  for (const count of COUNTS) {
    const rest = await measure(open, count);
    const { transactionsPerSecond, processorShare, attachS, startS } = rest;
    const transactions =
      transactionsPerSecond === undefined ? '' : `${transactionsPerSecond.toFixed(1)} transactions/s, `;
    const note = `${count} tables on ${kind}: ${transactions}${(100 * processorShare).toFixed(1)} % of a core, attach ${attachS.toFixed(1)} s, start ${startS.toFixed(1)} s`;
    console.log(note);
    if (count !== COUNTS.at(-1)) continue;
    if (transactionsPerSecond !== undefined)
      report(`rostack-gateway/idle/${kind}/transactions`, {
        ratio: transactionsPerSecond,
        bar: 3,
        want: 'at most',
        note: 'a second',
      });
    report(`rostack-gateway/idle/${kind}/processor`, {
      ratio: processorShare,
      bar: maxProcessorShare,
      want: 'at most',
      note: 'of a core',
    });
    report(`rostack-gateway/idle/${kind}/attach`, { ratio: attachS, bar: 6, want: 'at most', note: 's' });
    report(`rostack-gateway/idle/${kind}/start`, { ratio: startS, bar: 2, want: 'at most', note: 's' });
  }
}
