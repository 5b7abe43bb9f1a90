import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ProcessDriver, type Target } from '../../src/index.ts';

const CLI = resolve(import.meta.dirname, '../../dist/cli.js');
const GATEWAY = resolve(import.meta.dirname, '../../../../apps/rostack-gateway/dist/cli/main.js');
const ADMIN_TOKEN = 'admin-token-0123456789abcdef0123456789';
const GRANTS = ['stations:read', 'stations:follow'];

const SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'height'],
  properties: { id: { type: 'string' }, height: { type: 'number' }, name: { type: 'string' } },
};

const config = (port: number, adminPort: number) => `
identity: { id: observatory, name: Observatory, api_version: "1" }
listeners:
  data: { port: ${port} }
  admin: { port: ${adminPort}, token: { env: ADMIN_TOKEN } }
limits: { authentication_timeout: 1s, heartbeat_interval: 5s, heartbeat_timeout: 5s }
shutdown: { drain_time: 1s }
log: { level: silent }
permissions: { stations:read: Read stations., stations:follow: Follow stations. }
resources:
  stations:
    schema: station.schema.json
    read_permissions: [stations:read]
    subscribe_permissions: [stations:follow]
    filterable: { /height: all, /name: all }
    sortable: [/height]
    events:
      station.created: { transition: create, carries: [id, name] }
      station.updated: { transition: update, carries: [id, name] }
      station.removed: { transition: delete, carries: [id, name] }
`;

export interface DrivenGateway extends AsyncDisposable {
  readonly driver: ProcessDriver;
  readonly target: Target;
}

/** A gateway in a process of its own, with the driver that the package ships for it. */
export async function driveGateway(): Promise<DrivenGateway> {
  const folder = await mkdtemp(join(tmpdir(), 'rostack-conformance-'));
  const file = join(folder, 'rostack-gateway.yaml');
  const [port, adminPort] = [await freePort(), await freePort()];
  await writeFile(join(folder, 'station.schema.json'), JSON.stringify(SCHEMA));
  await writeFile(file, config(port, adminPort));
  const argv = [CLI, 'gateway-driver', '--config', file, '--admin', `http://127.0.0.1:${adminPort}`];
  const rights = ['--admin-token-env', 'ADMIN_TOKEN', '--principal', 'main', '--grant', ...GRANTS];
  const command = [process.execPath, ...argv, ...rights, '--', process.execPath, GATEWAY];
  const driver = await ProcessDriver.start(`ADMIN_TOKEN=${ADMIN_TOKEN} exec ${command.join(' ')}`);
  try {
    const heights = [3, 14, 15, 92, 65];
    for (const [index, height] of heights.entries()) {
      await driver.put('stations', { id: `s${index}`, height, name: `Station ${index}` });
    }
    return {
      driver,
      target: {
        url: `https://localhost:${port}`,
        ca: await readFile(join(folder, 'data/localhost.crt.pem'), 'utf8'),
        token: await driver.issue({}),
        driver,
      },
      async [Symbol.asyncDispose]() {
        await driver.close();
        await rm(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await driver.close();
    throw error;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
