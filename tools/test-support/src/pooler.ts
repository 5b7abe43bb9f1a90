import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { chown, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { describeWhere } from './describe-where.ts';
import { freePort } from './free-port.ts';
import { POSTGRES_URL } from './postgres.ts';

/** A pgbouncer of its own in front of the server of the tests. */
export interface Pooler extends AsyncDisposable {
  readonly url: string;
  /** What it has logged. */
  readonly log: () => Promise<string>;
}

/** Connections to the server, which all clients share. */
export const SERVER_CONNECTIONS = 3;

const isRoot = process.getuid?.() === 0;

const PATH = `${process.env['PATH']}:/usr/sbin`;

const pgbouncer = await describeWhere('pgbouncer (apt-get install pgbouncer)', () =>
  execFileSync('sh', ['-c', 'command -v pgbouncer'], { env: { PATH } }),
);

/** A suite that needs pgbouncer. Where there is none it is skipped, which is said on standard error; with `CI` set that fails. */
export const describePooler = pgbouncer.describe;

/**
 * Starts a pgbouncer with default settings but for the mode and the small pool.
 * @param connectQuery what each session of the server begins with
 */
export async function startPooler(mode: 'transaction' | 'session', connectQuery?: string): Promise<Pooler> {
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
  const child = spawn('pgbouncer', ['--quiet', file], { ...user, env: { PATH }, stdio: 'ignore' });
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
