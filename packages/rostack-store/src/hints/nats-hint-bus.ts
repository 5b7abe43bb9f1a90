import { connect, type Msg, type NatsConnection, type NodeConnectionOptions } from '@nats-io/transport-node';
import { anObject, aText, expecting, listOf, optional, optionsOf } from 'rostack-core';
import { checkOption } from '../options/check-option.ts';
import type { HintBus } from './hint-bus.ts';

/** Where the NATS servers are, and how to reach them. */
export interface NatsHintBusOptions {
  /** `host:port` of each server of one cluster, tried in random order. */
  readonly servers: readonly string[];
  /** Give each database one of its own. @default 'rostack.hints' */
  readonly subject?: string;
  /**
   * Credentials, TLS and what else the NATS client takes; servers and reconnection are this bus's own.
   * @default the client's own defaults, with timeouts of this bus
   */
  readonly connection?: Omit<NodeConnectionOptions, 'servers' | 'reconnect' | 'noEcho'>;
}

/** A subject without wildcards: what is published there comes from stores alone. */
const SUBJECT = /^[^\s.*>]+(?:\.[^\s.*>]+)*$/;

const natsHintBusOptions = optionsOf<NatsHintBusOptions>({
  servers: (value, name) =>
    Array.isArray(value) && value.length === 0
      ? `${name} is empty: name at least one server as host:port`
      : listOf(aText)(value, name),
  subject: optional(
    expecting(
      'names with dots in between, without blanks and wildcards',
      (value) => typeof value === 'string' && SUBJECT.test(value),
    ),
  ),
  connection: optional(anObject),
});

type HintListener = Parameters<HintBus['subscribe']>;

const CONNECT_TIMEOUT_MS = 2_000;
const PING_INTERVAL_MS = 10_000;
const MIN_RECONNECT_MS = 250;
const MAX_RECONNECT_MS = 10_000;
/** Above this a hint names no resources: any of them may be meant. */
const MAX_PAYLOAD_BYTES = 8_192;

/**
 * Carries hints over NATS, one bus per store. Connects in the background and again after each loss, however long the servers stay
 * away; what is published meanwhile is dropped, and listeners are told to look at everything once it is connected again.
 */
export class NatsHintBus implements HintBus, AsyncDisposable {
  readonly #options: NatsHintBusOptions;
  readonly #subject: string;
  readonly #listeners = new Set<HintListener>();
  readonly #closing = Promise.withResolvers<void>();
  readonly #running: Promise<void>;
  #connection: NatsConnection | undefined;
  #isClosed = false;

  /** Use `createNatsHintBus`. */
  constructor(options: NatsHintBusOptions) {
    this.#options = options;
    this.#subject = options.subject ?? 'rostack.hints';
    this.#running = this.#run();
  }

  publish(resources: readonly string[]): void {
    const names = resources.join(',');
    try {
      this.#connection?.publish(this.#subject, names.length > MAX_PAYLOAD_BYTES ? '' : names);
    } catch {
      // Between the loss of the connection and the news of it: the hint is lost.
    }
  }

  subscribe(...listener: HintListener): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** Ends the connection; close the store first. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#closing.resolve();
    await this.#running;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #run(): Promise<void> {
    let pauseMs = MIN_RECONNECT_MS;
    while (!this.#isClosed) {
      try {
        const ended = await this.#serve();
        pauseMs = MIN_RECONNECT_MS;
        this.#fail(ended);
      } catch (error) {
        this.#fail(error);
      }
      await this.#pause(pauseMs);
      pauseMs = Math.min(pauseMs * 2, MAX_RECONNECT_MS);
    }
  }

  /** Connects and passes hints on until the connection ends; returns why it ended. */
  async #serve(): Promise<Error> {
    const connection = await connect({
      timeout: CONNECT_TIMEOUT_MS,
      pingInterval: PING_INTERVAL_MS,
      name: 'rostack-store',
      ...this.#options.connection,
      servers: [...this.#options.servers],
      reconnect: false,
      // This process has told its own watchers already.
      noEcho: true,
    });
    const closed = connection.closed();
    try {
      connection.subscribe(this.#subject, { callback: (error, message) => this.#receive(error, message) });
      // Answered by the server: from here on hints are heard.
      await Promise.race([connection.flush(), closed]);
      this.#connection = connection;
      // What was written while nobody listened.
      this.#tell(undefined);
      const ended = await Promise.race([closed, this.#closing.promise]);
      return ended instanceof Error ? ended : new Error('the connection to NATS ended');
    } finally {
      this.#connection = undefined;
      await connection.close();
    }
  }

  #receive(error: Error | null, message: Msg): void {
    if (error !== null) {
      this.#fail(error);
      return;
    }
    const { data } = message;
    const isNamed = data.byteLength > 0 && data.byteLength <= MAX_PAYLOAD_BYTES;
    this.#tell(isNamed ? message.string().split(',') : undefined);
  }

  #tell(resources: readonly string[] | undefined): void {
    for (const [onHint] of this.#listeners) onHint(resources);
  }

  #fail(error: unknown): void {
    if (this.#isClosed) return;
    for (const [, onFailure] of this.#listeners) onFailure(error);
  }

  async #pause(pauseMs: number): Promise<void> {
    if (this.#isClosed) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, pauseMs).unref();
    await Promise.race([promise, this.#closing.promise]);
    clearTimeout(timer);
  }
}

/**
 * A hint bus over NATS that connects in the background; the caller closes it.
 * @throws StoreOptionsError `store_options_invalid`
 */
export function createNatsHintBus(options: NatsHintBusOptions): NatsHintBus {
  checkOption(natsHintBusOptions, options);
  return new NatsHintBus(options);
}
