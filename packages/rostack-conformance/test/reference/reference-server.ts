import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import type { JsonObject, RecordSource, Release } from 'rostack-core';
import { MemoryRecordSource } from 'rostack-core/testing';
import {
  answerClientError,
  answerForNode,
  answerRefusal,
  attachWebSocketGateway,
  createPrincipalIdDeriver,
  createRostackApp,
  createSharedToken,
  createSharedTokenAuthenticator,
  faultOfRequest,
  MemorySharedTokenStore,
  type WebSocketGateway,
} from 'rostack-server';
import type { Target } from '../../src/run/target.ts';
import { relayFrames } from './frame-relay.ts';
import type { Answer, Mutant } from './mutant.ts';
import { defineReference, RENDERERS, type ReferenceImplementation } from './reference-implementation.ts';
import { REFERENCE_RECORDS } from './reference-records.ts';

const KEY = new Uint8Array(32).fill(7);
const EPOCH = 'reference';

/** Grants of each token. */
const GRANTS = {
  main: ['plants:read', 'plants:follow', 'sheets:read', 'gifts:read'],
  second: ['plants:read', 'plants:follow', 'sheets:read', 'gifts:read'],
  poor: ['sheets:read', 'gifts:read'],
};

/** A record, or the id of one that is deleted. */
type Write = { readonly put: JsonObject } | { readonly delete: string | number };

export interface ReferenceOptions {
  /** @default '2026-08-13' */
  readonly release?: Release;
  /** A fault. @default none */
  readonly mutant?: Mutant;
}

/**
 * An implementation that keeps the protocol, in memory, on a port of its own; a mutant of it breaks a part. It advertises secure URLs, and
 * is served without TLS, as behind a proxy.
 */
export class ReferenceServer implements AsyncDisposable {
  readonly tokens = new MemorySharedTokenStore();
  readonly #sources = new Map<string, MemoryRecordSource>();
  readonly #writes = new Map<string, Write[]>();
  #saved: ReadonlyMap<string, readonly Write[]> = new Map();
  #epochs = 0;
  #serveAgain: () => void = () => {};
  #answer: Answer = () => Promise.reject(new Error('the reference server has not been started'));
  readonly #sockets = new Set<Duplex>();
  readonly #mutant: Mutant | undefined;
  readonly #server: Server;
  readonly #implementation: ReferenceImplementation;
  /** Serves the gateway where a mutant stands between it and the client. */
  readonly #behind: Server | undefined;
  #gateway: WebSocketGateway | undefined;
  /** Text of the token, by what it is for. */
  readonly credentials: Readonly<Record<keyof typeof GRANTS, string>>;

