import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Hono } from 'hono';
import type { RecordSource } from 'rostack-core';
import {
  attachWebSocketGateway,
  createRostackApp,
  type GatewayAlarm,
  type WebSocketGateway,
  type WebSocketLimits,
} from 'rostack-server';
import { createRandom } from 'test-support/random';
import type { ModelResource } from '../store/model-store.ts';
import { createNodeSource, type StoreWeather } from '../store/node-source.ts';
import type { Scheduler } from '../time/scheduler.ts';
import { SimProcess } from '../time/sim-process.ts';
import type { Post } from './post.ts';
import type { TokenDesk } from './token-desk.ts';

const CURSOR_KEYS = {
  pages: { current: { id: 1, bytes: new Uint8Array(32).fill(8) } },
  events: new Uint8Array(32).fill(7),
};

export interface GatewayNodeOptions {
  readonly name: string;
  readonly seed: number;
  readonly scheduler: Scheduler;
  readonly post: Post;
  readonly resources: ReadonlyMap<string, ModelResource>;
  readonly desk: TokenDesk;
  readonly ringMaxChanges: number;
  readonly weather: StoreWeather;
  readonly calls: Set<() => void>;
  readonly limits: Partial<WebSocketLimits>;
  readonly onAlarm: (node: GatewayNode, alarm: GatewayAlarm) => void;
}

/** A gateway as it is deployed: HTTP and WebSocket over one database, in a process that may be started again. */
export class GatewayNode {
  readonly name: string;
  readonly #options: GatewayNodeOptions;
  /** How the database serves this node. */
  readonly weather: StoreWeather;
  #starts = 0;
  #running:
    | {
        readonly process: SimProcess;
        readonly server: EventEmitter;
        readonly gateway: WebSocketGateway;
        readonly app: Hono;
      }
    | undefined;

  constructor(options: GatewayNodeOptions) {
    this.name = options.name;
    this.#options = options;
    this.weather = { ...options.weather };
    this.start();
  }

  get isUp(): boolean {
    return this.#running !== undefined;
  }

  get process(): SimProcess | undefined {
    return this.#running?.process;
  }

  get gateway(): WebSocketGateway | undefined {
    return this.#running?.gateway;
  }

  start(): void {
    const { scheduler, seed, post, resources, desk, ringMaxChanges, limits, calls, onAlarm } = this.#options;
    this.#starts += 1;
    const random = createRandom(seed, this.name, this.#starts);
    const process = new SimProcess(scheduler, this.name, random.int(-500, 500));
    const sources = new Map<string, RecordSource>();
    for (const [name, resource] of resources) {
      sources.set(name, createNodeSource({ resource, process, random, weather: this.weather, calls }));
    }
    const authenticators = [desk.authenticator(process, random)];
    const sourceOf = (name: string) => {
      const source = sources.get(name);
      if (source === undefined) throw new Error(`there is no resource ${name}`);
      return source;
    };
    const server = new EventEmitter();
    const gateway = attachWebSocketGateway(server as Server, {
      implementation: post,
      sources: sourceOf,
      authenticators,
      cursorKeys: CURSOR_KEYS,
      ringMaxChanges,
      limits,
      recheckIntervalMs: 500,
      clock: process.clock,
      random: () => random.int(0, 999) / 1_000,
      hooks: { onAlarm: (alarm) => onAlarm(this, alarm) },
    });
    const app = createRostackApp({
      implementation: post,
      sources: sourceOf,
      authenticators,
      cursorKeys: CURSOR_KEYS,
      clock: () => process.wallMs,
      makeRequestId: () => 'request',
      // By the clock of the machine, which has no say here.
      sourceTimeoutMs: 600_000,
    });
    this.#running = { process, server, gateway, app };
  }

  /** Ends at once, as by SIGKILL. Returns the process that is no more. */
  kill(): SimProcess | undefined {
    const process = this.#running?.process;
    process?.kill();
    this.#running = undefined;
    return process;
  }

  /** Stops as an operator stops it, then is started again. */
  async restart(drainTimeoutMs: number): Promise<void> {
    const running = this.#running;
    if (running === undefined) return;
    await running.gateway.drain({ drainTimeoutMs, reconnectSpreadMs: Math.floor(drainTimeoutMs / 2) });
    if (this.#running !== running) return;
    this.#running = undefined;
    await running.gateway[Symbol.asyncDispose]();
    if (!this.isUp) this.start();
  }

  upgrade(url: URL, headers: Readonly<Record<string, string>>, socket: Duplex): void {
    const rawHeaders = Object.entries(headers).flat();
    const request = {
      method: 'GET',
      url: url.pathname,
      headers,
      rawHeaders,
      socket: { remoteAddress: '192.0.2.1' },
    };
    this.#running?.server.emit('upgrade', request, socket, Buffer.alloc(0));
  }

  async fetch(request: Request): Promise<Response | undefined> {
    return this.#running?.app.fetch(request);
  }
}
