import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { type TemporaryFolder, temporaryFolder } from 'test-support/temporary-folder';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { writeCertificate } from './support/certificates.ts';
import { bearing, type GetOptions, get } from './support/get.ts';
import { runCommand } from './support/run-command.ts';
import { writeSampleConfig } from './support/sample-config.ts';
import { spawnGateway } from './support/spawn-gateway.ts';

let folder: TemporaryFolder;

beforeEach(async () => {
  folder = await temporaryFolder();
});

afterEach(() => folder[Symbol.asyncDispose]());

/** The certificate that the port shows now, as PEM without its frame. */
async function shownCertificate(port: number): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', servername: 'localhost', rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const { raw } = socket.getPeerCertificate();
  socket.destroy();
  return raw.toString('base64');
}

const bodyOf = (pem: string) => pem.replaceAll(/-----[A-Z ]+-----|\s/g, '');

describe('TLS by files', () => {
  const sections = `public_url: https://localhost
listeners: { data: { port: 0, tls: { certificate: tls.crt, key: tls.key } } }`;

  test('a renewed certificate is served without a restart, when the files change and at SIGHUP', async () => {
    await writeSampleConfig(folder.path, { sections });
    const first = await writeCertificate(folder.path);
    await using gateway = spawnGateway(['start'], { folder: folder.path });
    const port = Number((await gateway.prints(/on port (\d+)/))[1]);
    expect(await shownCertificate(port)).toBe(bodyOf(first.certificatePem));

    const second = await writeCertificate(folder.path);
    await expect.poll(() => shownCertificate(port)).toBe(bodyOf(second.certificatePem));

    const third = await writeCertificate(folder.path);
    gateway.child.kill('SIGHUP');
    await expect.poll(() => shownCertificate(port)).toBe(bodyOf(third.certificatePem));
    expect(await gateway.stop('SIGTERM')).toBe(0);
  });

  test('files that do not belong together leave the old certificate in use', async () => {
    await writeSampleConfig(folder.path, { sections });
    const { certificatePem } = await writeCertificate(folder.path);
    await using gateway = spawnGateway(['start'], { folder: folder.path });
    const port = Number((await gateway.prints(/on port (\d+)/))[1]);
    await writeFile(join(folder.path, 'tls.crt'), 'nonsense');
    await gateway.prints(/the old certificate stays in use/);
    expect(await shownCertificate(port)).toBe(bodyOf(certificatePem));
    expect(gateway.stderr).not.toContain('PRIVATE KEY');
  });

  test.each(['check-config', 'start'])(
    '%s refuses a certificate that has expired, which other commands do without',
    async (command) => {
      const config = await writeSampleConfig(folder.path, { sections });
      const notAfterDate = new Date(Date.now() - 60_000);
      const notBeforeDate = new Date(notAfterDate.getTime() - 60_000);
      await writeCertificate(folder.path, { notBeforeDate, notAfterDate });
      const { exitCode, stderr } = await runCommand([command, '--config', config]);
      expect({ exitCode, stderr }).toEqual({
        exitCode: 2,
        stderr: expect.stringMatching(/listeners\.data\.tls: .*: the certificate has expired at /),
      });
      expect(await runCommand(['token', 'list', '--config', config])).toMatchObject({ exitCode: 0 });
    },
  );

  test('a certificate that expires soon is told at the start, and when it ends is a metric', async () => {
    const adminToken = 'correct-horse-battery-staple';
    const environment = { ADMIN_TOKEN: adminToken };
    await writeSampleConfig(folder.path, {
      sections: `${sections.slice(0, -1)}, admin: { port: 0, token: { env: ADMIN_TOKEN } } }`,
    });
    // In the middle of the tenth day, so that it does not matter how long the start takes.
    const notAfterDate = new Date(Math.ceil(Date.now() / 1_000 + 9.5 * 86_400) * 1_000);
    await writeCertificate(folder.path, { notAfterDate });
    await using gateway = spawnGateway(['start'], { folder: folder.path, environment });
    await gateway.prints(
      /alarm certificate_expires: the certificate .* expires in less than 10 days, at .*tls\.crt/,
    );
    const [, port] = await gateway.prints(/admin listener on port (\d+)/);
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`, {
      headers: { authorization: `Bearer ${adminToken}` },
    });
    const text = await answer.text();
    expect(text).toContain(`\nrostack_certificate_expires_at ${notAfterDate.getTime() / 1_000}\n`);
    expect(text).toContain('rostack_alarms_total{kind="certificate_expires"} 1');
  });

  test('a key of another certificate is a configuration mistake', async () => {
    const config = await writeSampleConfig(folder.path, { sections });
    const other = await temporaryFolder();
    await using _other = other;
    const { certificatePem } = await writeCertificate(other.path);
    await writeCertificate(folder.path);
    await writeFile(join(folder.path, 'tls.crt'), certificatePem);
    const { exitCode, stderr } = await runCommand(['start', '--config', config]);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(
      /listeners\.data\.tls: the certificate \S+ and the key \S+ do not belong together; write/,
    );
  });
});

describe('TLS by a proxy', () => {
  const sectionsFor = (proxy: string) => `public_url: https://data.example/rostack
rates: { per_address: { requests: 3, window: 1h } }
listeners: { data: { port: 0, tls: off, trusted_proxies: ["${proxy}"], stripped_path_prefix: /rostack } }`;

  async function start(proxy: string) {
    const config = await writeSampleConfig(folder.path, { sections: sectionsFor(proxy) });
    const created = await runCommand(['token', 'create', '-c', config, '-p', 'me', '-g', 'stations:read']);
    const gateway = spawnGateway(['start'], { folder: folder.path });
    const [, port] = await gateway.prints(/on port (\d+)/);
    const ask = (path: string, headers: Record<string, string> = {}) =>
      get(`http://127.0.0.1:${port}${path}`, {
        headers: { Host: 'data.example', ...headers },
      } satisfies GetOptions);
    return {
      ask,
      port,
      token: created.stdout.trim(),
      [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose](),
    };
  }

  test('a trusted proxy is served, with paths as it passes them on', async () => {
    await using gateway = await start('127.0.0.0/8');
    const { status, body } = await gateway.ask('/api/stations', {
      ...bearing(gateway.token),
      'X-Forwarded-For': '203.0.113.9',
      'X-Forwarded-Proto': 'https',
    });
    expect({ status, body }).toMatchObject({ status: 200, body: { items: [] } });
    expect((await gateway.ask('/.well-known/rostack')).body).toMatchObject({
      endpoints: { json_api: 'https://data.example/rostack/api' },
    });
    const headers = { Host: 'data.example', 'X-Forwarded-Proto': 'https' };
    const socket = new WebSocket(`ws://127.0.0.1:${gateway.port}/gateway`, 'rostack.v1', { headers });
    await once(socket, 'open');
    socket.close();
  });

  test('limits count the client behind the proxy, not the address that it claims', async () => {
    await using gateway = await start('127.0.0.1');
    const askFrom = (forwarded: string) =>
      gateway.ask('/api/stations', { ...bearing(gateway.token), 'X-Forwarded-For': forwarded });
    const statuses: number[] = [];
    for (const forwarded of ['203.0.113.9', '6.6.6.6, 203.0.113.9', '203.0.113.9', '7.7.7.7, 203.0.113.9']) {
      statuses.push((await askFrom(forwarded)).status);
    }
    expect(statuses).toEqual([200, 200, 200, 429]);
    expect((await askFrom('203.0.113.10')).status).toBe(200);
  });

  test('a client that came without TLS is refused, over HTTP and WebSocket', async () => {
    await using gateway = await start('127.0.0.1');
    const headers = { 'X-Forwarded-Proto': 'http', Host: 'data.example' };
    expect(await gateway.ask('/api/stations', headers)).toMatchObject({
      status: 403,
      body: { detail: 'Use https.' },
    });
    const socket = new WebSocket(`ws://127.0.0.1:${gateway.port}/gateway`, 'rostack.v1', { headers });
    const [error] = (await once(socket, 'error')) as [Error];
    expect(error.message).toContain('403');
  });

  test('nobody else may connect: the listener has no TLS', async () => {
    await using gateway = await start('10.0.0.0/8');
    const answer = await gateway.ask('/.well-known/rostack', { 'X-Forwarded-For': '10.0.0.1' });
    expect(answer).toMatchObject({
      status: 403,
      body: { detail: expect.stringContaining('through the proxy') },
    });
  });
});

describe('the port', () => {
  test('in use by another program: one sentence, exit code 1', async () => {
    await writeSampleConfig(folder.path);
    await using first = spawnGateway(['start'], { folder: folder.path });
    const [, port = ''] = await first.prints(/on port (\d+)/);
    await using second = spawnGateway(['start'], {
      folder: folder.path,
      environment: { ROSTACK__LISTENERS__DATA__PORT: port },
    });
    expect(await second.exited()).toBe(1);
    expect(second.stderr).toContain(`error: Port ${port} is already in use.`);
  });
});
