import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { chown, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { describe } from 'vitest';
import { freePort } from '../../../../test/free-port.ts';
import { POSTGRES_URL } from './databases.ts';

/** A pgbouncer of its own in front of the server of the tests. */
export interface Pooler extends AsyncDisposable {
  readonly url: string;
  /** What it has logged. */
  readonly log: () => Promise<string>;
}

/** Connections to the server, which all clients share. */
export const SERVER_CONNECTIONS = 3;

const isRoot = process.getuid?.() === 0;

/** Test files at the same time install it once. */
const INSTALL = `command -v pgbouncer || {
  export DEBIAN_FRONTEND=noninteractive
  apt-get update && apt-get install --yes --no-install-recommends pgbouncer; } >&2 && command -v pgbouncer`;

function findPgbouncer(): string | undefined {
  const environment = { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin` };
  const sh = (command: string, ...args: string[]) =>
    execFileSync(command, args, {
      encoding: 'utf8',
      env: environment,
      stdio: 'pipe',
      timeout: 180_000,
    }).trim();
  try {
    return sh('sh', '-c', 'command -v pgbouncer');
  } catch {
    if (!isRoot) return undefined;
  }
  try {
    return sh('flock', join(tmpdir(), 'rostack-install-pgbouncer.lock'), 'sh', '-c', INSTALL);
  } catch (error) {
    process.stderr.write(`pgbouncer could not be installed: ${String(error)}\n`);
    return undefined;
  }
}

const program = findPgbouncer();

/** Skipped, and seen to be, where there is no pgbouncer. */
export function describePooler(name: string, suite: () => void): void {
  if (program === undefined) {
    process.stderr.write(`NOT TESTED: ${name}. There is no pgbouncer: apt-get install pgbouncer\n`);
  }
  const describeHere = program === undefined ? describe.skip : describe;
  describeHere(name, suite);
}

/**
 * Starts a pgbouncer with default settings but for the mode and the small pool.
 * @param connectQuery what each session of the server begins with
 */
export async function startPooler(mode: 'transaction' | 'session', connectQuery?: string): Promise<Pooler> {
  if (program === undefined) throw new Error('there is no pgbouncer');
  const folder = mkdtempSync(join(tmpdir(), 'rostack-pooler-'));
  const [file, log] = [join(folder, 'pgbouncer.ini'), join(folder, 'pgbouncer.log')];
  const server = new URL(POSTGRES_URL);
  const database = server.pathname.slice(1);
  const target = [
    `host=${server.hostname}`,
    `port=${server.port || 5432}`,
    `dbname=${database}`,
    `user=${decodeURIComponent(server.username)}`,
    ...(server.password === '' ? [] : [`password=${decodeURIComponent(server.password)}`]),
    ...(connectQuery === undefined ? [] : [`connect_query='${connectQuery}'`]),
  ];
  const port = await freePort();
  await writeFile(
    file,
    `[databases]
${database} = ${target.join(' ')}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
logfile = ${log}
auth_type = any
pool_mode = ${mode}
default_pool_size = ${SERVER_CONNECTIONS}
`,
  );
  // It refuses to run as root.
  const user = isRoot ? userOf('postgres') : undefined;
  if (user !== undefined) {
    for (const path of [folder, file]) await chown(path, user.uid, user.gid);
  }
  const child = spawn(program, ['--quiet', file], { ...user, stdio: ['ignore', 'ignore', 'ignore'] });
  const exited = once(child, 'exit');
  const pooler: Pooler = {
    url: `postgres://pooled@127.0.0.1:${port}/${database}`,
    log: () => readFile(log, 'utf8'),
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode === null) {
        child.kill('SIGKILL');
        await exited;
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
  for (let attempt = 1; ; attempt += 1) {
    const client = new Client(pooler.url);
    try {
      await client.connect();
      await client.end();
      return pooler;
    } catch (error) {
      if (attempt < 100 && child.exitCode === null) {
        await delay(50);
        continue;
      }
      const said = await pooler.log().catch(() => '');
      await pooler[Symbol.asyncDispose]();
      throw new Error(`pgbouncer does not answer: ${said}`, { cause: error });
    }
  }
}

function userOf(name: string): { readonly uid: number; readonly gid: number } {
  const id = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

/** What a query says in each of the pooler's connections to the server. */
export async function inEachSession(
  { url }: Pooler,
  query: string,
): Promise<readonly Record<string, unknown>[]> {
  const clients = Array.from({ length: SERVER_CONNECTIONS }, () => new Client(url));
  try {
    await Promise.all(clients.map((client) => client.connect()));
    const answers = clients.map(async (client) => {
      await client.query('begin');
      const { rows } = await client.query<Record<string, unknown>>(query);
      return rows;
    });
    return (await Promise.all(answers)).flat();
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}
