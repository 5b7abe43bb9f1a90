import { type Server, Socket } from 'node:net';
import type { ConnectionSlot, SharedConnectionLimits, SharedCounters } from 'rostack-server';
import { errorMessage } from '../../text/error-message.ts';
import type { Dials } from '../peers/dials.ts';
import {
  type Answers,
  type Collected,
  isSupervisorMessage,
  type ListenerName,
  type LogUpdate,
  MESSAGE_VERSION,
  type MetricsReport,
  type Question,
  type Reported,
  type SupervisorMessage,
  type WorkerMessage,
  type WorkerSlot,
} from '../peers/messages.ts';
import type { Peers } from '../peers/peers.ts';
import type { Readiness } from '../peers/readiness.ts';

/** The channel of a process to its parent, such as `process` itself. */
export interface Channel {
  send?(
    message: unknown,
    handle?: undefined,
    options?: undefined,
    onSent?: (error: Error | null) => void,
  ): boolean;
  on(event: 'message', listener: (message: unknown, handle: unknown) => void): unknown;
  off(event: 'message', listener: (message: unknown, handle: unknown) => void): unknown;
}

/** A worker's end of the channel to its supervisor. */
export class WorkerLink implements Peers, Disposable {
  readonly number: number;
  readonly isLead: boolean;
  readonly port: number;
  readonly adminPort: number | undefined;
  isReplaced = false;
  readonly counters: SharedCounters = {
    lease: (requests) => this.#ask({ kind: 'lease', requests }),
    giveBack: async (leases) => this.#send({ kind: 'points', leases }),
  };
  readonly sharedConnectionLimits: SharedConnectionLimits = {
    acquire: (claims) => this.#ask({ kind: 'take', claims }),
    release: (claims) => this.#send({ kind: 'places', place: 'websocket', claims }),
  };
  readonly #servers = new Map<ListenerName, Server>();
  readonly #channel: Channel;
  readonly #log: (line: string) => void;
  readonly #waiting = new Map<number, (answer: never) => void>();
  readonly #newsListeners = new Set<(news: LogUpdate | undefined) => void>();
  readonly #leave = new AbortController();
  #lastId = 0;
  #noteUse: (tokenId: string) => void = () => {};
  readonly #collect: { readonly [What in keyof Collected]: () => Promise<Collected[What] | undefined> } = {
    metrics: async () => {
      this.#send({ kind: 'report', report: await this.#report() });
      return true;
    },
    readiness: () => this.#look(),
    dials: () => this.#read(),
    life: async () => true,
  };
  #report: () => Promise<MetricsReport> = async () => [];
  #read: () => Promise<Dials | undefined> = async () => undefined;
  #look: () => Promise<Readiness | undefined> = async () => undefined;
  readonly #onMessage = (message: unknown, handle: unknown): void => {
    if (!isSupervisorMessage(message)) return;
    if (message.kind !== 'connection') {
      this.#take(message);
      return;
    }
    this.#send({ kind: 'taken', id: message.id });
    this.#connect(message.listener, message.claims, handle);
  };

  private constructor(
    channel: Channel,
    { number, isLead, port, adminPort }: WorkerSlot,
    log: (line: string) => void,
  ) {
    this.#channel = channel;
    this.number = number;
    this.isLead = isLead;
    this.port = port;
    this.adminPort = adminPort;
    this.#log = log;
    channel.on('message', this.#onMessage);
  }

  /** Says hello, and waits for the supervisor to assign a place to this worker. */
  static async open(channel: Channel, log: (line: string) => void): Promise<WorkerLink> {
    const begun = new Promise<WorkerLink>((resolve) => {
      const onMessage = (message: unknown): void => {
        if (!isSupervisorMessage(message) || message.kind !== 'begin') return;
        channel.off('message', onMessage);
        resolve(new WorkerLink(channel, message, log));
      };
      channel.on('message', onMessage);
    });
    const hello: WorkerMessage = { kind: 'hello', version: MESSAGE_VERSION };
    channel.send?.(hello);
    return begun;
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
    this.#send({ kind: 'news', news });
  }

  listen(onNews: (news: LogUpdate | undefined) => void): () => void {
    this.#newsListeners.add(onNews);
    return () => void this.#newsListeners.delete(onNews);
  }

  tellUse(tokenId: string): void {
    this.#send({ kind: 'use', tokenId });
  }

  onUse(note: (tokenId: string) => void): void {
    this.#noteUse = note;
  }

  onCollect(report: () => Promise<MetricsReport>): void {
    this.#report = report;
  }

  onLook(look: () => Promise<Readiness>): void {
    this.#look = look;
  }

  onRead(read: () => Promise<Dials>): void {
    this.#read = read;
  }

  metrics(): Promise<string> {
    return this.#ask({ kind: 'metrics' });
  }

  readiness(timeoutMs: number): Promise<readonly Reported<Readiness>[]> {
    return this.#ask({ kind: 'readiness', timeoutMs });
  }

  dials(timeoutMs: number): Promise<readonly Reported<Dials>[]> {
    return this.#ask({ kind: 'dials', timeoutMs });
  }

  life(timeoutMs: number): Promise<readonly Reported<true>[]> {
    return this.#ask({ kind: 'life', timeoutMs });
  }

  /** Reports that this process serves: from now on it gets connections. */
  serving(url: string): void {
    this.#send({ kind: 'serving', url });
  }

  /** Sends the metrics once more before this process ends, and waits until they are sent. */
  async reportLast(): Promise<void> {
    const message: WorkerMessage = { kind: 'report', report: await this.#report() };
    await new Promise<void>((resolve) => {
      this.#channel.send?.(message, undefined, undefined, () => resolve());
    });
  }

  [Symbol.dispose](): void {
    this.#channel.off('message', this.#onMessage);
  }

  #send(message: WorkerMessage): void {
    this.#channel.send?.(message);
  }

  #ask<Kind extends keyof Answers>(
    question: Extract<Question, { readonly kind: Kind }>,
  ): Promise<Answers[Kind]> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#send({ kind: 'question', id, question });
    });
  }

  #connect(listener: ListenerName, claims: readonly ConnectionSlot[], handle: unknown): void {
    const giveBack = () => this.#send({ kind: 'places', place: listener, claims });
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

  #take(message: Exclude<SupervisorMessage, { readonly kind: 'connection' }>): void {
    switch (message.kind) {
      case 'answer': {
        const settle = this.#waiting.get(message.id);
        this.#waiting.delete(message.id);
        settle?.(message.answer as never);
        return;
      }
      case 'news':
        for (const onNews of this.#newsListeners) onNews(message.news);
        return;
      case 'silence':
        for (const onNews of this.#newsListeners) onNews(undefined);
        return;
      case 'collect':
        void this.#answerCollect(message.id, message.what);
        return;
      case 'use':
        this.#noteUse(message.tokenId);
        return;
      case 'leave':
        this.isReplaced = message.isReplaced;
        this.#leave.abort();
        return;
      case 'begin':
    }
  }

  async #answerCollect(id: number, what: keyof Collected): Promise<void> {
    try {
      const collected = await this.#collect[what]();
      if (collected !== undefined) this.#send({ kind: 'collected', id, collected });
    } catch (error) {
      this.#log(`the ${what} of this worker cannot be read: ${errorMessage(error)}`);
    }
  }
}
