import type { ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { defineError } from 'rostack-core';
import {
  type Answers,
  type Collected,
  isWorkerMessage,
  type ListenerName,
  type LogUpdate,
  type SupervisorMessage,
  type WorkerMessage,
  type WorkerSlot,
} from '../peers/messages.ts';
import type { Accepted } from './acceptor.ts';

/** A worker ended before it served; it reported the reason on standard error. */
export class WorkerFailedError extends defineError('WorkerFailedError', 'worker_failed', false) {
  constructor(number: number, how: string) {
    super(`worker ${number} ended before it served (${how})`);
  }
}

/** One process that serves, as its supervisor sees it. */
export class WorkerProcess {
  readonly place: WorkerSlot;
  /** Resolves with the URL that it advertises, once it serves. @throws WorkerFailedError `worker_failed` */
  readonly serving: Promise<string>;
  readonly exited: Promise<void>;
  /** When it began to serve, by `performance.now()`; undefined before that and after it has ended. */
  servingSinceMs: number | undefined;
  readonly #child: ChildProcess;
  /** Sockets that it has not received yet. They stay open here, because Node forgets a socket sent to a process that has just died. */
  readonly #underWay = new Map<number, Socket>();
  readonly #collecting = new Map<number, (collected: never) => void>();
  #lastConnection = 0;
  #lastCollection = 0;
  #isCongested = false;
  #leaving: SupervisorMessage | undefined;

  constructor(
    child: ChildProcess,
    place: WorkerSlot,
    take: (message: WorkerMessage, from: WorkerProcess) => void,
  ) {
    this.#child = child;
    this.place = place;
    // A process that cannot be started or reached ends, and `exit` reports that.
    child.on('error', () => {});
    this.exited = new Promise((resolve) => {
      child.once('exit', () => {
        for (const socket of this.#underWay.values()) socket.destroy();
        resolve();
      });
    });
    this.serving = new Promise((resolve, reject) => {
      child.on('message', (message: unknown) => {
        if (!isWorkerMessage(message)) return;
        if (message.kind === 'serving') {
          this.servingSinceMs = performance.now();
          resolve(message.url);
        } else if (message.kind === 'taken') this.#letGo(message.id);
        else if (message.kind === 'collected') this.#collecting.get(message.id)?.(message.collected as never);
        else take(message, this);
      });
      child.once('exit', (code, signal) => {
        reject(new WorkerFailedError(place.number, signal ?? `exit code ${code}`));
      });
    });
    // Callers that wait for it get the error; for a replacement nobody waits.
    this.serving.catch(() => {});
  }

  /** Answers the worker's hello. */
  begin(): void {
    this.send({ kind: 'begin', ...this.place });
    // It receives no messages before its hello.
    if (this.#leaving !== undefined) this.send(this.#leaving);
  }

  send(message: SupervisorMessage): void {
    if (this.#child.connected) this.#child.send(message, () => {});
  }

  answer(id: number, answer: Answers[keyof Answers]): void {
    this.send({ kind: 'answer', id, answer });
  }

  /** Asks for its part of what is collected; undefined if it does not answer in time, or ends. */
  async collect<What extends keyof Collected>(
    what: What,
    timeoutMs: number,
  ): Promise<Collected[What] | undefined> {
    this.#lastCollection += 1;
    const id = this.#lastCollection;
    const answered = Promise.withResolvers<Collected[What] | undefined>();
    this.#collecting.set(id, answered.resolve);
    this.send({ kind: 'collect', id, what });
    const timer = setTimeout(() => answered.resolve(undefined), timeoutMs);
    try {
      return await Promise.race([answered.promise, this.exited.then(() => undefined)]);
    } finally {
      clearTimeout(timer);
      this.#collecting.delete(id);
    }
  }

  /** Sends news. A worker that cannot keep up gets none, and reads the log itself. */
  tell(news: LogUpdate): void {
    if (this.#isCongested || !this.#child.connected) return;
    const message: SupervisorMessage = { kind: 'news', news };
    this.#isCongested = !this.#child.send(message, () => {
      this.#isCongested = false;
    });
  }

  /** Whether it takes connections. */
  get isOpen(): boolean {
    return this.servingSinceMs !== undefined && this.#leaving === undefined && this.#child.connected;
  }

  /** Hands over a connection. If the worker ends before it receives it, the connection is closed. */
  connect(listener: ListenerName, { socket, claims }: Accepted): void {
    this.#lastConnection += 1;
    const id = this.#lastConnection;
    this.#underWay.set(id, socket);
    this.#child.send({ kind: 'connection', id, listener, claims }, socket, { keepOpen: true }, (error) => {
      if (error !== null) this.#letGo(id);
    });
  }

  /** Closes this process's copy of a socket. If the worker has none, that ends the connection. */
  #letGo(id: number): void {
    this.#underWay.get(id)?.destroy();
    this.#underWay.delete(id);
  }

  /** Asks it to drain and end. @param isReplaced whether another process has taken its place */
  leave(isReplaced: boolean): void {
    this.#leaving = { kind: 'leave', isReplaced };
    this.send(this.#leaving);
  }

  /** Kills it at once. */
  kill(): void {
    this.#child.kill('SIGKILL');
  }
}
