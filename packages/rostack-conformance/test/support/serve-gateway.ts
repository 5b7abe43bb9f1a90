import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject, Release } from 'rostack-core';
import { createGateway, createToken, type Gateway, loadConfig } from 'rostack-gateway';
import { parseSharedToken } from 'rostack-server';
import type { Driver, DriverChange, DriverOperation, IssueRequest } from '../../src/check/driver.ts';
import type { Target } from '../../src/run/target.ts';

const SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'height'],
  properties: {
    id: { type: 'string' },
    height: { type: 'number' },
    name: { type: ['string', 'null'] },
    isOpen: { type: 'boolean' },
    tags: { type: 'array', items: { type: 'string' } },
  },
};

const ALL = ['stations:read', 'stations:follow', 'notes:read'];
const DRAIN_MS = 500;

const config = (release: Release, port: number, storeUrl: string | undefined, sections: string) => `
protocol: { release: "${release}" }
identity: { id: observatory, name: Observatory, api_version: "1" }
documentation_url: https://localhost/docs
listeners: { data: { port: ${port} } }
${storeUrl === undefined ? '' : `store: { url: ${storeUrl} }`}
${sections}
permissions: { stations:read: Read stations., stations:follow: Follow stations., notes:read: Read notes. }
resources:
  stations:
    description: Weather stations.
    schema: station.schema.json
    read_permissions: [stations:read]
    subscribe_permissions: [stations:follow]
    filterable: { /height: all, /name: all, /isOpen: all, /tags: all, /id: [eq, in] }
    sortable: [/height, /name]
    event_filtering: true
    events:
      station.created: { transition: create }
      station.updated: { transition: update }
      station.removed: { transition: delete, tombstone: true }
  field-notes:
    schema: station.schema.json
    read_permissions: [notes:read]
    events:
      note.written: { transition: create }
`;

const RECORDS = Array.from({ length: 60 }, (_, index) => ({
  id: `s${index}`,
  height: (index * 37) % 50,
  ...(index % 3 !== 0 && { name: index % 5 === 0 ? null : `이름 ${index % 7}` }),
  ...(index % 4 === 0 && { isOpen: index % 8 === 0, tags: ['a', `t${index % 3}`] }),
}));

export interface ServedGateway extends AsyncDisposable {
  readonly target: Target;
}

/**
 * The real gateway with some records, its development certificate, three tokens, and a driver in this process.
 * @param storeUrl SQLite in a folder of its own by default
 * @param sections of its configuration, in addition
 */
export async function serveGateway(
  release: Release,
  storeUrl?: string,
  sections = '',
): Promise<ServedGateway> {
  const folder = await mkdtemp(join(tmpdir(), 'rostack-conformance-'));
  await writeFile(join(folder, 'station.schema.json'), JSON.stringify(SCHEMA));
  await writeFile(
    join(folder, 'rostack-gateway.yaml'),
    config(release, await freePort(), storeUrl, sections),
  );
  const start = async () =>
    createGateway(await loadConfig(join(folder, 'rostack-gateway.yaml'), { environment: {} }));
  const driver = new GatewayDriver(await start(), start);
  await driver.burst(
    'stations',
    RECORDS.map((record) => ({ op: 'put', record })),
  );
  const { gateway } = driver;
  return {
    target: {
      url: gateway.url,
      ca: await readFile(gateway.developmentCertificatePath ?? '', 'utf8'),
      token: await driver.issue({}),
      secondToken: await tokenOf(gateway, { subject: 'second', grants: ALL }),
      poorToken: await tokenOf(gateway, { subject: 'poor', grants: [] }),
      driver,
    },
    async [Symbol.asyncDispose]() {
      await driver[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const tokenOf = async (gateway: Gateway, request: Parameters<typeof createToken>[1]): Promise<string> =>
  (await createToken(gateway.store.tokens, request)).token;

/** Drives a gateway in this process; a restart is a new one over the same store, on the same port. */
class GatewayDriver implements Driver {
  readonly operations: ReadonlySet<DriverOperation> = new Set([
    'put',
    'delete',
    'burst',
    'issue',
    'revoke',
    'drain',
    'restart',
  ]);
  readonly samples = { stations: RECORDS.slice(0, 8) };
  gateway: Gateway;
  readonly #start: () => Promise<Gateway>;
  #closing: Promise<void> | undefined;

  constructor(gateway: Gateway, start: () => Promise<Gateway>) {
    this.gateway = gateway;
    this.#start = start;
  }

  put(resource: string, record: JsonObject): Promise<void> {
    return this.burst(resource, [{ op: 'put', record }]);
  }

  delete(resource: string, id: string): Promise<void> {
    return this.burst(resource, [{ op: 'delete', id }]);
  }

  async burst(resource: string, changes: readonly DriverChange[]): Promise<void> {
    await this.gateway.store.apply(changes.map((change) => ({ resource, ...change })));
  }

  issue({ expiresInMs, permissions = ALL }: IssueRequest): Promise<string> {
    const expiresAtMs = expiresInMs === undefined ? undefined : Date.now() + expiresInMs;
    return tokenOf(this.gateway, { subject: 'main', grants: permissions, expiresAtMs });
  }

  async revoke(token: string): Promise<void> {
    await this.gateway.store.tokens.revoke(parseSharedToken(token) ?? '');
  }

  async drain(): Promise<void> {
    this.#closing = this.gateway.close({ drainTimeoutMs: DRAIN_MS });
  }

  async restart(): Promise<void> {
    await (this.#closing ?? this.gateway.close({ drainTimeoutMs: 0 }));
    this.#closing = undefined;
    this.gateway = await this.#start();
  }

  prune = refused;
  save = refused;
  restore = refused;

  async [Symbol.asyncDispose](): Promise<void> {
    await (this.#closing ?? this.gateway.close({ drainTimeoutMs: 0 }));
  }
}

const refused = (): Promise<void> => Promise.reject(new Error('this driver cannot do that'));

/** The gateway has to come back on the port that its document names. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
