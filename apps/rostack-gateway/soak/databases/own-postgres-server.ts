import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { PostgresPrograms } from './postgres-programs.ts';
import { startOnPort } from './start-on-port.ts';

/** A PostgreSQL server that is ours to break; gone at the end. */
export interface OwnPostgresServer extends AsyncDisposable {
  readonly url: string;
  /** Kills it as a power cut would, and starts it again after a while: it recovers from its log. */
  readonly restart: (downMs: number) => Promise<void>;
}

/** Starts a server of our own from the system's programs. @throws Error when there are none, or nobody to run them as */
export async function startOwnPostgresServer(): Promise<OwnPostgresServer> {
  const programs = await PostgresPrograms.find();
  const { folder } = programs;
  const data = join(folder, 'data');
  const log = join(folder, 'log');
  const start = (at?: number) =>
    startOnPort(at, log, (chosen) => {
      const settings = `-p ${chosen} -k ${folder} -c listen_addresses=127.0.0.1`;
      return programs.call('pg_ctl', '-D', data, '-l', log, '-o', settings, '-w', 'start');
    });
  const stop = () => programs.call('pg_ctl', '-D', data, '-m', 'immediate', '-w', 'stop');

  await programs.call('initdb', '-D', data, '-U', 'soak', '--auth=trust', '--encoding=UTF8', '--no-locale');
  const port = await start();
  let restarting = Promise.resolve();
  return {
    url: `postgres://soak@127.0.0.1:${port}/postgres`,
    restart: (downMs) => {
      restarting = restarting.then(async () => {
        await stop();
        await wait(downMs);
        await start(port);
      });
      return restarting;
    },
    [Symbol.asyncDispose]: async () => {
      await stop();
      await programs[Symbol.asyncDispose]();
    },
  };
}
