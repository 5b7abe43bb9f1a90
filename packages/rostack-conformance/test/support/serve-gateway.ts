import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Release } from 'rostack-core';
import { createGateway, createToken, type Gateway, loadConfig } from 'rostack-gateway';
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

const config = (release: Release) => `
protocol: { release: "${release}" }
identity: { id: observatory, name: Observatory, api_version: "1" }
documentation_url: https://localhost/docs
listeners: { data: { port: 0 } }
limits: { authentication_timeout: 1s, heartbeat_interval: 1s, heartbeat_timeout: 1s }
permissions: { stations:read: Read stations., stations:follow: Follow stations., notes:read: Read notes. }
resources:
  stations:
    description: Weather stations.
    schema: station.schema.json
    read_permissions: [stations:read]
    subscribe_permissions: [stations:follow]
    filterable: { /height: all, /name: all, /isOpen: all, /tags: all, /id: [eq, in] }
    sortable: [/height, /name]
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
  readonly target: Target;
}

/** The real gateway with some records, its development certificate, and three tokens. */
export async function serveGateway(release: Release): Promise<ServedGateway> {
  const folder = await mkdtemp(join(tmpdir(), 'rostack-conformance-'));
  await writeFile(join(folder, 'station.schema.json'), JSON.stringify(SCHEMA));
  await writeFile(join(folder, 'rostack-gateway.yaml'), config(release));
  const gateway = await createGateway(
    await loadConfig(join(folder, 'rostack-gateway.yaml'), { environment: {} }),
  );
  const tokenOf = async (subject: string, grants: readonly string[]) =>
    (await createToken(gateway.store.tokens, { subject, grants: [...grants] })).token;
  const all = ['stations:read', 'stations:follow', 'notes:read'];
  const records = Array.from({ length: 130 }, (_, index) => ({
    id: `s${index}`,
    height: (index * 37) % 100,
    ...(index % 3 !== 0 && { name: index % 5 === 0 ? null : `이름 ${index % 7}` }),
    ...(index % 4 === 0 && { isOpen: index % 8 === 0, tags: ['a', `t${index % 3}`] }),
  }));
  await gateway.store.apply(records.map((record) => ({ op: 'put', resource: 'stations', record })));
  return {
    gateway,
    target: {
      url: new URL(gateway.implementation.discovery.endpoints.discovery).origin,
      ca: await readFile(gateway.developmentCertificatePath ?? '', 'utf8'),
      token: await tokenOf('main', all),
      secondToken: await tokenOf('second', all),
      poorToken: await tokenOf('poor', []),
    },
    async [Symbol.asyncDispose]() {
      await gateway.close({ drainTimeoutMs: 0 });
      await rm(folder, { recursive: true, force: true });
    },
  };
}
