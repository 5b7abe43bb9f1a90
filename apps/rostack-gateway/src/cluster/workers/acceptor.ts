import { createServer, type Server, type Socket } from 'node:net';
import { addressKey, type ConnectionSlot } from 'rostack-server';
import { bind } from '../../serving/listener/listener.ts';

/** An accepted connection and the places that it takes up. */
export interface Accepted {
  readonly socket: Socket;
  readonly claims: readonly ConnectionSlot[];
}

export interface AcceptorOptions {
  readonly host: string;
  readonly port: number;
  /** How many connections there may be: in total, and per address. */
  readonly limits: { readonly max: number; readonly maxPerAddress: number };
  /** Whether an address is a proxy's: its connections count towards the total, but not per address. */
  readonly isProxy: (address: string | undefined) => boolean;
  /**
   * Takes the places of a connection and hands it to a worker.
   * @returns the index of the first claim for which no place is left; `later` if no worker takes connections now
   */
  readonly handOver: (accepted: Accepted) => number | 'later' | undefined;
}

/** How many connections may wait for a worker; any more are closed. */
const MAX_WAITING = 1_000;

/**
 * Accepts the connections of a listener for all workers. It reads nothing from them, so TLS and everything else is up to the workers. While
 * no worker takes connections, they wait.
 */
export class Acceptor implements Disposable {
  readonly port: number;
  readonly #options: AcceptorOptions;
  readonly #server: Server;
  readonly #waiting = new Set<Accepted>();
  #refusedInAll = 0;
  #refusedPerAddress = 0;

  private constructor(server: Server, port: number, options: AcceptorOptions) {
    this.#server = server;
    this.port = port;
    this.#options = options;
    server.on('connection', (socket) => this.#take(socket));
  }

  /** @throws PortInUseError `port_in_use` */
  static async bind(options: AcceptorOptions): Promise<Acceptor> {
    const server = createServer({ pauseOnConnect: true, allowHalfOpen: true, noDelay: true });
    return new Acceptor(server, await bind(server, options), options);
  }

  /** Number of connections that were closed at once. */
  get refused(): { readonly inAll: number; readonly perAddress: number } {
    return { inAll: this.#refusedInAll, perAddress: this.#refusedPerAddress };
  }

  /** Hands over the waiting connections, once a worker takes connections again. */
  resume(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const accepted of waiting) if (!accepted.socket.destroyed) this.#handOver(accepted);
  }

  /** Stops accepting, and closes the connections that are waiting. */
  [Symbol.dispose](): void {
    this.#server.close();
    for (const { socket } of this.#waiting) socket.destroy();
  }

  #take(socket: Socket): void {
    // A client may go away while it waits.
    socket.on('error', () => {});
    const { remoteAddress } = socket;
    const {
      limits: { max, maxPerAddress },
      isProxy,
    } = this.#options;
    const key = isProxy(remoteAddress) ? undefined : addressKey(remoteAddress);
    this.#handOver({
      socket,
      claims: [
        { scope: 'all', key: '', max },
        ...(key === undefined ? [] : [{ scope: 'address', key, max: maxPerAddress } as const]),
      ],
    });
  }

  #handOver(accepted: Accepted): void {
    const refused = this.#options.handOver(accepted);
    if (refused === undefined) return;
    if (refused === 'later' && this.#waiting.size < MAX_WAITING) {
      this.#waiting.add(accepted);
      return;
    }
    if (refused === 1) this.#refusedPerAddress += 1;
    else this.#refusedInAll += 1;
    accepted.socket.destroy();
  }
}
