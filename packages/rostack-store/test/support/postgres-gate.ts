import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { POSTGRES_URL } from 'test-support/postgres';

/** Leads to the server as long as it is open; closed, it is as if the server had gone; mute, as if the network lost everything. */
export class PostgresGate implements AsyncDisposable {
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #isMute = false;
  port = 0;

  async open(): Promise<void> {
    const { hostname, port } = new URL(POSTGRES_URL);
    this.#isMute = false;
    this.#server = createServer((near) => {
      const far = connect(Number(port || 5432), hostname);
      for (const socket of [near, far]) this.#sockets.add(socket.on('error', () => {}));
      if (!this.#isMute) near.pipe(far).pipe(near);
      near.on('close', () => far.destroy());
      far.on('close', () => near.destroy());
    }).listen(this.port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.port = (this.#server.address() as AddressInfo).port;
  }

  /** From now on nothing passes, and nobody is told. */
  mute(): void {
    this.#isMute = true;
    for (const socket of this.#sockets) socket.unpipe().pause();
  }

  async close(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined) return;
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
    server.close();
    await once(server, 'close');
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
