import type { Socket } from 'node:net';
import type { Faults } from './faults.ts';
import { Pump } from './pump.ts';

/** One connection through the proxy: the client's socket and the server's. */
export class Link {
  readonly #client: Socket;
  readonly #server: Socket;
  readonly #faults: Faults;
  readonly #toServer: Pump;
  readonly #toClient: Pump;
  readonly #onGone: () => void;
  #bytesToClient = 0;
  #isHalfOpen = false;

  constructor(client: Socket, server: Socket, faults: Faults, onGone: () => void) {
    this.#client = client;
    this.#server = server;
    this.#faults = faults;
    this.#onGone = onGone;
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

  /** The client gets nothing more until `resume`; neither peer can tell why. */
  stall(): void {
    this.#toClient.stall();
  }

  /** Neither peer gets anything more until `resume`. */
  stallBoth(): void {
    this.#toServer.stall();
    this.#toClient.stall();
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

  /** The server is gone, and the client does not notice. */
  halfOpen(): void {
    this.#isHalfOpen = true;
    this.#toServer.deafen();
    this.#toClient.deafen();
    this.#server.resetAndDestroy();
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
