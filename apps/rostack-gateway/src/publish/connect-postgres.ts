import { Client } from 'pg';
import { defineError } from 'rostack-core';
import { databaseTarget } from '../serving/store/database-target.ts';
import { errorMessage } from '../text/error-message.ts';

const CONNECT_TIMEOUT_MS = 10_000;
const STATEMENT_TIMEOUT_MS = 60_000;
/** With these a server without TLS is fine too, which the driver does not know. */
const PREFERRING = ['prefer', 'allow'];

/** The database of a URL could not be reached; the message says how it was tried, without a password. */
export class DatabaseUnreachableError extends defineError(
  'DatabaseUnreachableError',
  'database_unreachable',
  true,
) {}

/** A connection to read the catalogue by; the caller ends it. @throws DatabaseUnreachableError */
export async function connectPostgres(url: string): Promise<Client> {
  const parsed = new URL(url);
  const isPreferred = PREFERRING.includes(parsed.searchParams.get('sslmode') ?? '');
  if (isPreferred) parsed.searchParams.delete('sslmode');
  const settings = {
    connectionString: parsed.href,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    application_name: 'rostack-gateway serve',
  };
  try {
    return await (isPreferred
      ? opened({ ...settings, ssl: { rejectUnauthorized: false } }).catch(() => opened(settings))
      : opened(settings));
  } catch (error) {
    throw new DatabaseUnreachableError(
      `${databaseTarget(url)} cannot be opened: ${errorMessage(error) || 'no answer'}`,
      { cause: error },
    );
  }
}

async function opened(settings: ConstructorParameters<typeof Client>[0]): Promise<Client> {
  const client = new Client(settings);
  // A connection that breaks while nothing is asked would end the process.
  client.on('error', () => {});
  await client.connect();
  return client;
}
