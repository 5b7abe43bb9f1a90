import type { Socket } from 'node:net';
import type { Faults } from './faults.ts';
import { Pump } from './pump.ts';

/** Where nothing passes any more. */
export type StallDirection = 'to client' | 'to server' | 'both';

/** One connection through the proxy: the client's socket and the server's. */
export class Link {
  readonly #client: Socket;
  readonly #server: Socket;
  readonly #faults: Faults;
  readonly #toServer: Pump;
  readonly #toClient: Pump;
  readonly #onGone: () => void;
  /** Of the client's end of its connection; undefined if it was closed before. */
  readonly clientPort: number | undefined;
  /** Of the server; undefined if it was closed before. */
  readonly serverPort: number | undefined;
  #bytesToClient = 0;
  #isHalfOpen = false;

  constructor(client: Socket, server: Socket, faults: Faults, onGone: () => void) {
    this.#client = client;
    this.#server = server;
    this.#faults = faults;
    this.#onGone = onGone;
    this.clientPort = client.remotePort;
    this.serverPort = server.remotePort;
    client.setNoDelay(true);
    const { readBytesPerSecond: _, ...bothWays } = faults;
    this.#toServer = new Pump(client, server, bothWays, (bytes) => bytes);
    this.#toClient = new Pump(server, client, faults, (bytes) => this.#passing(bytes));
    client.on('close', () => this.#gone());
    server.on('close', () => this.#gone());
    this.#passing(0);
  }

  /** Bytes that have gone to the client. */
  get bytesToClient(): number {
    return this.#bytesToClient;
  }

  /** Delays what passes from now on by this long more than its faults say, both ways. */
  delay(delayMs: number): void {
    this.#toServer.delay(delayMs);
    this.#toClient.delay(delayMs);
  }

  /** Nothing passes until `resume`; neither peer can tell why. */
  stall(direction: StallDirection = 'both'): void {
    if (direction !== 'to client') this.#toServer.stall();
    if (direction !== 'to server') this.#toClient.stall();
  }

  resume(): void {
    this.#toServer.resume();
    this.#toClient.resume();
  }

  /** Breaks the connection visibly for both peers. */
  cut(): void {
    this.#client.resetAndDestroy();
    this.#server.resetAndDestroy();
  }

  /** One peer is gone, and the one that is left does not notice. */
  halfOpen(whoIsLeft: 'client' | 'server' = 'client'): void {
    this.#isHalfOpen = true;
    this.#toServer.deafen();
    this.#toClient.deafen();
    (whoIsLeft === 'client' ? this.#server : this.#client).resetAndDestroy();
  }

  /** Counts bytes to the client, and triggers the fault that is due; returns how many bytes may still pass. */
  #passing(bytes: number): number {
    const { cutAfterBytes = Infinity, halfOpenAfterBytes = Infinity } = this.#faults;
    const end = Math.min(cutAfterBytes, halfOpenAfterBytes);
    const passing = Math.min(bytes, end - this.#bytesToClient);
    this.#bytesToClient += passing;
    if (this.#bytesToClient < end) return passing;
    // Deferred until the remaining bytes have been written.
    setImmediate(() => (cutAfterBytes <= halfOpenAfterBytes ? this.#cutOrderly() : this.halfOpen()));
    return passing;
  }

  /** Ends both sides; unlike a reset, this does not discard what was written last. */
  #cutOrderly(): void {
    this.#toClient.close();
    this.#toServer.close();
    this.#client.end(() => this.#client.destroy());
    this.#server.resetAndDestroy();
  }

  #gone(): void {
    if (!this.#isHalfOpen) {
      this.#server.destroy();
      this.#client.end(() => this.#client.destroy());
    }
    if (!this.#client.destroyed || !this.#server.destroyed) return;
    this.#toServer.close();
    this.#toClient.close();
    this.#onGone();
  }
}
