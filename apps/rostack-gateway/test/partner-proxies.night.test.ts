import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from 'test-support/free-port';
import { isListening } from 'test-support/is-listening';
import { temporaryFolder } from 'test-support/temporary-folder';
import { describe, expect, test } from 'vitest';
import { parseConfig } from '../src/config/load-config.ts';
import { createGateway } from '../src/serving/gateway/create-gateway.ts';
import { createToken } from '../src/serving/token/tokens.ts';
import { writeCertificate } from './support/certificates.ts';
import { bearing, get } from './support/get.ts';
import { followFrom } from './support/resuming-follower.ts';
import { blockOf } from './support/task-server.ts';

/** Debian has them where a user's PATH does not lead. */
const PATH = `${process.env['PATH'] ?? ''}:/usr/sbin`;

interface Ports {
  readonly proxy: number;
  readonly gateway: number;
  readonly admin: number;
}

/** How a proxy is started in a folder that has `tls.crt` and `tls.key` for localhost. */
interface Proxy {
  readonly program: string;
  /** Writes its configuration from the block of the page; returns its arguments. */
  readonly prepare: (folder: string, ports: Ports) => Promise<readonly string[]>;
}

const PROXIES: readonly Proxy[] = [
  {
    program: 'nginx',
    async prepare(folder, { proxy, gateway }) {
      const server = (await blockOf('go-public.md', 'nginx rostack.conf'))
        .replace('listen 443 ssl', `listen 127.0.0.1:${proxy} ssl`)
        .replace('data.example.com', 'localhost')
        .replace(/ssl_certificate .*;/, `ssl_certificate ${folder}/tls.crt;`)
        .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${folder}/tls.key;`)
        .replace('127.0.0.1:8080', `127.0.0.1:${gateway}`)
        // Port 443 is in no Host.
        .replace('Host $host;', `Host $host:${proxy};`);
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
      const paths = temporary.map((name) => `${name}_temp_path ${folder}/run;`).join(' ');
      await mkdir(join(folder, 'run'));
      await writeFile(
        join(folder, 'nginx.conf'),
        `pid ${folder}/pid; events {} http { access_log off; ${paths} ${server} }`,
      );
      // As root it would give its workers to a user who may not enter the folder.
      const globals = process.getuid?.() === 0 ? 'daemon off; user root;' : 'daemon off;';
      return ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr', '-g', globals];
    },
  },
  {
    program: 'caddy',
    async prepare(folder, { proxy, gateway, admin }) {
      const site = (await blockOf('go-public.md', 'text Caddyfile'))
        .replace(
          'data.example.com {',
          `https://localhost:${proxy} {\n\ttls ${folder}/tls.crt ${folder}/tls.key`,
        )
        .replace('127.0.0.1:8080', `127.0.0.1:${gateway}`)
        .replace('8444', String(admin));
      await writeFile(join(folder, 'Caddyfile'), `{\n\tadmin off\n\tauto_https off\n}\n${site}`);
      return ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'];
    },
  },
];

async function startProxy(
  { program, prepare }: Proxy,
  folder: string,
  ports: Ports,
): Promise<AsyncDisposable> {
  const child = spawn(program, await prepare(folder, ports), {
    env: { PATH, HOME: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk;
  });
  const ended = once(child, 'close');
  while (!(await isListening(ports.proxy)))
    if (child.exitCode !== null) throw new Error(`${program} ended: ${said}`);
  return {
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

describe.for(PROXIES.map((proxy) => [proxy.program, proxy] as const))(
  'the block of the page about partners for %s',
  ([program, proxy]) => {
    const isThere = spawnSync(program, ['version'], { env: { PATH } }).error === undefined;
    if (!isThere)
      process.stderr.write(`NOT TESTED: ${program} is not installed: apt-get install ${program}\n`);

    test.skipIf(!isThere)('passes on lists and live events, with the client’s address', async () => {
      await using resources = new AsyncDisposableStack();
      const folder = resources.use(await temporaryFolder());
      const ports: Ports = { proxy: await freePort(), gateway: await freePort(), admin: await freePort() };
      const { certificatePem: ca } = await writeCertificate(folder.path);
      await writeFile(
        join(folder.path, 'station.schema.json'),
        JSON.stringify({ type: 'object', required: ['id'], properties: { id: { type: 'string' } } }),
      );
      const addresses: (string | undefined)[] = [];
      const config = await parseConfig(
        {
          identity: { id: 'partners', name: 'Partners', api_version: '1' },
          public_url: `https://localhost:${ports.proxy}`,
          data_dir: '.',
          listeners: {
            data: { host: '127.0.0.1', port: ports.gateway, tls: 'off', trusted_proxies: ['127.0.0.1'] },
            admin: { port: ports.admin, token: { env: 'ADMIN_TOKEN' } },
          },
          permissions: { 'stations:read': 'Read.' },
          resources: {
            stations: {
              schema: 'station.schema.json',
              read_permissions: ['stations:read'],
              events: { 'station.made': { transition: 'create' } },
            },
          },
        },
        { environment: { ADMIN_TOKEN: 'correct-horse-battery-staple' }, folder: folder.path },
      );
      const gateway = resources.use(
        await createGateway(config, {
          hooks: { onRequest: ({ clientAddress }) => void addresses.push(clientAddress) },
        }),
      );
      const { token } = await createToken(gateway.store.tokens, {
        subject: 'acme',
        grants: ['stations:read'],
      });
      await gateway.store.apply([{ resource: 'stations', op: 'put', record: { id: 'seoul' } }]);
      resources.use(await startProxy(proxy, folder.path, ports));

      const url = `https://localhost:${ports.proxy}`;
      const list = () => get(`${url}/api/stations`, { headers: bearing(token), ca });
      // Caddy asks whether the gateway is ready before it passes anything on.
      await expect.poll(async () => (await list()).status).toBe(200);
      expect(addresses.at(-1)).toMatch(/127\.0\.0\.1|::1/);

      const { body } = await list();
      const { page } = body as { readonly page: { readonly event_cursor: string } };
      const follower = resources.use(await followFrom(page.event_cursor, { url, ca }, token));
      await gateway.store.apply([{ resource: 'stations', op: 'put', record: { id: 'busan' } }]);
      await expect.poll(() => follower.ids).toEqual(['busan']);
      expect(follower.errors).toEqual([]);
    });
  },
);
