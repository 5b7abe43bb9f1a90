import { Duplex } from 'node:stream';
import type { Random } from 'test-support/random';
import type { Scheduler } from '../time/scheduler.ts';
import type { SimProcess } from '../time/sim-process.ts';
import { Pipe } from './pipe.ts';

/** After this long the machines notice that a connection leads nowhere. */
const GIVEN_UP_AFTER_MS = 6_000;

export interface ConnectionOptions {
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly client: SimProcess;
  readonly server: SimProcess;
  /** Bytes that reach the client. */
  readonly onBytes: (bytes: Buffer) => void;
  /** The connection has ended, at the client's end. */
  readonly onEnd: () => void;
}

/** A TCP connection of the simulated network: a stream of Node at the server's end, bare bytes at the client's. */
export class Connection {
  readonly #options: ConnectionOptions;
  readonly #up: Pipe;
  readonly #down: Pipe;
  /** The server's end. */
  readonly socket: Duplex;
  #hasClientEnded = false;
  #isOver = false;

  constructor(options: ConnectionOptions) {
    const { scheduler, random, client, server, onBytes } = options;
    this.#options = options;
    this.#up = new Pipe(scheduler, random, client, server, (bytes) => {
      if (!this.socket.destroyed) this.socket.push(bytes);
    });
    this.#down = new Pipe(scheduler, random, server, client, (bytes) => {
      if (!this.#hasClientEnded) onBytes(bytes);
    });
    this.socket = new Duplex({
      autoDestroy: true,
      allowHalfOpen: false,
      read: () => {},
      write: (bytes: Buffer, _encoding, callback) => this.#down.write(bytes, callback),
      final: (callback) => {
        this.#endClientLater();
        callback();
      },
      destroy: (_error, callback) => {
        this.#isOver = true;
        this.#endClientLater();
        callback(null);
      },
    });
    this.socket.on('error', () => {});
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  get client(): SimProcess {
    return this.#options.client;
  }

  get server(): SimProcess {
    return this.#options.server;
  }

  send(bytes: Buffer): void {
    this.#up.write(bytes, () => {});
  }

  /** The client ends the connection. */
  end(): void {
    this.#hasClientEnded = true;
    this.#later(this.#options.server, () => this.#destroySocket());
  }

  /** Both ends notice that the connection is gone, each at its own moment. */
  cut(): void {
    this.#up.isDead = true;
    this.#down.isDead = true;
    this.#later(this.#options.server, () => this.#destroySocket());
    this.#endClientLater();
  }

  /** Nothing gets through any more, and nobody is told before long. */
  lose(): void {
    this.#up.isDead = true;
    this.#down.isDead = true;
    this.#options.scheduler.after(GIVEN_UP_AFTER_MS, () => this.cut());
  }

  /** Nothing gets through to the client, or to the server, for a while. */
  stall(side: 'client' | 'server', forMs: number): void {
    (side === 'client' ? this.#down : this.#up).stall(forMs);
  }

  /** Frees what the machine holds. */
  destroy(): void {
    this.#destroySocket();
  }

  #destroySocket(): void {
    this.#isOver = true;
    this.socket.destroy();
  }

  #endClientLater(): void {
    this.#later(this.#options.client, () => {
      if (this.#hasClientEnded) return;
      this.#hasClientEnded = true;
      this.#options.onEnd();
    });
  }

  #later(process: SimProcess, callback: () => void): void {
    process.after(this.#options.random.int(4, 10), callback);
  }
}
