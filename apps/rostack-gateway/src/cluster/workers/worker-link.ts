import { type Server, Socket } from 'node:net';
import type { ConnectionSlot, SharedConnectionLimits, SharedCounters } from 'rostack-server';
import { errorMessage } from '../../text/error-message.ts';
import {
  type ListenerName,
  type LogUpdate,
  MESSAGE_VERSION,
  type MetricsReport,
  type Reported,
  type Surveyed,
  type ToSupervisor,
  type ToWorker,
} from '../peers/messages.ts';
import type { Peers } from '../peers/peers.ts';
import { type Channel, Rpc } from '../peers/rpc.ts';

/** A worker's end of the channel to its supervisor. */
export class WorkerLink implements Peers, Disposable {
  number = 0;
  isLead = false;
  port = 0;
  adminPort: number | undefined;
  isReplaced = false;
  readonly counters: SharedCounters = {
    lease: (requests) => this.#rpc.ask('lease', { requests }),
    giveBack: async (leases) => void this.#rpc.tell('points', { leases }),
  };
  readonly sharedConnectionLimits: SharedConnectionLimits = {
    acquire: (claims) => this.#rpc.ask('take', { claims }),
    release: (claims) => this.#rpc.tell('places', { place: 'websocket', claims }),
  };
  readonly #rpc: Rpc<ToWorker, ToSupervisor>;
  readonly #log: (line: string) => void;
  readonly #servers = new Map<ListenerName, Server>();
  readonly #newsListeners = new Set<(news: LogUpdate | undefined) => void>();
  readonly #leave = new AbortController();
  readonly #answers: { [What in keyof Surveyed]: () => Promise<Surveyed[What] | undefined> } = {
    readiness: async () => undefined,
    dials: async () => undefined,
    life: async () => true,
  };
  #report: () => Promise<MetricsReport> = async () => [];
  #noteUse: (tokenId: string) => void = () => {};

  private constructor(channel: Channel, log: (line: string) => void) {
    this.#log = log;
    this.#rpc = new Rpc<ToWorker, ToSupervisor>(channel, {
      connection: ({ listener, claims }, handle) => this.#connect(listener, claims, handle),
      news: ({ news }) => this.#pass(news),
      silence: () => this.#pass(undefined),
      use: ({ tokenId }) => this.#noteUse(tokenId),
      leave: ({ isReplaced }) => {
        this.isReplaced = isReplaced;
        this.#leave.abort();
      },
      metrics: async () => {
        const report = await this.#read('metrics', this.#report);
        this.#rpc.tell('report', { report });
      },
      readiness: () => this.#read('readiness', this.#answers.readiness),
      dials: () => this.#read('dials', this.#answers.dials),
      life: () => this.#read('life', this.#answers.life),
    });
  }

  /** Says hello, and waits for the supervisor to assign a place to this worker. */
  static async open(channel: Channel, log: (line: string) => void): Promise<WorkerLink> {
    const link = new WorkerLink(channel, log);
    return Object.assign(link, await link.#rpc.ask('hello', { version: MESSAGE_VERSION }));
  }

  /** Aborted when the supervisor wants this worker to drain and end. */
  get leave(): AbortSignal {
    return this.#leave.signal;
  }

  serve(listener: ListenerName, server: Server): void {
    this.#servers.set(listener, server);
    // This makes the server start enforcing timeouts on its connections.
    server.emit('listening');
  }

  tell(news: LogUpdate): void {
    this.#rpc.tell('news', { news });
  }

  listen(onNews: (news: LogUpdate | undefined) => void): () => void {
    this.#newsListeners.add(onNews);
    return () => void this.#newsListeners.delete(onNews);
  }

  tellUse(tokenId: string): void {
    this.#rpc.tell('use', { tokenId });
  }

  onUse(note: (tokenId: string) => void): void {
    this.#noteUse = note;
  }

  onMetrics(report: () => Promise<MetricsReport>): void {
    this.#report = report;
  }

  onSurvey<What extends keyof Surveyed>(what: What, answer: () => Promise<Surveyed[What]>): void {
    Object.assign(this.#answers, { [what]: answer });
  }

  metrics(): Promise<string> {
    return this.#rpc.ask('metrics', {});
  }

  survey<What extends keyof Surveyed>(
    what: What,
    timeoutMs: number,
  ): Promise<readonly Reported<Surveyed[What]>[]> {
    return this.#rpc.ask<keyof Surveyed>(what, { timeoutMs }) as Promise<readonly Reported<Surveyed[What]>[]>;
  }

  /** Reports that this process serves: from now on it gets connections. */
  serving(url: string): void {
    this.#rpc.tell('serving', { url });
  }

  /** Sends the metrics once more before this process ends, and waits until they are sent. */
  async reportLast(): Promise<void> {
    const report = await this.#report();
    await new Promise<void>((resolve) => void this.#rpc.tell('report', { report }, resolve));
  }

  [Symbol.dispose](): void {
    this.#rpc[Symbol.dispose]();
  }

  #connect(listener: ListenerName, claims: readonly ConnectionSlot[], handle: unknown): void {
    const giveBack = () => this.#rpc.tell('places', { place: listener, claims });
    const server = this.#servers.get(listener);
    if (server === undefined || !(handle instanceof Socket)) {
      if (handle instanceof Socket) handle.destroy();
      giveBack();
      return;
    }
    // A Node server sets this on connections that it accepts itself.
    handle.allowHalfOpen = true;
    handle.once('close', giveBack);
    server.emit('connection', handle);
    handle.resume();
  }

  #pass(news: LogUpdate | undefined): void {
    for (const onNews of this.#newsListeners) onNews(news);
  }

  async #read<T>(what: string, read: () => Promise<T>): Promise<T> {
    try {
      return await read();
    } catch (error) {
      this.#log(`the ${what} of this worker cannot be read: ${errorMessage(error)}`);
      throw error;
    }
  }
}
