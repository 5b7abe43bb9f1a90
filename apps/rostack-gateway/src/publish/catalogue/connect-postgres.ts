import { Client } from 'pg';
import { defineError } from 'rostack-core';
import { PreferredTls } from 'rostack-store';
import { databaseTarget } from '../../serving/store/database-target.ts';
import { errorMessage } from '../../text/error-message.ts';

const CONNECT_TIMEOUT_MS = 10_000;
const STATEMENT_TIMEOUT_MS = 60_000;

/** The database of a URL could not be reached; the message names the attempts, without a password. */
export class DatabaseUnreachableError extends defineError(
  'DatabaseUnreachableError',
  'database_unreachable',
  true,
) {}

/** Opens a connection to read the catalogue; the caller ends it. @throws DatabaseUnreachableError */
export async function connectPostgres(url: string): Promise<Client> {
  const tls = new PreferredTls(url);
  try {
    return await opened(tls).catch((error: unknown) => {
      if (!tls.givesUp(error)) throw error;
      return opened(tls);
    });
  } catch (error) {
    throw new DatabaseUnreachableError(
      `${databaseTarget(url)} cannot be opened: ${errorMessage(error) || 'no answer'}`,
      { cause: error },
    );
  }
}

async function opened({ config }: PreferredTls): Promise<Client> {
  const client = new Client({
    ...config,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    application_name: 'rostack-gateway serve',
  });
  // Without a listener, a connection that breaks while idle would end the process.
  client.on('error', () => {});
  await client.connect();
  return client;
}