  private constructor(server: Server, implementation: ReferenceImplementation, mutant: Mutant | undefined) {
    this.#server = server;
    this.#implementation = implementation;
    this.#mutant = mutant;
    this.#behind = mutant?.frames === undefined ? undefined : createServer();
    this.credentials = {
      main: this.issueToken('main', GRANTS.main),
      second: this.issueToken('second', GRANTS.second),
      poor: this.issueToken('poor', GRANTS.poor),
    };
    server.on('connection', (socket: Duplex) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
  }

  static async start({ release = '2026-08-13', mutant }: ReferenceOptions = {}): Promise<ReferenceServer> {
    const server = createServer();
    await listening(server);
    const baseUrl = `https://localhost:${portOf(server)}`;
    const implementation = defineReference(baseUrl, release, mutant?.heartbeatMs);
    const reference = new ReferenceServer(server, implementation, mutant);
    await reference.#serve();
    return reference;
  }

  /** Where it is served, such as `http://localhost:8080`. */
  get url(): string {
    return `http://localhost:${portOf(this.#server)}`;
  }

  /** What the kit is given. */
  get target(): Target {
    const { main: token, second: secondToken, poor: poorToken } = this.credentials;
    return { url: this.url, token, secondToken, poorToken };
  }

  get gateway(): WebSocketGateway {
    if (this.#gateway === undefined) throw new Error('the reference server has not been started');
    return this.#gateway;
  }

  issueToken(subject: string, grants: readonly string[] = GRANTS.main, expiresAtMs?: number): string {
    const { token, tokenId, verifier } = createSharedToken();
    this.tokens.put({ tokenId, verifier, subject, grants, expiresAtMs });
    return token;
  }

  /** The records of a resource, without what a mutant does to them. */
  source(resource: string): MemoryRecordSource {
    const source = this.#sources.get(resource);
    if (source === undefined) throw new Error(`the reference has no resource ${resource}`);
    return source;
  }

  put(resource: string, record: JsonObject): void {
    this.source(resource).put(record);
    this.#writes.get(resource)?.push({ put: record });
  }

  delete(resource: string, id: string | number): void {
    this.source(resource).delete(id);
    this.#writes.get(resource)?.push({ delete: id });
  }

  /** Forgets the history so far. */
  prune(): void {
    for (const source of this.#sources.values()) source.prune();
  }

  /** Ends every connection, and serves on. */
  async restart(): Promise<void> {
    await this.#gateway?.[Symbol.asyncDispose]();
    for (const socket of this.#sockets) socket.destroy();
    this.#serveAgain();
  }

  /** Keeps all that was written so far. */
  save(): void {
    this.#saved = new Map([...this.#writes].map(([name, writes]) => [name, [...writes]]));
  }

  /** Puts back what was kept, under an epoch of its own: positions come a second time. */
  async restore(): Promise<void> {
    this.#fill(this.#saved);
    await this.restart();
  }

  /** Makes the sources, and writes to them. */
  #fill(writes: ReadonlyMap<string, readonly Write[]>): void {
    this.#epochs += 1;
    for (const { name, events } of this.#implementation.discovery.resources) {
      const names = Object.fromEntries(
        events.map((event): [string, string] => [event.state_transition, event.name]),
      );
      const epoch = `${EPOCH}-${this.#epochs}`;
      this.#sources.set(name, new MemoryRecordSource({ epoch, events: names, nowMs: Date.now }));
      this.#writes.set(name, []);
      for (const write of writes.get(name) ?? []) {
        if ('put' in write) this.put(name, write.put);
        else this.delete(name, write.delete);
      }
    }
  }

  async #serve(): Promise<void> {
    this.#fill(
      new Map(
        Object.entries(REFERENCE_RECORDS).map(([name, records]) => [name, records.map((put) => ({ put }))]),
      ),
    );
    const implementation = this.#implementation;
    const shared = {
      implementation,
      sources: (name: string): RecordSource => {
        const source = this.source(name);
        return this.#mutant?.source?.(source, name) ?? source;
      },
      authenticators: [
        createSharedTokenAuthenticator({
          store: this.tokens,
          principalId: createPrincipalIdDeriver(KEY),
          cacheMs: 0,
        }),
      ],
      cursorKeys: { pages: { current: { id: 1, bytes: KEY } }, events: KEY },
    };
    this.#serveAgain = () => {
      const app = createRostackApp({ ...shared, renderers: RENDERERS });
      this.#answer = async (request) => app.fetch(request);
      this.#gateway = attachWebSocketGateway(this.#behind ?? this.#server, {
        ...shared,
        ...(this.#behind && { hosts: 'any' }),
        minPollMs: 20,
        maxPollMs: 100,
        recheckIntervalMs: 100,
      });
    };
    this.#serveAgain();
    const answer: Answer = (request) => this.#answer(request);
    this.#answerBy((request) => this.#mutant?.answer?.(request, answer) ?? answer(request));
    await this.#standBetween();
  }

  #answerBy(answer: (request: Request) => Promise<Response>): void {
    const listener = getRequestListener(answer, { overrideGlobalObjects: false });
    answerForNode(this.#server);
    this.#server.on('clientError', answerClientError);
    this.#server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const refusal = faultOfRequest(request);
      if (refusal === undefined) void listener(request, response);
      else answerRefusal(response, refusal);
    });
  }

  async #standBetween(): Promise<void> {
    const [behind, mutant] = [this.#behind, this.#mutant];
    if (behind === undefined || mutant === undefined) return;
    await listening(behind);
    relayFrames(this.#server, `ws://localhost:${portOf(behind)}`, mutant);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#gateway?.[Symbol.asyncDispose]();
    for (const socket of this.#sockets) socket.destroy();
    await Promise.all([closed(this.#server), this.#behind && closed(this.#behind)]);
  }
}

const listening = (server: Server): Promise<void> =>
  new Promise((resolve) => server.listen(0, 'localhost', resolve));

const closed = async (server: Server): Promise<void> => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
};

const portOf = (server: Server): number => (server.address() as AddressInfo).port;
