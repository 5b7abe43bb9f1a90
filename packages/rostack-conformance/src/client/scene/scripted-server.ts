import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { Duplex } from 'node:stream';
import {
  type AnyDiscoveryDocument,
  canonicalizeFilter,
  DISCOVERY_PATH,
  filterToJson,
  type ImplementationDefinition,
  type JsonObject,
  matchesEtag,
  parseFilter,
  type ReceivedMessage,
  type Release,
  SUBPROTOCOL,
} from 'rostack-core';
import { WebSocketServer } from 'ws';
import type { Activity } from './activity.ts';
import { type Certificate, HOST } from './certificate.ts';
import { ScriptedConnection } from './scripted-connection.ts';
import type { ScriptedHost } from './scripted-host.ts';
import { etagOf, type ScriptedAnswer, type ScriptedRequest } from './scripted-http.ts';
import { type ScriptedOptions, scriptedImplementation } from './scripted-implementation.ts';
import { ScriptedLog } from './scripted-log.ts';
import { ScriptedPages } from './scripted-pages.ts';

/** How the server deviates from the protocol; each part may be changed in the middle of a check. */
export interface Script {
  /** Answers a request instead of the server; `cut` ends the connection in the middle of the body. */
  http?: ((request: ScriptedRequest) => ScriptedAnswer | 'cut' | undefined) | undefined;
  /** Whether an upgrade is accepted. @default all are */
  upgrade?: ((request: IncomingMessage) => boolean) | undefined;
  /** Handles a message instead of the server. @returns whether it did */
  message?: ((connection: ScriptedConnection, message: ReceivedMessage) => boolean) | undefined;
}

