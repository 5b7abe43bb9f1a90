import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import type { JsonObject } from 'rostack-core';
import {
  attachWebSocketGateway,
  createPrincipalIdDeriver,
  createRostackApp,
  createSharedToken,
  createSharedTokenAuthenticator,
  MemorySharedTokenStore,
  type RostackAppOptions,
  type WebSocketGateway,
  type WebSocketGatewayOptions,
} from 'rostack-server';
import { openStore, type Store, type StoreOptions } from 'rostack-store';
import { defineObservatory, type ObservatoryOptions } from './observatory.ts';
import { certificate } from './trust.ts';

const KEY = new Uint8Array(32).fill(7);
const ALL_GRANTS = ['stations:read', 'memos:read'];

export interface TestGatewayOptions extends ObservatoryOptions {
  /** @default sqlite::memory: */
  readonly storeUrl?: string;
  /** Shared with another gateway, which owns it. @default a store of its own */
  readonly store?: Store;
  readonly tokens?: MemorySharedTokenStore;
  readonly retention?: StoreOptions['retention'];
  readonly app?: Partial<RostackAppOptions>;
  readonly gateway?: Partial<WebSocketGatewayOptions>;
  /** @default a free one */
  readonly port?: number;
  /** @default the one that this process trusts */
  readonly certificate?: { readonly key: string; readonly cert: string };
  /** Port that clients are told, such as a proxy's. @default the own one */
  readonly advertisedPort?: number;
}

/** The real server over a real store, on a TLS port of its own; it can go down and come up again. */
export class TestGateway implements AsyncDisposable {
  readonly store: Store;
  readonly tokens: MemorySharedTokenStore;
  /** Tokens made here, oldest first. */
  readonly issued: { readonly token: string; readonly tokenId: string }[] = [];
  readonly #options: TestGatewayOptions;
  readonly #sockets = new Set<Duplex>();
  #port: number;
  #server: Server | undefined;
  #gateway: WebSocketGateway | undefined;
  /** Paths asked for, oldest first. */
  readonly requests: string[] = [];

  private constructor(store: Store, options: TestGatewayOptions) {
    this.store = store;
    this.tokens = options.tokens ?? new MemorySharedTokenStore();
    this.#options = options;
    this.#port = options.port ?? 0;
  }

  static async start(options: TestGatewayOptions = {}): Promise<TestGateway> {
    const implementation = defineObservatory('https://localhost', options);
    const store =
      options.store ??
      (await openStore({
        url: options.storeUrl ?? 'sqlite::memory:',
        implementation,
        ...(options.retention === undefined ? {} : { retention: options.retention }),
      }));
    const gateway = new TestGateway(store, options);
    await gateway.up();
    return gateway;
  }

  get port(): number {
    return this.#port;
  }

  get url(): string {
    return `https://localhost:${this.#options.advertisedPort ?? this.#port}`;
  }

  get gateway(): WebSocketGateway {
    if (this.#gateway === undefined) throw new Error('the gateway is down');
    return this.#gateway;
  }

  /** Serves, on the same port as before, with changed options where they are given. */
  async up(changes: Partial<TestGatewayOptions> = {}): Promise<void> {
    const options = { ...this.#options, ...changes };
    const server = createServer(options.certificate ?? (await certificate));
    server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    await new Promise<void>((resolve) => server.listen(this.#port, 'localhost', resolve));
    this.#port = (server.address() as AddressInfo).port;
    const implementation = defineObservatory(this.url, options);
    const authenticators = [
      createSharedTokenAuthenticator({
        store: this.tokens,
        principalId: createPrincipalIdDeriver(KEY),
        cacheMs: 0,
      }),
    ];
    const cursorKeys = { pages: { current: { id: 1, bytes: KEY } }, events: KEY };
    const app = createRostackApp({
      implementation,
      sources: (name) => this.store.source(name),
      authenticators,
      cursorKeys,
      hosts: [new URL(this.url).host],
      ...options.app,
    } as RostackAppOptions);
    const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false });
    server.on('request', (request, response) => {
      this.requests.push(request.url ?? '');
      void answer(request, response);
    });
    this.#gateway = attachWebSocketGateway(server, {
      implementation,
      sources: (name) => this.store.source(name),
      authenticators,
      cursorKeys,
      hosts: [new URL(this.url).host],
      minPollMs: 20,
      maxPollMs: 100,
      recheckIntervalMs: 100,
      ...options.gateway,
    } as WebSocketGatewayOptions);
    this.#server = server;
  }

  /** Goes down at once: every socket is cut. What was counted has to be at zero then. */
  async down(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    this.#server = undefined;
    for (const socket of this.#sockets) socket.destroy();
    await this.#gateway?.[Symbol.asyncDispose]();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    const { connections = 0, bufferedBytes = 0, resources = [] } = this.#gateway?.status ?? {};
    const counts = [connections, bufferedBytes, ...resources.map(({ subscriptions }) => subscriptions)];
    if (counts.some((count) => count !== 0))
      throw new Error(`a closed gateway still counts ${counts.join()}`);
  }

  /** Says something else of the principal of a token from now on. */
  async claim(tokenId: string, claims: JsonObject): Promise<void> {
    const record = await this.tokens.find(tokenId);
    if (record !== undefined) this.tokens.put({ ...record, claims });
  }

  token(options: { subject?: string; grants?: readonly string[]; expiresAtMs?: number } = {}): {
    readonly token: string;
    readonly tokenId: string;
  } {
    const { subject = 'someone', grants = ALL_GRANTS, expiresAtMs } = options;
    const { token, tokenId, verifier } = createSharedToken();
    this.tokens.put({ tokenId, verifier, subject, grants, expiresAtMs });
    this.issued.push({ token, tokenId });
    return { token, tokenId };
  }

  async put(resource: string, ...records: readonly JsonObject[]): Promise<void> {
    await this.store.apply(records.map((record) => ({ resource, op: 'put', record })));
  }

  async remove(resource: string, ...ids: readonly string[]): Promise<void> {
    await this.store.apply(ids.map((id) => ({ resource, op: 'delete', id })));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.down();
    if (this.#options.store === undefined) await this.store[Symbol.asyncDispose]();
  }
}
