import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { describe } from 'vitest';

export const POSTGRES_URL = process.env['TEST_POSTGRES_URL'] ?? 'postgres://root@127.0.0.1:5432/test';

/** A PostgreSQL schema of its own; gone at the end of the test. */
export interface PostgresSchema extends AsyncDisposable {
  readonly url: string;
  readonly schema: string;
}

export function postgresSchema(): PostgresSchema {
  const schema = `test_${randomBytes(8).toString('hex')}`;
  const drop = `drop schema if exists ${schema} cascade`;
  return { url: POSTGRES_URL, schema, [Symbol.asyncDispose]: () => queryPostgres(drop).then(() => {}) };
}

/** Runs one statement on a connection of its own. */
export async function queryPostgres(text: string): Promise<readonly Record<string, unknown>[]> {
  const client = new Client({ connectionString: POSTGRES_URL, connectionTimeoutMillis: 2_000 });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

export const hasPostgres = await queryPostgres('select 1').then(
  () => true,
  () => false,
);
if (!hasPostgres && process.env['CI'] !== undefined) {
  throw new Error(`no PostgreSQL answers at ${POSTGRES_URL}: set TEST_POSTGRES_URL`);
}

/** Skipped where no server answers, which is said on standard error; in CI that fails instead. */
export function describePostgres(name: string, suite: () => void): void {
  if (!hasPostgres) {
    process.stderr.write(`NOT TESTED: ${name}. No PostgreSQL answers at ${POSTGRES_URL}.\n`);
  }
  const describeHere = hasPostgres ? describe : describe.skip;
  describeHere(name, suite);
}