/** A server on this computer that keeps to the protocol unless the script says otherwise. */
export class ScriptedServer implements ScriptedHost, AsyncDisposable {
  readonly log = new ScriptedLog();
  readonly requests: ScriptedRequest[] = [];
  readonly connections: ScriptedConnection[] = [];
  /** When upgrades were requested, including refused ones. */
  readonly upgradesAtMs: number[] = [];
  readonly token: string;
  readonly release: Release;
  readonly eventsCarryRecords: boolean;
  script: Script = {};
  replaysAgain = 0;
  document: AnyDiscoveryDocument;
  readonly #schemas: ImplementationDefinition['schemas'];
  readonly #pages: ScriptedPages;
  readonly #server: Server;
  readonly #gateway = new WebSocketServer({
    noServer: true,
    handleProtocols: (offered) => offered.has(SUBPROTOCOL) && SUBPROTOCOL,
  });
  readonly #activity: Activity;
  readonly #story: string[] = [];

  private constructor(server: Server, url: string, setup: ScriptedSetup) {
    const { discovery, schemas } = scriptedImplementation(url, setup.options);
    this.#server = server;
    this.#activity = setup.activity;
    this.#schemas = schemas;
    this.document = discovery;
    this.token = setup.token;
    this.release = setup.options.release ?? '2026-08-13';
    this.eventsCarryRecords = setup.options.eventsCarryRecords ?? true;
    this.#pages = new ScriptedPages(this);
    server.on('request', (request, response) => this.#answer(request, response));
    server.on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head));
  }

  /** Starts a server on a free port. */
  static async start(setup: ScriptedSetup): Promise<ScriptedServer> {
    const server = createServer({ key: setup.certificate.key, cert: setup.certificate.cert });
    // Listens on all addresses: the client is sent to one name and must not send its credential to the other.
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, '127.0.0.1', resolve);
    });
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    return new ScriptedServer(server, `https://${HOST}:${port}`, setup);
  }

  /** Base URL for discovery. */
  get url(): string {
    return new URL(this.document.endpoints.discovery).origin;
  }

  /** The newest open connection. */
  get connection(): ScriptedConnection | undefined {
    return this.connections.findLast(({ closed }) => closed === undefined);
  }

  get collectionPath(): string {
    return new URL(this.document.resources[0]?.collection_url ?? '').pathname;
  }

  /** Requests for the discovery document. */
  get discoveryRequests(): readonly ScriptedRequest[] {
    return this.requests.filter(({ url }) => url.pathname === DISCOVERY_PATH);
  }

  /** Requests for the collection. */
  get listRequests(): readonly ScriptedRequest[] {
    return this.requests.filter(({ url }) => url.pathname === this.collectionPath);
  }

  /** What happened last, line by line, without the token. */
  get story(): readonly string[] {
    return this.#story.slice(-12);
  }

  scopeOf(filter: JsonObject | undefined): string {
    const normal = filter === undefined ? null : filterToJson(canonicalizeFilter(parseFilter(filter)));
    return JSON.stringify([this.document.implementation.api_version, normal]);
  }

  /** Writes a record and sends the event to subscribers. */
  put(id: string, value: number): void {
    const event = this.log.put({ id, value });
    for (const connection of this.connections) connection.deliver(event);
  }

  /** Deletes a record and sends the event to subscribers. */
  remove(id: string): void {
    const event = this.log.remove(id);
    for (const connection of this.connections) connection.deliver(event);
  }

  note(line: string): void {
    this.#story.push(line.replaceAll(this.token, '[token]').slice(0, 400));
    this.#activity.notify();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#gateway.clients) socket.terminate();
    this.#gateway.close();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer(incoming: IncomingMessage, response: ServerResponse): void {
    const { method = 'GET', headers } = incoming;
    const url = URL.parse(incoming.url ?? '', `https://${headers.host ?? HOST}`);
    if (url === null) {
      response.writeHead(400).end();
      return;
    }
    const request: ScriptedRequest = { atMs: performance.now(), method, url, headers };
    this.requests.push(request);
    this.note(`the client asks ${method} ${url.host}${url.pathname}${url.search}`);
    const answer = this.script.http?.(request) ?? this.#honest(request);
    if (answer === 'cut') {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write('{"items":[', () => incoming.socket.destroy());
      return;
    }
    const type = answer.status < 400 ? 'application/json' : 'application/problem+json';
    response.writeHead(answer.status, {
      ...(answer.body === undefined ? {} : { 'content-type': type }),
      'x-rostack-protocol-version': 'rostack_v1',
      'x-rostack-api-version': this.document.implementation.api_version,
      ...answer.headers,
    });
    response.end(answer.body === undefined ? '' : JSON.stringify(answer.body));
  }

  #honest(request: ScriptedRequest): ScriptedAnswer {
    const { pathname } = request.url;
    if (pathname === DISCOVERY_PATH) return this.#discovery(request);
    const schema = this.#schemas.get(`${this.url}${pathname}`);
    return schema === undefined ? this.#pages.answer(request) : { status: 200, body: schema };
  }

  #discovery({ headers }: ScriptedRequest): ScriptedAnswer {
    const text = JSON.stringify(this.document);
    const etag = etagOf(text);
    const caching = { etag, 'cache-control': 'no-cache' };
    if (matchesEtag(headers['if-none-match'] ?? '', etag)) return { status: 304, headers: caching };
    return { status: 200, headers: caching, body: this.document };
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const atMs = performance.now();
    this.upgradesAtMs.push(atMs);
    const { url: path = '', headers } = request;
    const number = this.upgradesAtMs.length;
    this.note(`the client asks for connection ${number} at ${headers.host ?? ''}${path}`);
    if (this.script.upgrade?.(request) === false) {
      socket.destroy();
      return;
    }
    const offered = (headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
    const url = URL.parse(path, `wss://${headers.host ?? HOST}`);
    if (url !== null) this.requests.push({ atMs, method: 'UPGRADE', url, headers });
    const upgrade = { number, atMs, path: url?.pathname ?? path, host: headers.host ?? '', offered };
    this.#gateway.handleUpgrade(request, socket, head, (opened) => {
      this.connections.push(
        new ScriptedConnection(this, opened, upgrade, (connection, message) =>
          this.script.message?.(connection, message),
        ),
      );
      this.note(`connection ${number} is open`);
    });
  }
}

/** Options for starting a server. */
export interface ScriptedSetup {
  readonly options: ScriptedOptions;
  readonly certificate: Certificate;
  readonly token: string;
  readonly activity: Activity;
}
