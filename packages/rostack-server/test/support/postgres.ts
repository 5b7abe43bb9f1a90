import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

const URL = process.env.TEST_POSTGRES_URL ?? 'postgres://root@127.0.0.1:5432/test';

/** Whether a PostgreSQL server answers; in CI it has to. */
export async function hasPostgres(): Promise<boolean> {
  const client = new Client({ connectionString: URL, connectionTimeoutMillis: 2_000 });
  try {
    await client.connect();
    await client.end();
    return true;
  } catch (error) {
    if (process.env.CI !== undefined) throw error;
    return false;
  }
}

/** A database of its own, dropped at the end. */
export async function createDatabase(): Promise<AsyncDisposable & { readonly url: string }> {
  const name = `rostack_server_${randomBytes(6).toString('hex')}`;
  await execute(`create database ${name}`);
  const url = new globalThis.URL(URL);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    [Symbol.asyncDispose]: () => execute(`drop database if exists ${name} with (force)`),
  };
}

async function execute(sql: string): Promise<void> {
  const client = new Client({ connectionString: URL });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
