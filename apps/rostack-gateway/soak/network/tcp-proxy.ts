import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { Link } from './link.ts';

/** Where a proxy leads to. */
export interface Target {
  readonly host: string;
  readonly port: number;
}

const CONNECT_TIMEOUT_MS = 2_000;

/** A way to one or several servers that can be cut, stalled, slowed and closed. */
export class TcpProxy implements AsyncDisposable {
  readonly port: number;
  readonly #server: Server;
  readonly #targets: () => readonly Target[];
  readonly #links = new Set<Link>();
  #isRefusing = false;
  #delayMs = 0;

  private constructor(server: Server, targets: () => readonly Target[]) {
    this.port = (server.address() as AddressInfo).port;
    this.#server = server;
    this.#targets = targets;
    server.on('connection', (client) => void this.#connect(client));
  }

  /** @param targets asked for each connection: tried in this order until one answers */
  static async start(targets: () => readonly Target[]): Promise<TcpProxy> {
    const server = createServer({ allowHalfOpen: false });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new TcpProxy(server, targets);
  }

  get links(): readonly Link[] {
    return [...this.#links];
  }

  /** Whether new connections are turned away. */
  refuse(isRefusing: boolean): void {
    this.#isRefusing = isRefusing;
  }

  /** Delays what passes from now on, on present and new connections. */
  delay(delayMs: number): void {
    this.#delayMs = delayMs;
    for (const link of this.#links) link.delay(delayMs);
  }

  /** Ends every present connection. */
  cut(): void {
    for (const link of this.#links) link.reset();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isRefusing = true;
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #connect(client: Socket): Promise<void> {
    client.on('error', () => {});
    client.pause();
    const upstream = this.#isRefusing ? undefined : await this.#reach();
    if (upstream === undefined || client.destroyed || this.#isRefusing) {
      upstream?.destroy();
      client.resetAndDestroy();
      return;
    }
    const link = new Link(client, upstream, () => this.#links.delete(link));
    this.#links.add(link);
    link.delay(this.#delayMs);
  }

  async #reach(): Promise<Socket | undefined> {
    for (const { host, port } of this.#targets()) {
      const upstream = connect({ host, port, noDelay: true });
      upstream.on('error', () => {});
      try {
        await once(upstream, 'connect', { signal: AbortSignal.timeout(CONNECT_TIMEOUT_MS) });
        return upstream;
      } catch {
        upstream.destroy();
      }
    }
    return undefined;
  }
}
