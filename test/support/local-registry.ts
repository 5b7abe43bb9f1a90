import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { runServer } from 'verdaccio';

export interface LocalRegistry {
  /** With a slash at its end. */
  readonly url: string;
  /** What npm needs in its environment to publish there. */
  readonly environment: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/**
 * Runs a registry on loopback that has packages named in `ours` once they are published, and sends whoever asks for any
 * other to the registry that npm is configured for: there npm finds what its cache has already.
 */
export async function openLocalRegistry(ours: readonly string[], folder: string): Promise<LocalRegistry> {
  const configured = (key: string) =>
    execFileSync('npm', ['config', 'get', key], { encoding: 'utf8' }).trim();
  const elsewhere = configured('registry');
  const verdaccio = await runServer({
    configPath: join(folder, 'verdaccio.yaml'),
    storage: join(folder, 'storage'),
    packages: { '**': { access: '$all', publish: '$all' } },
    log: { type: 'stdout', level: 'fatal' },
    web: { enable: false },
    max_body_size: '100mb',
  });
  const front = createServer((request, response) => {
    const path = request.url ?? '/';
    if (ours.includes(path.split(/[/?]/)[1] ?? '')) verdaccio.emit('request', request, response);
    else response.writeHead(302, { location: new URL(path.slice(1), elsewhere).href }).end();
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => {
    front.once('listening', resolve);
  });
  const { port } = front.address() as AddressInfo;

  // Not in a variable: its name would have slashes, and shells drop such.
  const userconfig = join(folder, 'npmrc');
  const own = configured('userconfig');
  const lines = [existsSync(own) ? readFileSync(own, 'utf8') : '', `//127.0.0.1:${port}/:_authToken=anybody`];
  writeFileSync(userconfig, lines.join('\n'));
  return {
    url: `http://127.0.0.1:${port}/`,
    environment: { npm_config_userconfig: userconfig },
    async close() {
      const closed = new Promise((resolve) => {
        front.once('close', resolve);
      });
      front.close();
      front.closeAllConnections();
      await closed;
    },
  };
}
