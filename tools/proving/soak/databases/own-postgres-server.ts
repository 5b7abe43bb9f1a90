import { setTimeout as wait } from 'node:timers/promises';
import { PostgresCluster } from 'test-support/own-postgres/cluster';
import { PostgresPrograms } from 'test-support/own-postgres/programs';

/** A PostgreSQL server that is ours to break; gone at the end. */
export interface OwnPostgresServer extends AsyncDisposable {
  readonly url: string;
  /** Kills it as a power cut would, and starts it again after a while: it recovers from its log. */
  readonly restart: (downMs: number) => Promise<void>;
}

/** Starts a server of our own from the system's programs. @throws Error when there are none, or nobody to run them as */
export async function startOwnPostgresServer(): Promise<OwnPostgresServer> {
  const programs = await PostgresPrograms.find();
  const cluster = new PostgresCluster(programs, 'soak');
  await cluster.init();
  await cluster.start();
  let restarting = Promise.resolve();
  return {
    url: cluster.urlOf('postgres'),
    restart: (downMs) => {
      restarting = restarting.then(async () => {
        await cluster.stop('immediate');
        await wait(downMs);
        await cluster.start();
      });
      return restarting;
    },
    [Symbol.asyncDispose]: async () => {
      await cluster.stop('immediate');
      await programs[Symbol.asyncDispose]();
    },
  };
}
