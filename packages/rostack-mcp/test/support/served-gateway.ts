import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGateway, createToken, type Gateway, loadConfig } from 'rostack-gateway';

const SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'height'],
  properties: { id: { type: 'string' }, height: { type: 'number' }, name: { type: 'string' } },
};

const CONFIG = `
identity: { id: observatory, name: Observatory, api_version: "1" }
listeners: { data: { port: 0 } }
permissions: { stations:read: Read stations., notes:read: Read notes. }
resources:
  stations:
    description: Weather stations.
    schema: station.schema.json
    read_permissions: [stations:read]
    filterable: { /height: [gte, lt], /name: all }
    sortable: [/height]
    events:
      station.created: { transition: create }
      station.updated: { transition: update }
      station.removed: { transition: delete }
  field-notes:
    schema: station.schema.json
    read_permissions: [notes:read]
`;

export interface ServedGateway extends AsyncDisposable {
  readonly gateway: Gateway;
  /** For a process that reads it. */
  readonly environment: Record<string, string>;
  put(
    ...records: readonly { readonly id: string; readonly height: number; readonly name?: string }[]
  ): Promise<void>;
}

/** The real gateway over SQLite, with its development certificate. */
export async function serveGateway(): Promise<ServedGateway> {
  const folder = await mkdtemp(join(tmpdir(), 'rostack-mcp-'));
  await writeFile(join(folder, 'station.schema.json'), JSON.stringify(SCHEMA));
  await writeFile(join(folder, 'rostack-gateway.yaml'), CONFIG);
  const config = await loadConfig(join(folder, 'rostack-gateway.yaml'), { environment: {} });
  const gateway = await createGateway(config);
  const { token } = await createToken(gateway.store.tokens, {
    subject: 'assistant',
    grants: ['stations:read'],
  });
  const certificate = gateway.developmentCertificatePath ?? '';
  await readFile(certificate);
  return {
    gateway,
    environment: { PATH: process.env['PATH'] ?? '', ROSTACK_TOKEN: token, NODE_EXTRA_CA_CERTS: certificate },
    put: async (...records) => {
      await gateway.store.apply(records.map((record) => ({ op: 'put', resource: 'stations', record })));
    },
    async [Symbol.asyncDispose]() {
      await gateway.close({ drainTimeoutMs: 0 });
      await rm(folder, { recursive: true, force: true });
    },
  };
}
