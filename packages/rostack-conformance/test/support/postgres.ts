import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

const URL = process.env['TEST_POSTGRES_URL'] ?? 'postgres://root@127.0.0.1:5432/test';

/** Whether a PostgreSQL server answers; in CI it has to. */
export async function hasPostgres(): Promise<boolean> {
  try {
    await execute('select 1');
    return true;
  } catch (error) {
    if (process.env['CI'] !== undefined) throw error;
    return false;
  }
}

/** A database of its own, with commands that copy it while nobody uses it; both are dropped at the end. */
export interface OwnDatabase extends AsyncDisposable {
  readonly url: string;
  readonly copying: { readonly save: string; readonly restore: string };
}

export async function createDatabase(): Promise<OwnDatabase> {
  const name = `rostack_conformance_${randomBytes(6).toString('hex')}`;
  const saved = `${name}_saved`;
  await execute(`create database ${name}`);
  const url = new globalThis.URL(URL);
  url.pathname = `/${name}`;
  const server = `--maintenance-db='${URL}'`;
  const copy = (from: string, to: string) =>
    `dropdb --if-exists --force ${server} ${to} && createdb ${server} --template=${from} ${to}`;
  return {
    url: url.href,
    copying: { save: copy(name, saved), restore: copy(saved, name) },
    async [Symbol.asyncDispose]() {
      for (const each of [name, saved]) await execute(`drop database if exists ${each} with (force)`);
    },
  };
}

async function execute(statement: string): Promise<void> {
  const client = new Client({ connectionString: URL, connectionTimeoutMillis: 2_000 });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
