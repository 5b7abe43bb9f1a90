import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Authenticator } from 'rostack-server';
import { describePostgres, postgresSchema } from 'test-support/postgres';
import { type TemporaryFolder, temporaryFolder } from 'test-support/temporary-folder';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startAuthorizationServer } from '../../../packages/rostack-server/test/support/authorization-server.ts';
import {
  type ConfigInput,
  createGateway,
  createToken,
  type GatewayConfig,
  parseConfig,
} from '../src/index.ts';
import { configuredAuthenticators } from '../src/serving/token/authenticators.ts';
import { bearing, get } from './support/get.ts';
import { stationSchema } from './support/sample-config.ts';

let folder: TemporaryFolder;

beforeEach(async () => {
  folder = await temporaryFolder();
  await writeFile(join(folder.path, 'station.schema.json'), JSON.stringify(stationSchema));
});

afterEach(() => folder[Symbol.asyncDispose]());

const written: ConfigInput = {
  identity: { id: 'observatory', name: 'Observatory', api_version: '1' },
  listeners: { data: { port: 0 } },
  permissions: { 'stations:read': 'Read stations.' },
  resources: {
    stations: {
      schema: 'station.schema.json',
      read_permissions: ['stations:read'],
      filterable: { '/height': 'all' },
      sortable: ['/height'],
      events: {
        'station.added': { transition: 'create' },
        'station.moved': { transition: 'update', carries: 'nothing' },
        'station.gone': { transition: 'delete', carries: ['id', 'name'] },
      },
    },
  },
};

const parse = (
  more: Partial<ConfigInput> = {},
  environment: Record<string, string> = {},
): Promise<GatewayConfig> => parseConfig({ ...written, ...more }, { folder: folder.path, environment });

interface Page {
  readonly items: readonly unknown[];
  readonly page: { readonly event_cursor: string; readonly next_cursor: string | null };
}

