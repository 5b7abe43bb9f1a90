import { execFile } from 'node:child_process';
import { chown, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Where Debian keeps the programs of its PostgreSQL versions. */
const DEBIAN_FOLDER = '/usr/lib/postgresql';
/** The server does not run as root; whoever owns the system's own one may run this one too. */
const UNPRIVILEGED_USER = 'postgres';

interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** The system's PostgreSQL programs, and a folder for what they write; the folder is gone at the end. */
export class PostgresPrograms implements AsyncDisposable {
  readonly folder: string;
  readonly #programs: string;
  readonly #account: Account | undefined;

  private constructor(folder: string, programs: string, account: Account | undefined) {
    this.folder = folder;
    this.#programs = programs;
    this.#account = account;
  }

  /** @throws Error when there are none, or nobody to run them as */
  static async find(): Promise<PostgresPrograms> {
    const programs = await findPrograms();
    const account = userInfo().uid === 0 ? await accountOf(UNPRIVILEGED_USER) : undefined;
    const folder = await mkdtemp(join(tmpdir(), 'rostack-postgres-'));
    if (account !== undefined) await chown(folder, account.uid, account.gid);
    return new PostgresPrograms(folder, programs, account);
  }

  /** Runs a program to its end. @throws Error when it fails */
  async call(program: string, ...argv: readonly string[]): Promise<void> {
    await run(join(this.#programs, program), [...argv], { cwd: '/', ...this.#account });
  }

  /** As `call`, of the system's own programs. */
  async callSystem(program: string, ...argv: readonly string[]): Promise<void> {
    await run(program, [...argv], { cwd: '/', ...this.#account });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** The folder of `pg_ctl` and `initdb`: the newest version of the system. */
async function findPrograms(): Promise<string> {
  const versions = await readdir(DEBIAN_FOLDER).catch(() => []);
  const [newest] = versions.toSorted((a, b) => Number(b) - Number(a));
  if (newest !== undefined) return join(DEBIAN_FOLDER, newest, 'bin');
  const { stdout } = await run('pg_config', ['--bindir']).catch(() => {
    throw new Error('no PostgreSQL is installed here: its programs are needed');
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
