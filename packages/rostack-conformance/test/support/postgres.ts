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

/** A database of its own, dropped at the end. */
export async function createDatabase(): Promise<AsyncDisposable & { readonly url: string }> {
  const name = `rostack_conformance_${randomBytes(6).toString('hex')}`;
  await execute(`create database ${name}`);
  const url = new globalThis.URL(URL);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    [Symbol.asyncDispose]: () => execute(`drop database if exists ${name} with (force)`),
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