describe('createGateway', () => {
  test('serves what is written to its store, with or without a socket, until it is closed', async () => {
    await using gateway = await createGateway(await parse());
    const { store, app, url } = gateway;
    await store.apply([{ resource: 'stations', op: 'put', record: { id: 'seoul', height: 86 } }]);
    const { token } = await createToken(store.tokens, { subject: 'me', grants: ['stations:read'] });
    const response = await app.request(`${url}/api/stations`, { headers: bearing(token) });
    expect(await response.json()).toMatchObject({ items: [{ id: 'seoul', height: 86 }] });

    const certificate = gateway.developmentCertificatePath ?? '';
    const ca = await readFile(certificate, 'utf8');
    expect((await get(`${url}/api/stations/seoul`, { ca, headers: bearing(token) })).status).toBe(200);
    await gateway.close({ drainTimeoutMs: 0 });
    await expect(get(`${url}/api/stations`, { ca })).rejects.toThrow('ECONNREFUSED');
    await expect(store.apply([{ resource: 'stations', op: 'delete', id: 'seoul' }])).rejects.toMatchObject({
      code: 'store_closed',
    });
  });

  test('leaves nothing of a gateway in memory that was closed', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const config = await parse();
    const closedStore = async () => {
      const gateway = await createGateway(config);
      const store = new WeakRef(gateway.store);
      await gateway.close({ drainTimeoutMs: 0 });
      return store;
    };
    const closed = [await closedStore(), await closedStore(), await closedStore()];
    const kept = () => closed.filter((store) => store.deref() !== undefined).length;
    // What was asked for stays until the end of that turn, and the end of a socket takes some.
    for (let turn = 0; turn < 10 && kept() > 0; turn += 1) {
      await wait(50);
      collect();
    }
    expect(kept()).toBe(0);
  });

  test('events carry what the configuration says', async () => {
    await using gateway = await createGateway(await parse());
    const { resources, schemas } = gateway.implementation;
    const events = resources['stations']?.events;
    expect(events?.get('station.added')?.carries).toBe('record');
    expect(events?.get('station.moved')?.carries).toBe('nothing');
    const gone = events?.get('station.gone');
    expect(gone?.project?.({ before: { id: 'a', name: 'A', height: 3 } })).toEqual({ id: 'a', name: 'A' });
    expect(schemas.get(gone?.schemaUrl ?? '')).toMatchObject({
      properties: { id: { type: 'string' }, name: { type: 'string' } },
      required: ['id'],
      additionalProperties: false,
    });
  });

  test('advertises both methods and asks for both where both are on', async () => {
    const metadata_url = 'https://login.example/.well-known/oauth-authorization-server';
    const config = await parse({ authentication: { oauth2: { metadata_url, audience: 'observatory' } } });
    await using gateway = await createGateway(config);
    const { methods } = gateway.implementation.discovery.authentication;
    expect(methods.map(({ type }) => type).sort()).toEqual(['oauth2', 'shared_token']);
    expect(methods).toContainEqual({ type: 'oauth2', authorization_server_metadata: metadata_url });
    const response = await gateway.app.request(`${gateway.url}/api/stations`);
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toMatch(/Bearer.*Rostack-Token|Rostack-Token.*Bearer/);
  });

  test('advertises several authorization servers, and asks those whose tokens only they can read', async () => {
    const audience = 'https://api.example.com/';
    await using first = await startAuthorizationServer(audience);
    await using second = await startAuthorizationServer(audience);
    const urlOf = (host: string) => `https://${host}/.well-known/oauth-authorization-server`;
    const introspection = { client_id: second.client.clientId, client_secret: { env: 'CLIENT_SECRET' } };
    const authentication = {
      shared_tokens: false,
      oauth2: { metadata_url: urlOf('one.example'), audience },
      further_oauth2: [{ metadata_url: urlOf('two.example'), audience, introspection }],
    };
    const config = await parse({ authentication }, { CLIENT_SECRET: second.client.clientSecret });
    await using gateway = await createGateway(config);
    expect(gateway.implementation.discovery.authentication.methods).toEqual([
      { type: 'oauth2', authorization_server_metadata: urlOf('one.example') },
      { type: 'oauth2', authorization_server_metadata: urlOf('two.example') },
    ]);
    expect(JSON.stringify(gateway.implementation)).not.toContain(second.client.clientSecret);

    const oauth2 = config.authentication.oauth2.map((server, index) => ({
      ...server,
      metadataUrl: [first, second][index]?.metadataUrl ?? '',
    }));
    const [ofFirst, ofSecond] = configuredAuthenticators(
      { authentication: { ...config.authentication, oauth2 }, store: config.store },
      { tokens: gateway.store.tokens, principalId: () => 'me', log: () => {} },
    );
    const opaque = await second.issueOpaqueToken('stations:read');
    const kindOf = async (authenticator: Authenticator | undefined, token: string) =>
      (await authenticator?.authenticate(token, Date.now()))?.kind;
    expect(await kindOf(ofFirst, await first.issueToken('stations:read'))).toBe('authenticated');
    expect(await kindOf(ofFirst, opaque)).toBe('refused');
    expect(await kindOf(ofSecond, opaque)).toBe('authenticated');
  });

  test('limits, rates and origins are those of the configuration', async () => {
    const config = await parse({
      limits: { max_page_size: 2 },
      rates: { per_principal: { requests: 2, window: '1h' } },
      browsers: { cors_origins: ['https://app.example'] },
      retention: { max_age: '1h' },
    });
    await using gateway = await createGateway(config);
    const { token } = await createToken(gateway.store.tokens, { subject: 'me', grants: ['stations:read'] });
    const ask = (query: string, origin = 'https://app.example') =>
      gateway.app.request(`${gateway.url}/api/stations${query}`, { headers: { ...bearing(token), origin } });
    const tooLarge = await ask('?limit=3');
    expect(tooLarge.status).toBe(400);
    expect(tooLarge.headers.get('access-control-allow-origin')).toBe('https://app.example');
    expect((await ask('', 'https://other.example')).headers.get('access-control-allow-origin')).toBeNull();
    expect((await ask('')).status).toBe(429);
  });

  test('what cannot be started leaves nothing behind: the port is free again', async () => {
    const first = await createGateway(await parse());
    const port = first.port;
    await expect(createGateway(await parse({ listeners: { data: { port } } }))).rejects.toMatchObject({
      code: 'port_in_use',
    });
    await first.close({ drainTimeoutMs: 0 });
    const config = await parse({
      listeners: { data: { port } },
      store: { url: 'postgres://nobody@127.0.0.1:1/none' },
    });
    await expect(createGateway(config)).rejects.toMatchObject({ code: 'store_unavailable' });
    await using again = await createGateway(await parse({ listeners: { data: { port } } }));
    expect(again.port).toBe(port);
  });
});

