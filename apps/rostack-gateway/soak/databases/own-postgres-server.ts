import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { chown, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Where Debian keeps the programs of its PostgreSQL versions. */
const DEBIAN_FOLDER = '/usr/lib/postgresql';
/** The server does not run as root; whoever owns the system's own one may run this one too. */
const UNPRIVILEGED_USER = 'postgres';
const FIRST_PORT = 20_000;
const LAST_PORT = 32_000;

/** A PostgreSQL server that is ours to break; gone at the end. */
export interface OwnPostgresServer extends AsyncDisposable {
  readonly url: string;
  /** Kills it as a power cut would, and starts it again after a while: it recovers from its log. */
  readonly restart: (downMs: number) => Promise<void>;
}

interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** Starts a server of our own from the system's programs. @throws Error when there are none, or nobody to run them as */
export async function startOwnPostgresServer(): Promise<OwnPostgresServer> {
  const programs = await findPrograms();
  const account = userInfo().uid === 0 ? await accountOf(UNPRIVILEGED_USER) : undefined;
  const call = (program: string, ...argv: readonly string[]) =>
    run(join(programs, program), [...argv], { cwd: '/', ...account });

  const folder = await mkdtemp(join(tmpdir(), 'rostack-postgres-'));
  if (account !== undefined) await chown(folder, account.uid, account.gid);
  const data = join(folder, 'data');
  const port = randomInt(FIRST_PORT, LAST_PORT);
  const settings = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1`;
  const start = () => call('pg_ctl', '-D', data, '-l', join(folder, 'log'), '-o', settings, '-w', 'start');
  const stop = () => call('pg_ctl', '-D', data, '-m', 'immediate', '-w', 'stop');

  await call('initdb', '-D', data, '-U', 'soak', '--auth=trust', '--encoding=UTF8', '--no-locale');
  await start();
  let restarting = Promise.resolve();
  return {
    url: `postgres://soak@127.0.0.1:${port}/postgres`,
    restart: (downMs) => {
      restarting = restarting.then(async () => {
        await stop();
        await wait(downMs);
        await start();
      });
      return restarting;
    },
    [Symbol.asyncDispose]: async () => {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The folder of `pg_ctl` and `initdb`: the newest version of the system. */
async function findPrograms(): Promise<string> {
  const versions = await readdir(DEBIAN_FOLDER).catch(() => []);
  const [newest] = versions.toSorted((a, b) => Number(b) - Number(a));
  if (newest !== undefined) return join(DEBIAN_FOLDER, newest, 'bin');
  const { stdout } = await run('pg_config', ['--bindir']).catch(() => {
    throw new Error('no PostgreSQL is installed here: --server own needs its programs');
  });
  return stdout.trim();
}

async function accountOf(user: string): Promise<Account> {
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (option) => Number((await run('id', [option, user])).stdout)),
  );
  if (uid === undefined || gid === undefined)
    throw new Error(`there is no user ${user} to run PostgreSQL as`);
  return { uid, gid };
}
