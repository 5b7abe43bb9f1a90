import type { ChildProcess } from 'node:child_process';
import { defineError } from 'rostack-core';
import type {
  ListenerName,
  LogUpdate,
  Surveyed,
  ToSupervisor,
  ToWorker,
  WorkerSlot,
} from '../peers/messages.ts';
import { type Handlers, Rpc } from '../peers/rpc.ts';
import type { Accepted } from './acceptor.ts';

/** A worker ended before it served; it reported the reason on standard error. */
export class WorkerFailedError extends defineError('WorkerFailedError', 'worker_failed', false) {
  constructor(number: number, how: string) {
    super(`worker ${number} ended before it served (${how})`);
  }
}

/** What its supervisor does for a worker. */
export type WorkerHandlers = Handlers<Omit<ToSupervisor, 'serving'>>;

/** One process that serves, as its supervisor sees it. */
export class WorkerProcess {
  readonly place: WorkerSlot;
  /** Resolves with the URL that it advertises, once it serves. @throws WorkerFailedError `worker_failed` */
  readonly serving: Promise<string>;
  readonly exited: Promise<void>;
  /** When it started serving, by `performance.now()`; undefined before that and after it has ended. */
  servingSinceMs: number | undefined;
  readonly #child: ChildProcess;
  readonly #rpc: Rpc<ToSupervisor, ToWorker>;
  #isCongested = false;
  #leaving: { readonly isReplaced: boolean } | undefined;

  constructor(
    child: ChildProcess,
    place: WorkerSlot,
    handlersFor: (worker: WorkerProcess) => WorkerHandlers,
  ) {
    this.#child = child;
    this.place = place;
    // A process that cannot be started or reached ends, and `exit` reports that.
    child.on('error', () => {});
    const served = Promise.withResolvers<string>();
    this.serving = served.promise;
    // Callers that wait for it get the error; for a replacement nobody waits.
    this.serving.catch(() => {});
    this.#rpc = new Rpc<ToSupervisor, ToWorker>(child, {
      ...handlersFor(this),
      serving: ({ url }) => {
        this.servingSinceMs = performance.now();
        served.resolve(url);
      },
    });
    this.exited = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        // The channel may be read to its end only later.
        this.#rpc.end();
        served.reject(new WorkerFailedError(place.number, signal ?? `exit code ${code}`));
        resolve();
      });
    });
  }

  /** Answers the worker's hello. */
  begin(): WorkerSlot {
    const leaving = this.#leaving;
    // It receives no messages before its hello.
    if (leaving !== undefined) setImmediate(() => this.#rpc.tell('leave', leaving));
    return this.place;
  }

  /** Asks for its part of a survey; undefined if it does not answer in time, or ends. */
  ask<What extends keyof Surveyed>(what: What, timeoutMs: number): Promise<Surveyed[What] | undefined> {
    const told = this.#rpc.ask<keyof Surveyed>(what, {}, { timeoutMs });
    return told.catch(() => undefined) as Promise<Surveyed[What] | undefined>;
  }

  /** Has it report its metrics, and waits for that no longer than `timeoutMs`. */
  async report(timeoutMs: number): Promise<void> {
    await this.#rpc.ask('metrics', {}, { timeoutMs }).catch(() => {});
  }

  /** Sends news. A worker that cannot keep up gets none, and reads the log itself. */
  tell(news: LogUpdate): void {
    if (this.#isCongested) return;
    this.#isCongested = !this.#rpc.tell('news', { news }, () => {
      this.#isCongested = false;
    });
  }

  /** Tells it that there is no lead. */
  silence(): void {
    this.#rpc.tell('silence', {});
  }

  /** Tells it that a token was used. */
  noteUse(tokenId: string): void {
    this.#rpc.tell('use', { tokenId });
  }

  /** Whether it takes connections. */
  get isOpen(): boolean {
    return this.servingSinceMs !== undefined && this.#leaving === undefined && this.#child.connected;
  }

  /**
   * Hands over a connection. The socket stays open here until the worker has it, because Node forgets one that is sent to a process that
   * has just died; then this copy is closed. If the worker has none, that ends the connection.
   */
  connect(listener: ListenerName, { socket, claims }: Accepted): void {
    void this.#rpc
      .ask('connection', { listener, claims }, { handle: socket })
      .catch(() => {})
      .finally(() => socket.destroy());
  }

  /** Asks it to drain and end. @param isReplaced whether another process has taken its place */
  leave(isReplaced: boolean): void {
    this.#leaving = { isReplaced };
    this.#rpc.tell('leave', this.#leaving);
  }

  /** Kills it at once. */
  kill(): void {
    this.#child.kill('SIGKILL');
  }
}
