import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { chown, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe } from 'vitest';
import { freePort } from '../../../test/free-port.ts';
import { connect, describePostgres, POSTGRES_URL } from './postgres.ts';

const PATH = `${process.env.PATH}:/usr/sbin`;

function hasPooler(): boolean {
  try {
    execFileSync('sh', ['-c', 'command -v pgbouncer'], { env: { PATH } });
    return true;
  } catch {
    return false;
  }
}

/** Skipped, and seen to be, where there is no PostgreSQL or no pgbouncer. */
export function describePooler(name: string, suite: () => void): void {
  const found = hasPooler();
  if (!found) {
    process.stderr.write(`NOT TESTED: ${name}. There is no pgbouncer: apt-get install pgbouncer\n`);
  }
  const describeHere = found ? describePostgres : describe.skip;
  describeHere(name, suite);
}

/** A pgbouncer in transaction mode, with fewer connections to the server of the tests than they use. */
export async function startPooler(): Promise<AsyncDisposable & { readonly url: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'menu-pooler-'));
  const [file, log] = [join(folder, 'pgbouncer.ini'), join(folder, 'pgbouncer.log')];
  const server = new URL(POSTGRES_URL);
  const database = server.pathname.slice(1);
  const port = await freePort();
  const password = server.password === '' ? '' : ` password=${decodeURIComponent(server.password)}`;
  await writeFile(
    file,
    `[databases]
${database} = host=${server.hostname} port=${server.port || 5432} user=${decodeURIComponent(server.username)}${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
logfile = ${log}
auth_type = any
pool_mode = transaction
default_pool_size = 2
`,
  );
  // It refuses to run as root.
  const user = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : undefined;
  if (user !== undefined) for (const path of [folder, file]) await chown(path, user.uid, user.gid);
  const child = spawn('pgbouncer', ['--quiet', file], { ...user, env: { PATH }, stdio: 'ignore' });
  const exited = once(child, 'exit');
  const pooler = {
    url: `postgres://pooled@127.0.0.1:${port}/${database}`,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
  for (let attempt = 1; ; attempt += 1) {
    try {
      await using _client = await connect(pooler.url);
      return pooler;
    } catch (error) {
      if (attempt < 100 && child.exitCode === null) {
        await sleep(50);
        continue;
      }
      const said = await readFile(log, 'utf8').catch(() => '');
      await pooler[Symbol.asyncDispose]();
      throw new Error(`pgbouncer does not answer: ${said}`, { cause: error });
    }
  }
}

function idOf(flag: '-u' | '-g'): number {
  return Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
}
