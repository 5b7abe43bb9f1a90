import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { type Faults, NO_FAULTS } from './faults.ts';
import { Link } from './link.ts';

/** The server that a proxy leads to. */
export interface ProxyTarget {
  readonly host: string;
  readonly port: number;
}

const CONNECT_TIMEOUT_MS = 5_000;

/**
 * A way to a server over TCP that can be cut, slowed and stalled. It listens on loopback and does not look at what it carries, so TLS
 * passes through. Close it, or its port and connections stay open.
 */
export class FaultProxy implements AsyncDisposable {
  /** The port that it listens on, on 127.0.0.1. */
  readonly port: number;
  readonly #server: Server;
  #targets: () => readonly ProxyTarget[];
  readonly #links = new Set<Link>();
  readonly #sockets = new Set<Socket>();
  #faults: Faults = NO_FAULTS;
  #delayMs = 0;
  #isStalled = false;
  #isRefusing = false;
  /** Connections of clients so far, refused ones among them. */
  accepted = 0;

  private constructor(server: Server, targets: () => readonly ProxyTarget[]) {
    this.port = (server.address() as AddressInfo).port;
    this.#server = server;
    this.#targets = targets;
    server.on('connection', (client) => void this.#connect(client));
  }

  /**
   * Listens on a free port.
   * @param target the server, or a function that is asked for each connection: its servers are tried in order until one answers
   */
  static async start(target: ProxyTarget | (() => readonly ProxyTarget[])): Promise<FaultProxy> {
    const server = createServer({ allowHalfOpen: true });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new FaultProxy(server, typeof target === 'function' ? target : () => [target]);
  }

  /** The connections that are still open on at least one side, oldest first. */
  get links(): readonly Link[] {
    return [...this.#links];
  }

  /** Sets the faults of connections that are made from now on. */
  use(faults: Faults): void {
    this.#faults = faults;
  }

  /** Sets where connections lead that are made from now on. */
  leadTo(target: ProxyTarget): void {
    this.#targets = () => [target];
  }

  /** Delays what passes from now on by this long, on present and new connections, both ways; 0 ends it. */
  delay(delayMs: number): void {
    this.#delayMs = delayMs;
    for (const link of this.#links) link.delay(delayMs);
  }

  /** Breaks every connection visibly for both peers. */
  cut(): void {
    for (const link of this.#links) link.cut();
  }

  /** Whether new connections are broken at once, as if nobody served behind the proxy. */
  refuse(isRefusing: boolean): void {
    this.#isRefusing = isRefusing;
  }

  /** Nothing passes on any connection, new ones included, until `resume`; no peer can tell why. */
  stall(): void {
    this.#isStalled = true;
    for (const link of this.#links) link.stall();
  }

  resume(): void {
    this.#isStalled = false;
    for (const link of this.#links) link.resume();
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #connect(client: Socket): Promise<void> {
    this.accepted += 1;
    this.#keep(client);
    if (this.#isRefusing) {
      client.resetAndDestroy();
      return;
    }
    client.pause();
    const faults = this.#faults;
    const server = await this.#reach();
    if (server === undefined || client.destroyed || this.#isRefusing) {
      server?.destroy();
      client.resetAndDestroy();
      return;
    }
    const link: Link = new Link(client, server, faults, () => this.#links.delete(link));
    this.#links.add(link);
    link.delay(this.#delayMs);
    if (this.#isStalled) link.stall();
  }

  async #reach(): Promise<Socket | undefined> {
    for (const { host, port } of this.#targets()) {
      const server = connect({ host, port, noDelay: true, allowHalfOpen: true });
      this.#keep(server);
      try {
        await once(server, 'connect', { signal: AbortSignal.timeout(CONNECT_TIMEOUT_MS) });
        return server;
      } catch {
        server.destroy();
      }
    }
    return undefined;
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    // A reset is also reported by 'close'.
    socket.on('error', () => {});
    socket.on('close', () => this.#sockets.delete(socket));
  }
}
