import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { describeWhere } from './describe-where.ts';
import { POSTGRES_URL } from './postgres-url.ts';

export { POSTGRES_URL } from './postgres-url.ts';

/** A connection that ends with its scope. */
export async function connectPostgres(url = POSTGRES_URL): Promise<Client & AsyncDisposable> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 20_000 });
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}

/** Runs one statement on a connection of its own. */
export async function queryPostgres(
  text: string,
  url = POSTGRES_URL,
): Promise<readonly Record<string, unknown>[]> {
  await using client = await connectPostgres(url);
  return (await client.query<Record<string, unknown>>(text)).rows;
}

/** A PostgreSQL schema for one test; dropped with everything in it at the end. */
export interface PostgresSchema extends AsyncDisposable {
  readonly url: string;
  readonly schema: string;
}

/** A schema's name; whoever uses it first creates it. At its end nobody may be connected any more by its URL, which names it. */
export function postgresSchema(): PostgresSchema {
  const schema = `test_${randomBytes(8).toString('hex')}`;
  const url = new URL(POSTGRES_URL);
  url.searchParams.set('application_name', schema);
  return {
    url: url.href,
    schema,
    async [Symbol.asyncDispose]() {
      try {
        await checkSessionsLeft(schema);
      } finally {
        await queryPostgres(`drop schema if exists ${schema} cascade`);
      }
    },
  };
}

/** For a server to notice that its clients are gone, on a busy machine. */
const SESSIONS_END_MS = 20_000;
const LOOK_PAUSE_MS = 10;

/** @throws Error when sessions of an application go on that should be over */
export async function checkSessionsLeft(applicationName: string): Promise<void> {
  await using client = await connectPostgres();
  const untilMs = performance.now() + SESSIONS_END_MS;
  for (;;) {
    const { rows } = await client.query<{ query: string }>(
      'select query from pg_stat_activity where application_name = $1',
      [applicationName],
    );
    if (rows.length === 0) return;
    if (performance.now() > untilMs) {
      const queries = rows.map(({ query }) => query).join('; ');
      throw new Error(`${rows.length} sessions are left open: ${queries}`);
    }
    await delay(LOOK_PAUSE_MS);
  }
}

/** A schema for one test, created here; dropped with everything in it at the end. */
export async function createSchema(): Promise<AsyncDisposable & { readonly name: string }> {
  const { schema: name, [Symbol.asyncDispose]: drop } = postgresSchema();
  await queryPostgres(`create schema ${name}`);
  return { name, [Symbol.asyncDispose]: drop };
}

/** A database for one test, with commands that copy it while nobody uses it; dropped at the end, and its copy too. */
export interface PostgresDatabase extends AsyncDisposable {
  readonly url: string;
  readonly copying: { readonly save: string; readonly restore: string };
}

export async function createDatabase(): Promise<PostgresDatabase> {
  await dropLeftDatabases();
  const name = `test_${process.pid}_${randomBytes(6).toString('hex')}`;
  const saved = `${name}_saved`;
  await queryPostgres(`create database ${name}`);
  const url = new URL(POSTGRES_URL);
  url.pathname = `/${name}`;
  const server = `--maintenance-db='${POSTGRES_URL}'`;
  const copy = (from: string, to: string) =>
    `dropdb --if-exists --force ${server} ${to} && createdb ${server} --template=${from} ${to}`;
  return {
    url: url.href,
    copying: { save: copy(name, saved), restore: copy(saved, name) },
    async [Symbol.asyncDispose]() {
      for (const each of [name, saved]) await queryPostgres(`drop database if exists ${each} with (force)`);
    },
  };
}

/**
 * Drops what processes have left that were ended before they could do it. What somebody is connected to stays: its process may run on another
 * machine.
 */
export async function dropLeftDatabases(): Promise<void> {
  const found = await queryPostgres(
    `select datname as name from pg_database where datname ~ '^test_[0-9]+_' and not exists (
      select from pg_stat_activity where pg_stat_activity.datname = pg_database.datname)`,
  );
  for (const { name } of found) {
    // Another process may drop it at the same time.
    if (!isRunning(Number(String(name).split('_')[1])))
      await queryPostgres(`drop database if exists ${String(name)}`).catch(() => {});
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It is somebody else's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

const postgres = await describeWhere(`PostgreSQL at ${POSTGRES_URL} (TEST_POSTGRES_URL)`, () =>
  queryPostgres('select 1'),
);

/** Whether the server of the tests answers. Where `CI` is set it has to. */
export const hasPostgres = postgres.isThere;

/** A suite that needs PostgreSQL. Where none answers it is skipped, which is said on standard error; with `CI` set that fails. */
export const describePostgres = postgres.describe;
