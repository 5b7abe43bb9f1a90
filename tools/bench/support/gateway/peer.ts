import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { queryPostgres } from 'test-support/postgres';
import { temporaryFolder } from 'test-support/temporary-folder';
import { type Target, writeRequests } from '../load/load.ts';
import { cpuUsOf } from '../processes.ts';
import { fillByHand } from './by-hand/postgresql.ts';
import type { BenchDatabase } from './databases.ts';
import { IMAGE_PROCESS } from './image-process.ts';
import { type BenchWriter, changesTo, startWriter } from './writer.ts';

/** What a peer answers: the same bytes each time, what one statement gives, or what an API written by hand does. */
export type PeerPlan =
  | { readonly kind: 'bytes'; readonly text: string }
  | { readonly kind: 'by-hand-sqlite'; readonly file: string; readonly records: number }
  | { readonly kind: 'by-hand-postgresql'; readonly url: string; readonly schema: string }
  | { readonly kind: 'postgresql'; readonly url: string; readonly schema: string };

/** A bare Hono handler in a process of its own, with the same memory settings as the gateway. */
export interface Peer extends AsyncDisposable {
  readonly port: number;
  target(paths: Iterable<string>): Promise<Target>;
}

export async function startPeer(plan: PeerPlan): Promise<Peer> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await temporaryFolder());
  const child: ChildProcess = fork(new URL('./peer-worker.ts', import.meta.url), {
    env: { ...process.env, ...IMAGE_PROCESS.environment },
    execArgv: IMAGE_PROCESS.nodeOptions,
  });
  stack.defer(() => void child.kill());
  child.send(plan);
  const [port] = (await once(child, 'message')) as [number];
  const held = stack.move();
  return {
    port,
    target: async (paths) => ({
      port,
      usedUs: () => cpuUsOf(child.pid ?? 0),
      requestsFile: await writeRequests(join(folder.path, 'requests'), paths, {
        host: 'localhost',
        accept: 'application/json',
      }),
    }),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

/** The API of readings written by hand, and a writer to it. */
export interface ByHand extends Peer {
  /** Writes 200 changes a second. */
  startWriter(): BenchWriter;
}

/** @param database where its table is made, for PostgreSQL; otherwise it has a SQLite file of its own */
export async function startByHand(records: number, database?: BenchDatabase): Promise<ByHand> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await temporaryFolder());
  if (database !== undefined) await fillByHand(database.schema, records);
  const peer = stack.use(
    await startPeer(
      database === undefined
        ? { kind: 'by-hand-sqlite', file: join(folder.path, 'readings.db'), records }
        : { kind: 'by-hand-postgresql', ...database },
    ),
  );
  const held = stack.move();
  return {
    ...peer,
    startWriter: () => startWriter(changesTo(`http://127.0.0.1:${peer.port}/changes`, records), 200),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

/** A table of the same records with the one index that the peer's statement needs. */
export async function fillPeerTable({ schema }: BenchDatabase, records: number): Promise<void> {
  await queryPostgres(`create table ${schema}.peer as select
      'reading-' || lpad(number::text, 7, '0') as id, (number::bigint * 7919) % ${records} as altitude,
      json_build_object('id', 'reading-' || lpad(number::text, 7, '0'), 'station',
        'station-' || lpad((number / 400)::text, 4, '0'), 'altitude', (number::bigint * 7919) % ${records}, 'name',
        '관측소 ' || number, 'active', number % 2 = 0, 'observed_at', '2026-08-14T03:00:00Z', 'note', repeat('x', 36))::text
        as body from generate_series(0, ${records - 1}) as number`);
  await queryPostgres(`alter table ${schema}.peer add primary key (id)`);
  await queryPostgres(`create index on ${schema}.peer (altitude, id)`);
  await queryPostgres(`create table ${schema}.peer_head as select 1 as position`);
  await queryPostgres(`analyze ${schema}.peer`);
}
