import type { Credential } from 'rostack-client';
import type { EventEncoding } from 'rostack-core';
import type { GatewayAlarm } from 'rostack-server';
import { createRandom, type Random } from 'test-support/random';
import { RESOURCES } from '../../follows/post.ts';
import { Connection } from '../network/connection.ts';
import { SimWebSocket } from '../network/sim-websocket.ts';
import { WireOracle } from '../oracle/wire-oracle.ts';
import { ModelResource } from '../store/model-store.ts';
import { FAIR_WEATHER, type StoreWeather } from '../store/node-source.ts';
import { Scheduler, settled } from '../time/scheduler.ts';
import type { SimProcess } from '../time/sim-process.ts';
import { ClientNode } from './client-node.ts';
import { Followed } from './followed.ts';
import { GatewayNode } from './gateway-node.ts';
import { definePost, FILTERS, type Post } from './post.ts';
import { TokenDesk } from './token-desk.ts';

/** Alarms that a fault of the world may cause; every other one is a fault of the product. */
const EXPECTED_ALARMS: ReadonlySet<string> = new Set([
  'source_fault',
  'log_reset',
  'replay_stalled',
  'authenticator_fault',
  'foreign_cursor',
]);

const POSTS = new Map<string, Post>();

function postWith(encodings: readonly EventEncoding[]): Post {
  const key = encodings.join();
  const post = POSTS.get(key) ?? definePost(encodings);
  POSTS.set(key, post);
  return post;
}

/** Two gateways over one database, the programs that follow, and the network between them. */
export class World implements AsyncDisposable {
  readonly scheduler = new Scheduler();
  readonly random: Random;
  readonly desk = new TokenDesk();
  readonly resources: ReadonlyMap<string, ModelResource>;
  readonly gateways: readonly GatewayNode[];
  readonly clients: readonly ClientNode[];
  readonly follows: readonly Followed[];
  readonly connections = new Set<Connection>();
  readonly wrong: string[] = [];
  /** Calls of the database that wait. */
  readonly #calls = new Set<() => void>();
  readonly #onTrace: ((line: string) => void) | undefined;
  /** How the database serves every gateway between faults, before peace comes. */
  readonly commonWeather: StoreWeather;
  /** Probability that a request over HTTP fails. */
  httpFailure = 0;

  constructor(seed: number, onTrace?: (line: string) => void) {
    this.random = createRandom(seed, 'world');
    this.#onTrace = onTrace;
    const { random, scheduler, desk } = this;
    this.commonWeather = {
      ...FAIR_WEATHER,
      maxLatencyMs: random.pick([3, 20]),
      failure: random.pick([0, 0.01, 0.05]),
      lostHints: random.pick([0, 0.1]),
      doubledHints: random.pick([0, 0.1]),
    };
    this.httpFailure = random.pick([0, 0.01]);
    desk.failure = random.pick([0, 0.01]);
    this.resources = new Map(RESOURCES.map((name) => [name, new ModelResource(name)]));
    const options = {
      seed,
      scheduler,
      desk,
      post: postWith(random.chance(0.5) ? ['json', 'compact-json'] : ['json']),
      resources: this.resources,
      ringMaxChanges: random.pick([4, 24, 4_096]),
      limits: {
        pauseAboveBytes: random.pick([24_000, 262_144]),
        resumeBelowBytes: 8_000,
        messageRate: { burst: random.pick([30, 200]), perSecond: 50 },
      },
      weather: this.commonWeather,
      calls: this.#calls,
      onAlarm: (node: GatewayNode, alarm: GatewayAlarm) => this.#alarmed(node, alarm),
    };
    this.gateways = ['g1', 'g2'].map((name) => new GatewayNode({ ...options, name }));
    const follow = (name: string, index: number): Followed => {
      const resource = this.resources.get(index < 3 ? 'parcels' : 'letters');
      if (resource === undefined) throw new Error('there are two resources');
      return new Followed(name, resource, FILTERS[index % FILTERS.length], (what) =>
        this.fault(`${name}: ${what}`),
      );
    };
    this.follows = ['f1', 'f2', 'f3', 'f4'].map(follow);
    this.clients = [
      new ClientNode(this, seed, 'c1', this.follows.slice(0, 2)),
      new ClientNode(this, seed, 'c2', this.follows.slice(2)),
    ];
  }

  trace(who: string, text: () => string): void {
    this.#onTrace?.(`${String(this.scheduler.nowMs).padStart(6)} ${who.padEnd(3)} ${text()}`);
  }

  /** From now on nothing goes wrong any more. */
  beginPeace(): void {
    for (const { weather } of this.gateways) Object.assign(weather, FAIR_WEATHER);
    this.httpFailure = 0;
    this.desk.failure = 0;
  }

  /** Something is wrong with the product. */
  fault(what: string): void {
    this.trace('!!!', () => what);
    this.wrong.push(what);
  }

  /** A follow ends only where credentials were refused too often, because they had expired or were revoked on their way. */
  followEnded(name: string, error: unknown): void {
    if (this.desk.isStrict && isRefusal(error)) return;
    this.fault(`${name} ended: ${String(error)}`);
  }

