import { once } from 'node:events';
import { createServer as createPlainServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import type { ImplementationDefinition } from 'rostack-core';
import { createExplorer, type ExplorerOptions } from 'rostack-explorer';
import {
  attachWebSocketGateway,
  createOAuthAuthenticator,
  createPrincipalIdDeriver,
  createRostackApp,
  createSharedToken,
  createSharedTokenAuthenticator,
  MemorySharedTokenStore,
} from 'rostack-server';
import { openStore, type Store } from 'rostack-store';
import { localhostCertificate } from 'test-support/certificate';
import { createRandom } from 'test-support/random';
import { createFeed } from '../../../../apps/rostack-gateway/examples/observatory/feed.ts';
import { STATIONS } from '../../../../apps/rostack-gateway/examples/observatory/stations.ts';
import { defineObservatory } from './observatory.ts';

const KEY = new Uint8Array(32).fill(7);

export interface SiteOptions {
  /** Where the explorer is mounted in the app. @default '/' */
  readonly explorerPath?: string;
  /** What the explorer is told of resources. @default what the definition says */
  readonly resources?: ExplorerOptions['implementation']['resources'];
  /** TLS; else plain HTTP, as on a developer's machine. @default true */
  readonly isSecure?: boolean;
  readonly discoveryPublic?: boolean;
  /** Metadata of an authorization server that is advertised too. */
  readonly oauthMetadataUrl?: string;
  /** How many observations there are at first. @default 40 */
  readonly observations?: number;
}

/** The observatory by rostack-server in a plain Hono app, with its explorer; records change when the test says so. */
export interface RunningSite extends AsyncDisposable {
  readonly implementation: ImplementationDefinition;
  readonly app: Hono;
  readonly store: Store;
  /** As a browser addresses it. */
  readonly baseUrl: string;
  /** Address of the explorer's page. */
  readonly url: string;
  /** Opens everything. */
  readonly token: string;
  /** Opens the stations to read, and nothing else. */
  readonly narrowToken: string;
  readonly createToken: (grants: readonly string[]) => { readonly token: string; readonly tokenId: string };
  readonly revokeToken: (tokenId: string) => void;
  /** Requests so far, oldest first: method and address, and the origin of the page that made it. */
  readonly requests: readonly { readonly url: string; readonly origin: string | undefined }[];
  /** Lets the invented feed go on: each tick makes one observation, and verifies one once there are 30. */
  readonly tick: (count: number) => Promise<void>;
}

export async function startSite({
  explorerPath = '/',
  resources,
  isSecure = true,
  discoveryPublic,
  oauthMetadataUrl,
  observations = 40,
}: SiteOptions = {}): Promise<RunningSite> {
  const server = isSecure ? createSecureServer(await localhostCertificate()) : createPlainServer();
  const sockets = new Set<Duplex>();
  const requests: { url: string; origin: string | undefined }[] = [];
  server.on('connection', (socket: Duplex) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(0, 'localhost');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  // Documents advertise https alone.
  const advertised = `https://localhost:${port}`;
  const implementation = defineObservatory({
    baseUrl: advertised,
    documentationUrl: advertised + explorerPath,
    discoveryPublic,
    oauthMetadataUrl,
  });
  const store = await openStore({ url: 'sqlite::memory:', implementation });
  const tokens = new MemorySharedTokenStore();
  const principalId = createPrincipalIdDeriver(KEY);
  const authenticators = [
    createSharedTokenAuthenticator({ store: tokens, principalId, cacheMs: 0 }),
    ...(oauthMetadataUrl === undefined
      ? []
      : [createOAuthAuthenticator({ metadataUrl: oauthMetadataUrl, audience: 'data', principalId })]),
  ];
  const cursorKeys = { pages: { current: { id: 1, bytes: KEY } }, events: KEY };
  const rostack = createRostackApp({
    implementation,
    store,
    authenticators,
    cursorKeys,
    hosts: [`localhost:${port}`],
  });
  const explorer = createExplorer({ implementation: { ...implementation, ...(resources && { resources }) } });
  const app = new Hono().route(explorerPath, explorer).route('/', rostack);
  const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  server.on('request', (request, response) => {
    requests.push({ url: request.url ?? '', origin: request.headers.origin });
    void answer(request, response);
  });
  server.on('upgrade', (request) =>
    requests.push({ url: request.url ?? '', origin: request.headers.origin }),
  );
  const gateway = attachWebSocketGateway(server, {
    implementation,
    store,
    authenticators,
    cursorKeys,
    hosts: 'any',
    minPollMs: 20,
    maxPollMs: 100,
    recheckIntervalMs: 100,
  });

  await store.apply(STATIONS.map((record) => ({ resource: 'stations', op: 'put', record })));
  const random = createRandom('feed of the explorer');
  const feed = createFeed([], () => random.int(0, 999_999) / 1_000_000);
  let nowMs = Date.now() - observations * 1_000;
  const tick = async (count: number) => {
    for (let index = 0; index < count; index += 1) {
      nowMs += 1_000;
      await store.apply(feed.tick(nowMs));
    }
  };
  await tick(observations);

  const createToken = (grants: readonly string[]) => {
    const { token, tokenId, verifier } = createSharedToken();
    tokens.put({ tokenId, verifier, subject: 'test', grants });
    return { token, tokenId };
  };
  const baseUrl = `${isSecure ? 'https' : 'http'}://localhost:${port}`;
  return {
    implementation,
    app,
    store,
    baseUrl,
    url: baseUrl + explorerPath,
    token: createToken(Object.keys(implementation.discovery.authentication.permissions)).token,
    narrowToken: createToken(['stations:read']).token,
    createToken,
    revokeToken: (tokenId) => void tokens.revoke(tokenId, Date.now()),
    requests,
    tick,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await gateway[Symbol.asyncDispose]();
      server.close();
      await store[Symbol.asyncDispose]();
    },
  };
}
