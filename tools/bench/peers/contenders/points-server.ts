import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { PostgresCluster } from 'test-support/own-postgres/cluster';
import { PostgresPrograms } from 'test-support/own-postgres/programs';

const run = promisify(execFile);
const psql = (url: string, statements: string) => run('psql', [url, '-qc', statements]);

/** What Zero needs, and otherwise what PostgreSQL has by default: writes are synced. */
const SETTINGS = ['wal_level=logical', 'fsync=on', 'max_connections=200'];

/** A PostgreSQL server of the benchmark's own. */
export interface Server extends AsyncDisposable {
  /** Of its first process. */
  readonly pid: number;
  /** A new database; dropped at the end. */
  createDatabase(): Promise<Database>;
}

export interface Database extends AsyncDisposable {
  readonly url: string;
}

export async function startServer(): Promise<Server> {
  await using stack = new AsyncDisposableStack();
  const programs = stack.use(await PostgresPrograms.find());
  const cluster = new PostgresCluster(programs, 'peers', SETTINGS);
  await cluster.init();
  stack.defer(() => cluster.stop('immediate'));
  await cluster.start();
  const pid = Number((await readFile(cluster.file('peers-data/postmaster.pid'), 'utf8')).split('\n')[0]);
  let databases = 0;
  const held = stack.move();
  return {
    pid,
    async createDatabase() {
      databases += 1;
      const name = `peers_${databases}`;
      await cluster.query('postgres', `create database ${name}`);
      return {
        url: cluster.urlOf(name),
        async [Symbol.asyncDispose]() {
          // A slot of a peer that has ended keeps the log of the server, and the database from being dropped.
          await cluster.query(
            'postgres',
            `select pg_drop_replication_slot(slot_name) from pg_replication_slots where database = '${name}'`,
          );
          await cluster.query('postgres', `drop database ${name} with (force)`);
        },
      };
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

/** Makes the table of points that an application has. */
export async function fillPoints({ url }: Database, rows: number): Promise<void> {
  const fill = `create table points (id text primary key, value integer not null, note text not null);
    insert into points select n::text, 0, repeat('x', 180) from generate_series(0, ${rows - 1}) n`;
  await psql(url, fill);
  await psql(url, 'vacuum analyze points');
}

/** Seconds in which two psql copy the points into a second table with the same key: what reading and writing them costs at least. */
export async function copySeconds({ url }: Database): Promise<number> {
  await psql(url, 'create table twin (like points including all)');
  const startedMs = performance.now();
  const copy = `psql "$0" -qc 'copy points to stdout' | psql "$0" -qc 'copy twin from stdin'`;
  await run('sh', ['-c', copy, url]);
  const seconds = (performance.now() - startedMs) / 1_000;
  await psql(url, 'drop table twin');
  return seconds;
}
