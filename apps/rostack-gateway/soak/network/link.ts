import type { Socket } from 'node:net';
import { Pump } from './pump.ts';

/** One connection through a proxy: the client's socket and the server's. */
export class Link {
  readonly #client: Socket;
  readonly #server: Socket;
  readonly #toServer: Pump;
  readonly #toClient: Pump;
  readonly #onGone: () => void;
  /** Where the client's connection comes from; undefined where it was closed before. */
  readonly clientPort: number | undefined;
  /** Where the connection leads to; undefined where it was closed before. */
  readonly serverPort: number | undefined;
  #isHalfOpen = false;

  constructor(client: Socket, server: Socket, onGone: () => void) {
    this.#client = client;
    this.#server = server;
    this.#onGone = onGone;
    this.clientPort = client.remotePort;
    this.serverPort = server.remotePort;
    client.setNoDelay(true);
    this.#toServer = new Pump(client, server);
    this.#toClient = new Pump(server, client);
    client.on('close', () => this.#gone());
    server.on('close', () => this.#gone());
    // Bytes on their way before an orderly end still arrive.
    client.on('end', () => !this.#isHalfOpen && server.end());
    server.on('end', () => !this.#isHalfOpen && client.end());
  }

  delay(delayMs: number): void {
    this.#toServer.delay(delayMs);
    this.#toClient.delay(delayMs);
  }

  /** Stops the bytes of one direction or both; nobody is told. */
  stall(direction: 'to client' | 'to server' | 'both'): void {
    if (direction !== 'to client') this.#toServer.stall();
    if (direction !== 'to server') this.#toClient.stall();
  }

  resume(): void {
    this.#toServer.resume();
    this.#toClient.resume();
  }

  /** Breaks the connection, seen by both. */
  reset(): void {
    this.#client.resetAndDestroy();
    this.#server.resetAndDestroy();
  }

  /** One peer is gone and the other is not told. */
  halfOpen(whoIsLeft: 'client' | 'server'): void {
    this.#isHalfOpen = true;
    const gone = whoIsLeft === 'client' ? this.#server : this.#client;
    this.#toServer.deafen();
    this.#toClient.deafen();
    gone.resetAndDestroy();
  }

  #gone(): void {
    const bothGone = this.#client.destroyed && this.#server.destroyed;
    if (!this.#isHalfOpen) {
      this.#client.destroy();
      this.#server.destroy();
    } else if (!bothGone) return;
    this.#toServer.close();
    this.#toClient.close();
    this.#onGone();
  }
}
