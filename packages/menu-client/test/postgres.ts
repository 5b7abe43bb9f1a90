import { randomUUID } from 'node:crypto';
import { Client } from 'pg';

/** The server for tests; undefined where none answers, which is a failure when `CI` is set. */
export async function postgresUrl(): Promise<string | undefined> {
  const connectionString = process.env.TEST_POSTGRES_URL ?? 'postgres://root@127.0.0.1:5432/test';
  const client = new Client({ connectionString, connectionTimeoutMillis: 2000 });
  try {
    await client.connect();
    await client.end();
    return connectionString;
  } catch (error) {
    if (process.env.CI !== undefined) throw error;
    return undefined;
  }
}

/** A schema of its own, dropped with everything in it. */
export async function createSchema(
  connectionString: string,
): Promise<AsyncDisposable & { readonly name: string }> {
  const name = `menu_${randomUUID().replaceAll('-', '')}`;
  const run = async (statement: string) => {
    const client = new Client({ connectionString });
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  };
  await run(`create schema ${name}`);
  return { name, [Symbol.asyncDispose]: () => run(`drop schema ${name} cascade`) };
}
