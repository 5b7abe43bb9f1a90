import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { GatewayReport } from '../src/observe/status/gateway-report.ts';
import { reportText } from '../src/observe/status/report-text.ts';
import { ADMIN_TOKEN, type AdminGateway, adminGateway } from './support/admin-gateway.ts';
import { bearing, get } from './support/get.ts';
import { runCommand } from './support/run-command.ts';

const HOSTILE = 'x\u001b[2J\nforged: line\u202e';

let running: AdminGateway;
let token: string;

beforeAll(async () => {
  running = await adminGateway();
  token = (
    await command('token', 'create', '-p', 'me', '-g', 'stations:read', 'stations:follow')
  ).stdout.trim();
});

afterAll(() => running[Symbol.asyncDispose]());

const command = (...argv: string[]) =>
  runCommand([...argv, '--config', join(running.folder, 'rostack-gateway.yaml')], {
    environment: { ADMIN_TOKEN },
  });

const status = (...argv: string[]) => command('status', '--port', String(running.gateway.adminPort), ...argv);

async function follow(): Promise<WebSocket> {
  const socket = new WebSocket(`wss://localhost:${running.gateway.port}/gateway`, 'rostack.v1', {
    rejectUnauthorized: false,
  });
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'authenticate', method: 'shared_token', token }));
  await once(socket, 'message');
  socket.send(JSON.stringify({ type: 'subscribe', subscription_id: 'one', resource: 'stations' }));
  await once(socket, 'message');
  return socket;
}

test('followers, principals, certificate and what to do are told, as text and as JSON', async () => {
  const socket = await follow();
  const ca = await readFile(running.gateway.developmentCertificatePath ?? '', 'utf8');
  await get(`https://localhost:${running.gateway.port}/api/stations`, { headers: bearing(token), ca });
  const { exitCode, stdout } = await status();
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^status:\n {2}ready\ncertificate:\n {2}expires in less than 365 days, at \d{4}-/);
  expect(stdout).toContain('followers:\n  1 WebSocket\n  stations  1 subscription, at most 0 changes behind');
  expect(stdout).toMatch(
    /top principals:\n {2}\S+ \(\w+\) {2}1 request in the last 10 minutes, 1 WebSocket\n/,
  );
  expect(stdout).toMatch(/what to do:\n {2}nothing\n$/);
  const json = JSON.parse((await status('--json')).stdout) as unknown;
  expect(json).toMatchObject({
    status: 'ready',
    certificate: { expiresAt: expect.stringMatching(/Z$/) },
    followers: { connections: 1, resources: { stations: { subscriptions: 1, behindChanges: 0 } } },
    principals: [{ requests: 1, connections: 1 }],
    next: [],
  });
  socket.close();
});

test('what others wrote forges no line and does not control the terminal', async () => {
  const report = (await (await running.admin('/status')).json()) as GatewayReport;
  const text = reportText(
    {
      ...report,
      tables: { [HOSTILE]: { state: 'stopped', reason: HOSTILE } },
      alarms: [{ at: HOSTILE, kind: HOSTILE, message: HOSTILE, count: 2 }],
      next: [HOSTILE],
    },
    Date.now(),
  );
  // The name and the reason of the table; time, kind and message of the alarm; what to do next.
  expect(text.match(/forged: line/g)).toHaveLength(6);
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u);
  expect(text).not.toMatch(/^forged/m);
});

test('each state of a table is told in a line, with what is known of it', async () => {
  const report = (await (await running.admin('/status')).json()) as GatewayReport;
  const tables = {
    boats: { state: 'following' },
    ships: { state: 'standby' },
    buoys: { state: 'loading', loadedRows: 1, estimatedRows: 20_000 },
    piers: { state: 'loading', loadedRows: 2 },
    docks: { state: 'failing', reason: 'no room, for 3 s', oldestUnmovedSeconds: 4 },
    nets: { state: 'stopped', reason: 'gone' },
  } as const;
  const lines = reportText({ ...report, tables, quarantinedRows: { boats: 2 } }, Date.now()).split('\n');
  expect(lines.slice(lines.indexOf('tables:') + 1, lines.indexOf('followers:'))).toEqual([
    '  boats  leading; nothing waits; refused: 2 rows',
    '  ships  standby: another process leads, or none yet; nothing waits',
    '  buoys  loading 1 row of about 20000; nothing waits',
    '  piers  loading 2 rows; nothing waits',
    '  docks  failing: no room, for 3 s; the oldest change waits for 4 s',
    '  nets  stopped: gone; nothing waits',
  ]);
});

test('the report needs the admin token', async () => {
  expect((await running.admin('/status', { token: null })).status).toBe(401);
  const { exitCode, stderr } = await runCommand(
    [
      'status',
      '--port',
      String(running.gateway.adminPort),
      '--config',
      join(running.folder, 'rostack-gateway.yaml'),
    ],
    { environment: { ADMIN_TOKEN: 'another-token-0123456789' } },
  );
  expect({ exitCode, stderr }).toEqual({
    exitCode: 1,
    stderr: expect.stringContaining('another admin token'),
  });
});

test('a gateway that does not run, or has no port yet, is told with what to do', async () => {
  expect(await command('status')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('add --port'),
  });
  const gone = await adminGateway();
  const port = String(gone.gateway.adminPort);
  await gone[Symbol.asyncDispose]();
  expect(await command('status', '--port', port)).toMatchObject({
    exitCode: 1,
    stderr: expect.stringMatching(/no gateway answers at 127\.0\.0\.1:\d+ \(.*ECONNREFUSED.*\): start it/),
  });
});