describe('parseConfig', () => {
  test('reports mistakes without a place in a file', async () => {
    await expect(parse({ limits: { max_page_size: 0 } })).rejects.toMatchObject({
      code: 'config_invalid',
      message: 'limits.max_page_size is 0; write an integer from 1 to 10000.',
    });
  });

  test('reports a value from the environment by the name of its variable', async () => {
    await expect(parse({}, { ROSTACK__LIMITS__MAX_PAGE_SIZE: '0' })).rejects.toMatchObject({
      message: 'ROSTACK__LIMITS__MAX_PAGE_SIZE: limits.max_page_size is 0; write an integer from 1 to 10000.',
    });
  });

  test('reads secrets without the line break at their end, and keeps them out of what is wrong with them', async () => {
    await writeFile(join(folder.path, 'keys'), `${'k'.repeat(40)}\n`);
    expect((await parse({ keys: { file: 'keys' } })).keys).toBe('k'.repeat(40));
    const short = parse({ keys: { env: 'SHORT' } }, { SHORT: 'hunter2' });
    await expect(short).rejects.toThrow(
      'the environment variable SHORT has 7 characters; put at least 32 there',
    );
    await expect(short).rejects.not.toThrow('hunter2');
    const url = parse({}, { ROSTACK__STORE__URL: 'mysql://me:hunter2@localhost/x' });
    await expect(url).rejects.toThrow('store.url: what it refers to is not a store URL');
    await expect(url).rejects.not.toThrow('hunter2');
  });
});

describePostgres('hints over NATS', () => {
  test('a server that is not there is reported, and changes are served all the same', async () => {
    await using database = postgresSchema();
    const lines: string[] = [];
    const store = { url: database.url, schema: database.schema };
    const config = await parse(
      { store, hints: { nats_servers: ['127.0.0.1:1'], nats_token: { env: 'NATS' } } },
      { NATS: 'hunter2' },
    );
    await using gateway = await createGateway(config, { log: (line) => lines.push(line) });
    await gateway.store.apply([{ resource: 'stations', op: 'put', record: { id: 'a', height: 1 } }]);
    const { token } = await createToken(gateway.store.tokens, { subject: 'me', grants: ['stations:read'] });
    const response = await gateway.app.request(`${gateway.url}/api/stations/a`, { headers: bearing(token) });
    expect(response.status).toBe(200);
    await gateway.close({ drainTimeoutMs: 0 });
    expect(lines.join('\n')).not.toContain('hunter2');
  });
});

describePostgres('two gateways with the same keys over one PostgreSQL database', () => {
  test('take cursors of each other', async () => {
    await using database = postgresSchema();
    const more = { keys: { env: 'KEYS' }, store: { url: database.url, schema: database.schema } };
    const environment = { KEYS: 'k'.repeat(43) };
    const publicUrl = { public_url: 'https://localhost' };
    await using first = await createGateway(await parse({ ...more, ...publicUrl }, environment));
    await using second = await createGateway(await parse({ ...more, ...publicUrl }, environment));
    const records = ['a', 'b', 'c'].map((id, height) => ({ id, height }));
    await first.store.apply(records.map((record) => ({ resource: 'stations', op: 'put', record })));
    const { token } = await createToken(first.store.tokens, { subject: 'me', grants: ['stations:read'] });
    const ask = async (gateway: typeof first, query: string): Promise<Page> => {
      const response = await gateway.app.request(`https://localhost/api/stations${query}`, {
        headers: bearing(token),
      });
      return (await response.json()) as Page;
    };
    const page = await ask(first, '?limit=2&sort=/height');
    const next = await ask(second, `?limit=2&sort=/height&cursor=${page.page.next_cursor}`);
    expect([...page.items, ...next.items]).toEqual(records);
    expect(next.page.event_cursor).toBe(page.page.event_cursor);
  });
});
