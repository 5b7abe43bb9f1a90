import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from 'test-support/temporary-folder';
import type { ConfigInput } from '../../../../apps/rostack-gateway/src/config/model/config-model.ts';
import { GatewayProcess } from '../../../../apps/rostack-gateway/test/support/spawn-gateway.ts';
import { ADMIN_TOKEN } from '../../support/gateway/config.ts';
import { IMAGE_PROCESS } from '../../support/gateway/image-process.ts';
import type { RostackPlan } from '../followers/rostack.ts';
import type { Contender } from './contender.ts';

const PLENTY = 100_000_000;

const SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'value', 'note'],
  properties: { id: { type: 'string' }, value: { type: 'integer' }, note: { type: 'string' } },
};

const EVENTS = {
  'point.made': { transition: 'create' },
  'point.changed': { transition: 'update' },
  'point.gone': { transition: 'delete' },
} as const;

/** `rostack-gateway start`, as the image starts it, with one resource that clients may read and follow. */
export interface RostackContender extends Contender {
  readonly port: string;
  /** Of a client. */
  readonly token: string;
  /** Posts records to the admin listener, in one request. */
  readonly post: (records: readonly object[]) => Promise<void>;
}

/** A resource: its name, its JSON Schema, and the rest of its configuration. */
export interface ConfiguredResource {
  readonly name: string;
  readonly schema: object;
  readonly configuration: Omit<ResourceInput, 'schema' | 'read_permissions'>;
}

type ResourceInput = NonNullable<ConfigInput['resources']>[string];

/** Points that are posted. */
export const POSTED_POINTS: ConfiguredResource = {
  name: 'points',
  schema: SCHEMA,
  configuration: { events: EVENTS },
};

/** The points of an application's table. */
export const ATTACHED_POINTS: ConfiguredResource = {
  ...POSTED_POINTS,
  configuration: {
    events: EVENTS,
    source: { table: 'public.points', key: 'id', columns: ['id', 'value', 'note'] },
  },
};

export async function startRostack(
  url: string,
  { name, schema, configuration }: ConfiguredResource,
): Promise<RostackContender> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await temporaryFolder());
  await writeFile(join(folder.path, 'record.json'), JSON.stringify(schema));
  const config: ConfigInput = {
    identity: { id: 'bench', name: 'Bench', api_version: '1' },
    listeners: {
      data: { port: 0, tls: 'loopback' },
      admin: { port: 0, token: { env: 'ADMIN_TOKEN' } },
    },
    rates: { per_address: { requests: PLENTY }, per_principal: { requests: PLENTY } },
    store: { url },
    log: { level: 'error' },
    permissions: { 'bench:read': 'Read everything.' },
    resources: { [name]: { ...configuration, schema: 'record.json', read_permissions: ['bench:read'] } },
  };
  await writeFile(join(folder.path, 'rostack-gateway.yaml'), JSON.stringify(config));
  const surroundings = {
    folder: folder.path,
    nodeOptions: IMAGE_PROCESS.nodeOptions,
    environment: { ...IMAGE_PROCESS.environment, ADMIN_TOKEN },
  };
  const command = async (...argv: string[]): Promise<string> => {
    await using running = new GatewayProcess(argv, surroundings);
    if ((await running.exited()) !== 0) throw new Error(running.stderr);
    return running.stdout.trim();
  };
  if (configuration.source !== undefined) await command('attach');
  const gateway = stack.use(new GatewayProcess(['start'], surroundings));
  const [, port = ''] = await gateway.prints(/^rostack-gateway: .* on port (\d+)/m);
  const [, adminPort] = await gateway.prints(/^admin listener on port (\d+)$/m);
  const token = await command('token', 'create', '-p', 'bench', '-g', 'bench:read');
  const plan: RostackPlan = { url: `http://localhost:${port}`, token, resource: name };
  const held = stack.move();
  return {
    pid: gateway.child.pid ?? 0,
    port,
    token,
    post: (records) => post(`http://127.0.0.1:${adminPort}/resources/${name}/changes`, records),
    followers: { file: 'rostack.ts', plan },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

async function post(url: string, records: readonly object[]): Promise<void> {
  const headers = { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/x-ndjson' };
  const lines = records.map((record) => `${JSON.stringify({ op: 'put', record })}\n`);
  const response = await fetch(url, { method: 'POST', headers, body: lines.join('') });
  const results = await response.text();
  if (response.status !== 200 || results.includes('"error"')) throw new Error(`a write failed: ${results}`);
}
