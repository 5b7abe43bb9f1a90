import { type AddressInfo, createServer, connect as dial, type Server, type Socket } from 'node:net';

/** A TCP proxy that can lead elsewhere, cut what goes through it, or let it hang. */
export class TcpProxy implements AsyncDisposable {
  readonly #server: Server;
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  #targetPort: number;
  #isStalled = false;
  /** Connections accepted so far. */
  accepted = 0;

  private constructor(server: Server, targetPort: number) {
    this.#server = server;
    this.#targetPort = targetPort;
    server.on('connection', (client) => this.#join(client));
  }

  /** @param targetPort of localhost; may follow with `target` */
  static async start(targetPort = 0): Promise<TcpProxy> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
    return new TcpProxy(server, targetPort);
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Connections that are open. */
  get size(): number {
    return this.#pairs.size;
  }

  /** Where new connections go; the present ones stay. */
  target(port: number): void {
    this.#targetPort = port;
  }

  /** Cuts every connection. */
  cut(): void {
    for (const [client, server] of this.#pairs) {
      client.resetAndDestroy();
      server.destroy();
    }
  }

  /** Nothing goes through in either direction until `release`; nobody is told. New connections hang as well. */
  stall(): void {
    this.#isStalled = true;
    for (const pair of this.#pairs) for (const socket of pair) socket.pause();
  }

  release(): void {
    this.#isStalled = false;
    for (const pair of this.#pairs) for (const socket of pair) socket.resume();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #join(client: Socket): void {
    this.accepted += 1;
    const server = dial(this.#targetPort, 'localhost');
    const pair = [client, server] as const;
    this.#pairs.add(pair);
    const end = (): void => {
      this.#pairs.delete(pair);
      client.destroy();
      server.destroy();
    };
    for (const [from, to] of [pair, [server, client] as const]) {
      from.on('data', (chunk: Buffer) => {
        if (!to.write(chunk)) from.pause();
      });
      to.on('drain', () => {
        if (!this.#isStalled) from.resume();
      });
      from.on('error', () => {});
      from.on('close', end);
    }
    if (this.#isStalled) for (const socket of pair) socket.pause();
  }
}