  async credential(process: SimProcess, principal: string, random: Random): Promise<Credential> {
    await process.wait(random.int(0, 3));
    return { method: 'shared_token', token: this.desk.issue(principal, process.wallMs) };
  }

  /** The machine of a process that is no more ends its connections. */
  processGone(process: SimProcess): void {
    for (const connection of this.connections) {
      if (connection.client === process) connection.end();
      else if (connection.server === process) connection.cut();
    }
  }

  /** `fetch` of one process: to any gateway that is up. */
  async fetch(
    process: SimProcess,
    random: Random,
    input: string | URL | Request,
    init: RequestInit = {},
  ): Promise<Response> {
    const { signal } = init;
    signal?.throwIfAborted();
    const outcome = Promise.withResolvers<Response>();
    const onAbort = (): void => outcome.reject(signal?.reason as Error);
    signal?.addEventListener('abort', onAbort, { once: true });
    const fail = (): void => {
      process.after(random.int(0, 5), () => outcome.reject(new TypeError('fetch failed')));
    };
    const node = this.#pickGateway(random);
    const failsBefore = random.chance(this.httpFailure);
    const failsAfter = random.chance(this.httpFailure);
    const server = node?.process;
    if (node === undefined || server === undefined || failsBefore) {
      fail();
    } else {
      const url = input instanceof Request ? input.url : String(input);
      server.after(random.int(0, 3), () => {
        void node.fetch(new Request(url, { headers: init.headers ?? {} })).then(async (response) => {
          if (response === undefined || failsAfter) return fail();
          const { status, headers } = response;
          const text = status === 304 ? null : await response.text();
          this.trace(node.name, () => `${status} ${url.slice(0, 100)} ${status < 400 ? '' : text}`);
          server.after(random.int(0, 3), () =>
            process.enter(() => outcome.resolve(new Response(text, { status, headers }))),
          );
        }, fail);
      });
      // A gateway that is killed says nothing more: its machine does.
      this.scheduler.after(8_000, fail);
    }
    try {
      return await outcome.promise;
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }

  /** The class of sockets that a process opens. */
  webSocketFor(process: SimProcess, random: Random): typeof globalThis.WebSocket {
    const oracles = new Map<SimWebSocket, WireOracle>();
    const hooks: ConstructorParameters<typeof SimWebSocket>[0] = {
      connect: (socket, url, headers) => {
        oracles.set(socket, new WireOracle(this.resources, (what) => this.fault(`${process.name}: ${what}`)));
        return this.#connect(process, random, socket, url, headers);
      },
      later: (callback) => void process.after(random.int(1, 5), callback),
      onMessage: (socket, from, text) => {
        this.trace(process.name, () => `${from === 'client' ? '->' : '<-'} ${text.slice(0, 400)}`);
        if (from === 'client') oracles.get(socket)?.sent(text);
        else oracles.get(socket)?.received(text);
      },
    };
    const BoundWebSocket = class extends SimWebSocket {
      constructor(url: string | URL, protocols: readonly string[]) {
        super(hooks, url, protocols);
      }
    };
    return BoundWebSocket as unknown as typeof globalThis.WebSocket;
  }

  /** Frees what the machine holds: sockets and the timers of their library, requests that wait, signals. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const connection of this.connections) connection.destroy();
    for (const client of this.clients) client.end();
    for (const end of this.#calls) end();
    await settled();
  }

  #connect(
    client: SimProcess,
    random: Random,
    socket: SimWebSocket,
    url: URL,
    headers: Readonly<Record<string, string>>,
  ): Connection | undefined {
    const node = this.#pickGateway(random);
    const server = node?.process;
    if (node === undefined || server === undefined) return undefined;
    const connection = new Connection({
      scheduler: this.scheduler,
      random,
      client,
      server,
      onBytes: (bytes) => socket.received(bytes),
      onEnd: () => socket.ended(),
    });
    this.connections.add(connection);
    connection.socket.once('close', () => this.connections.delete(connection));
    this.trace(client.name, () => `connects to ${node.name}`);
    server.after(random.int(0, 3), () => node.upgrade(url, headers, connection.socket));
    return connection;
  }

  #pickGateway(random: Random): GatewayNode | undefined {
    const up = this.gateways.filter(({ isUp }) => isUp);
    return up.length === 0 ? undefined : random.pick(up);
  }

  #alarmed(node: GatewayNode, alarm: GatewayAlarm): void {
    const text = (): string =>
      `${alarm.kind} ${JSON.stringify(alarm, (_key, value: unknown) => (value instanceof Error ? String(value) : value))}`;
    this.trace(node.name, text);
    if (!EXPECTED_ALARMS.has(alarm.kind)) this.fault(`${node.name} raised ${text()}`);
    if (alarm.kind === 'log_reset' && ['hole', 'out_of_order'].includes(alarm.reason)) {
      this.fault(`${node.name} raised ${text()}`);
    }
  }
}

function isRefusal(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown };
  return code === 'authentication_failed' || code === 'authentication-required';
}
