import { userInfo } from 'node:os';
import type { Client } from 'pg';
import { reasonOf } from 'rostack-client/node';
import { MirrorError } from './mirror-target.ts';

/**
 * A connection to PostgreSQL whose session is its own; close it.
 * @param onLost called when the connection is lost between queries
 * @throws MirrorError when pg is missing, nothing answers, or a pooler answers
 */
export async function connectDirectly(url: string, onLost: (error: unknown) => void): Promise<Client> {
  const { default: pg } = await import('pg').catch((cause: unknown) => {
    throw new MirrorError('mirroring into PostgreSQL needs the package pg: npm install pg', { cause });
  });
  pg.defaults.user ??= systemUser();
  const client = new pg.Client({ connectionString: url, application_name: 'rostack mirror' });
  client.on('error', onLost);
  try {
    await client.connect();
    if (await isPooled(client)) {
      throw new MirrorError(
        'the URL leads to a connection pooler, where the lock that keeps other mirrors out would stay behind for others: pass the URL of the database itself',
      );
    }
    return client;
  } catch (cause) {
    await client.end();
    if (cause instanceof MirrorError) throw cause;
    // Shows neither the URL nor the driver's message, which may contain parts of it.
    throw new MirrorError(`the database cannot be reached: ${reasonOf(cause)}`, { cause });
  }
}

/** For URLs that name no user, as psql does it. The driver knows it by the variable USER alone, which services and containers often lack. */
function systemUser(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    // The system has no name for the user; the server says what it lacks.
    return undefined;
  }
}

/** A pooler gives its clients a process id of its own making. */
async function isPooled(client: Client & { readonly processID?: number | null }): Promise<boolean> {
  const { rows } = await client.query<{ readonly pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid !== client.processID;
}
