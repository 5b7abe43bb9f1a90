import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { DiscoveryDocument, JsonObject, RecordSource } from 'rostack-core';
import { openStore, type RetentionOptions, type Store } from 'rostack-store';
import {
  createPrincipalIdDeriver,
  createSharedToken,
  createSharedTokenAuthenticator,
  MemorySharedTokenStore,
} from '../../src/auth/index.ts';
import type { GatewayAlarm } from '../../src/options/index.ts';
import {
  attachWebSocketGateway,
  type WebSocketGateway,
  type WebSocketGatewayOptions,
} from '../../src/websocket/index.ts';
import { SYSTEM_CLOCK } from '../../src/websocket/options/clock.ts';
import { CURSOR_KEYS } from './cursor-keys.ts';
import { GatewayClient } from './gateway-client.ts';
import {
  SAMPLE_RESOURCES,
  type SampleOptions,
  sampleDiscovery,
  sampleImplementation,
} from './sample-discovery.ts';
import { Unfinished } from './unfinished.ts';

const ALL_GRANTS = ['stations:read', 'stations:subscribe'];

export interface HarnessOptions extends SampleOptions {
  /** @default sqlite::memory: */
  readonly storeUrl?: string;
  /** @default a store of its own at `storeUrl` */
  readonly store?: Store;
  readonly retention?: RetentionOptions;
  readonly gateway?: Partial<WebSocketGatewayOptions>;
  /** Wraps each source, for example to lose hints. */
  readonly wrapSource?: (source: RecordSource) => RecordSource;
  /** Keys shared by the nodes of one deployment. */
  readonly tokens?: MemorySharedTokenStore;
}

export interface TokenOptions {
  readonly subject?: string;
  readonly grants?: readonly string[];
  readonly expiresAtMs?: number;
}

const KEY = new Uint8Array(32).fill(7);

interface Parts {
  readonly discovery: DiscoveryDocument;
  readonly store: Store;
  readonly server: Server;
  readonly gateway: WebSocketGateway;
  readonly tokens: MemorySharedTokenStore;
  /** What the gateway raised, oldest first. */
  readonly alarms: GatewayAlarm[];
  readonly url: string;
  readonly ownsStore: boolean;
  readonly unfinished: Unfinished;
}

/** A gateway on a port of its own over a real store. It has to end all that it has begun. */
export class GatewayHarness implements AsyncDisposable {
  readonly #parts: Parts;

  private constructor(parts: Parts) {
    this.#parts = parts;
  }

  get url(): string {
    return this.#parts.url;
  }

  get store(): Store {
    return this.#parts.store;
  }

  get gateway(): WebSocketGateway {
    return this.#parts.gateway;
  }

  get tokens(): MemorySharedTokenStore {
    return this.#parts.tokens;
  }

  get alarms(): readonly GatewayAlarm[] {
    return this.#parts.alarms;
  }

  static async start(options: HarnessOptions = {}): Promise<GatewayHarness> {
    const discovery = sampleDiscovery(options);
    const store =
      options.store ??
      (await openStore({
        url: options.storeUrl ?? 'sqlite::memory:',
        resources: SAMPLE_RESOURCES,
        retention: options.retention,
      }));
    const tokens = options.tokens ?? new MemorySharedTokenStore();
    const alarms: GatewayAlarm[] = [];
    const wrap = options.wrapSource ?? ((source: RecordSource) => source);
    const unfinished = new Unfinished();
    const server = createServer((_request, response) => response.writeHead(404).end());
    const gateway = attachWebSocketGateway(server, {
      implementation: sampleImplementation(discovery),
      sources: (name) => unfinished.source(name, wrap(store.source(name))),
      authenticators: [
        createSharedTokenAuthenticator({
          store: tokens,
          principalId: createPrincipalIdDeriver(KEY),
          cacheMs: 0,
        }),
      ],
      cursorKeys: CURSOR_KEYS,
      hosts: 'any',
      ...options.gateway,
      clock: unfinished.clock(options.gateway?.clock ?? SYSTEM_CLOCK),
      hooks: { onAlarm: (alarm) => alarms.push(alarm), ...options.gateway?.hooks },
    } as WebSocketGatewayOptions);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const url = `ws://127.0.0.1:${port}/gateway`;
    const ownsStore = options.store === undefined;
    return new GatewayHarness({
      discovery,
      store,
      server,
      gateway,
      tokens,
      alarms,
      url,
      ownsStore,
      unfinished,
    });
  }

  /** A new token; returns its text and its id. */
  token({ subject = 'someone', grants = ALL_GRANTS, expiresAtMs }: TokenOptions = {}): {
    token: string;
    tokenId: string;
  } {
    const { token, tokenId, verifier } = createSharedToken();
    this.#parts.tokens.put({ tokenId, verifier, subject, grants, expiresAtMs });
    return { token, tokenId };
  }

  /** A client that is connected and authenticated. */
  async client(options: TokenOptions = {}): Promise<GatewayClient> {
    const client = await GatewayClient.connect(this.url);
    await client.authenticate(this.token(options).token);
    return client;
  }

  async put(resource: string, ...records: readonly JsonObject[]): Promise<void> {
    await this.store.apply(records.map((record) => ({ resource, op: 'put', record })));
  }

  async remove(resource: string, ...ids: readonly string[]): Promise<void> {
    await this.store.apply(ids.map((id) => ({ resource, op: 'delete', id })));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { gateway, server, store, ownsStore, unfinished } = this.#parts;
    await gateway[Symbol.asyncDispose]();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    if (ownsStore) await store[Symbol.asyncDispose]();
    unfinished.check(gateway, server);
  }
}
