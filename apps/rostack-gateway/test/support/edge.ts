import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { freePort } from 'test-support/free-port';
import { isListening } from 'test-support/is-listening';
import { temporaryFolder } from 'test-support/temporary-folder';

const RECIPE = resolve(import.meta.dirname, '../../edge/nginx.conf');
/** Debian has it where a user's PATH does not lead. */
const PATH = `${process.env['PATH'] ?? ''}:/usr/sbin`;

const version = spawnSync('nginx', ['-V'], { env: { PATH }, encoding: 'utf8' });

/** Whether there is an nginx here that the recipe is for. */
export const hasNginx = version.error === undefined && version.stderr.includes('http_auth_request_module');

export interface Edge extends AsyncDisposable {
  readonly port: number;
  /** Of its processes. */
  readonly pid: number;
}

/** An nginx with the recipe in front of a gateway on loopback. @param path of the collection that is shared */
export async function startEdge(gatewayPort: number, path: string): Promise<Edge> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await temporaryFolder());
  const port = await freePort();
  const recipe = await readFile(RECIPE, 'utf8');
  const ownPaths = ['fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path run/${name};`).join(' ');
  const written = [
    ['127.0.0.1:8443', `127.0.0.1:${gatewayPort}`],
    ['127.0.0.1:8080', `127.0.0.1:${port}`],
    ['location = /api/stations', `location = ${path}`],
    ['access_log off;', `access_log off; ${ownPaths}`],
  ].reduce((text, [from = '', to = '']) => {
    if (!text.includes(from)) throw new Error(`the recipe has no ${from}`);
    return text.replaceAll(from, to);
  }, recipe);
  await mkdir(join(folder.path, 'run'));
  const file = join(folder.path, 'nginx.conf');
  await writeFile(file, written);
  // As root it would give its workers to a user who may not enter the folder.
  const globals = process.getuid?.() === 0 ? 'daemon off; user root;' : 'daemon off;';
  const child = spawn('nginx', ['-p', folder.path, '-c', file, '-e', 'stderr', '-g', globals], {
    env: { PATH },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk;
  });
  const ended = once(child, 'close');
  stack.defer(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  while (!(await isListening(port))) {
    if (child.exitCode !== null) throw new Error(`nginx ended: ${said}`);
  }
  const held = stack.move();
  return { port, pid: child.pid ?? 0, [Symbol.asyncDispose]: () => held.disposeAsync() };
}
