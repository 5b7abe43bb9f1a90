import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { describe } from 'vitest';

export const POSTGRES_URL = process.env.TEST_POSTGRES_URL ?? 'postgres://root@127.0.0.1:5432/test';

/** A connection, ended with its scope. */
export async function connect(url = POSTGRES_URL): Promise<Client & AsyncDisposable> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}

async function execute(statement: string): Promise<void> {
  await using client = await connect();
  await client.query(statement);
}

const failure: unknown = await execute('select 1').then(
  () => undefined,
  (error: unknown) => error,
);
if (failure !== undefined && process.env.CI !== undefined) throw failure;

/** Skipped, and seen to be, where no server answers; a failure when `CI` is set. */
export function describePostgres(name: string, suite: () => void): void {
  if (failure !== undefined) {
    process.stderr.write(
      `NOT TESTED: ${name}. No PostgreSQL answers at ${POSTGRES_URL}: set TEST_POSTGRES_URL\n`,
    );
  }
  const describeHere = failure === undefined ? describe : describe.skip;
  describeHere(name, suite);
}

/** A schema of its own, dropped with everything in it. */
export async function createSchema(): Promise<AsyncDisposable & { readonly name: string }> {
  const name = `menu_${randomUUID().replaceAll('-', '')}`;
  await execute(`create schema ${name}`);
  return { name, [Symbol.asyncDispose]: () => execute(`drop schema ${name} cascade`) };
}
