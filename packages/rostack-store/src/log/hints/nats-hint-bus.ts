import { connect, type Msg, type NatsConnection, type NodeConnectionOptions } from '@nats-io/transport-node';
import { anObject, aString, expecting, listOf, optional, optionsOf } from 'rostack-core';
import { checkOption } from '../../store/options/check-option.ts';
import type { HintBus } from './hint-bus.ts';

/** Where the NATS servers are, and how to reach them. */
export interface NatsHintBusOptions {
  /** `host:port` of each server of one cluster, tried in random order. */
  readonly servers: readonly string[];
  /** The subject for hints; use a different one for each database. @default 'rostack.hints' */
  readonly subject?: string;
  /**
   * Credentials, TLS and other options of the NATS client; the bus itself handles servers and reconnection.
   * @default the client's defaults, with this bus's timeouts
   */
  readonly connection?: Omit<NodeConnectionOptions, 'servers' | 'reconnect' | 'noEcho'>;
}

/** A subject without wildcards, so that only messages of stores arrive. */
const SUBJECT = /^[^\s.*>]+(?:\.[^\s.*>]+)*$/;

const natsHintBusOptions = optionsOf<NatsHintBusOptions>({
  servers: (value, name) =>
    Array.isArray(value) && value.length === 0
      ? `${name} is empty: name at least one server as host:port`
      : listOf(aString)(value, name),
  subject: optional(
    expecting(
      'names separated by dots, without blanks and wildcards',
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
/** A larger hint names no resources, which means any of them. */
const MAX_PAYLOAD_BYTES = 8_192;

/**
 * Carries hints over NATS, one bus per store. It connects in the background and reconnects after each loss, no matter how long the servers
 * are away. Hints published in the meantime are dropped, and after reconnecting listeners are called to check everything.
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
      // The connection was lost but not yet reported as lost; the hint is lost too.
    }
  }

  subscribe(...listener: HintListener): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** Closes the connection; close the store first. */
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
      // This process has already notified its own watchers.
      noEcho: true,
    });
    const closed = connection.closed();
    try {
      connection.subscribe(this.#subject, { callback: (error, message) => this.#receive(error, message) });
      // Once the server has answered, hints are received.
      await Promise.race([connection.flush(), closed]);
      this.#connection = connection;
      // Covers changes that were written while the connection was down.
      this.#notify(undefined);
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
    this.#notify(isNamed ? message.string().split(',') : undefined);
  }

  #notify(resources: readonly string[] | undefined): void {
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
