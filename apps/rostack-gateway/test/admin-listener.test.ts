import { temporaryFolder } from 'test-support/temporary-folder';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ADMIN_TOKEN, type AdminGateway, adminGateway } from './support/admin-gateway.ts';
import { runCommand } from './support/run-command.ts';
import { writeSampleConfig } from './support/sample-config.ts';

let running: AdminGateway;

beforeAll(async () => {
  running = await adminGateway();
});

afterAll(() => running[Symbol.asyncDispose]());

describe('the admin listener', () => {
  test.each([
    ['PUT', '/resources/stations/a'],
    ['DELETE', '/resources/stations/a'],
    ['POST', '/resources/stations/changes'],
    ['GET', '/metrics'],
    ['GET', '/status'],
    ['GET', '/nothing'],
  ])('refuses %s %s without its token', async (method, path) => {
    await using other = await adminGateway();
    for (const token of [null, 'wrong', `${ADMIN_TOKEN}x`, ADMIN_TOKEN.slice(1), '']) {
      const response = await other.admin(path, { method, token });
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toContain('Bearer');
      expect(response.headers.get('content-type')).toBe('application/problem+json');
    }
    expect((await other.admin(path, { method })).status).not.toBe(401);
  });

  test('takes the token from the Authorization field alone', async () => {
    const query = await running.admin(`/metrics?access_token=${ADMIN_TOKEN}`, { token: null });
    expect(query.status).toBe(401);
    const basic = await running.admin('/metrics', {
      token: null,
      headers: { Authorization: `Basic ${ADMIN_TOKEN}` },
    });
    expect(basic.status).toBe(401);
  });

  test('lets an address wait after too many failures, but never the right token', async () => {
    await using other = await adminGateway();
    const attempts: Response[] = [];
    for (let attempt = 0; attempt < 12; attempt += 1) {
      // What somebody says of their address is nothing that the listener goes by: it stands behind no proxy.
      const headers = { 'X-Forwarded-For': `192.0.2.${attempt}` };
      attempts.push(await other.admin('/metrics', { token: 'wrong', headers }));
    }
    expect(attempts.map(({ status }) => status)).toEqual([
      ...Array.from({ length: 10 }, () => 401),
      429,
      429,
    ]);
    expect(Number(attempts.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(0);
    const right = await other.admin('/metrics');
    expect(right.status).toBe(200);
    const metrics = await right.text();
    const failures = (limited: boolean) =>
      `rostack_authentication_failures_total{via="admin",reason="unknown",limited="${limited}"}`;
    expect(metrics).toContain(`${failures(false)} 10\n`);
    expect(metrics).toContain(`${failures(true)} 2\n`);
    expect((await other.admin('/healthz', { token: null })).status).toBe(200);
  });

  test.each([
    ['admin: { token: { env: ADMIN_TOKEN }, host: 0.0.0.0 }', 'is not loopback'],
    ['admin: { token: { env: ADMIN_TOKEN }, host: 10.1.2.3 }', 'is not loopback'],
    ['admin: { port: 0 }', 'token'],
    ['admin: { token: { env: ABSENT } }', 'ABSENT'],
    ['admin: { token: in-the-file-itself-0123456789 }', '{ env: NAME }'],
  ])('is not started with %s', async (section, message) => {
    await using folder = await temporaryFolder();
    const config = await writeSampleConfig(folder.path, {
      sections: `listeners: { data: { port: 0 }, ${section} }`,
    });
    const { exitCode, stderr } = await runCommand(['start', '--config', config], {
      environment: { ADMIN_TOKEN },
    });
    expect(stderr).toContain(message);
    expect(exitCode).toBe(2);
  });
});
