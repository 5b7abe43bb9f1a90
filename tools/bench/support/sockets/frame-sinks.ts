import { Worker } from 'node:worker_threads';
import type { SinkAnswer, SinkPlan, SinkRequest } from './frame-sink-worker.ts';

/** Clients that only count frames, in a thread of their own. */
export class FrameSinks implements AsyncDisposable {
  readonly #worker = new Worker(new URL('./frame-sink-worker.ts', import.meta.url));
  readonly #waiting = new Map<number, PromiseWithResolvers<number>>();
  /** Sinks whose server has ended a connection. */
  readonly #cut = new Set<number>();
  #lastId = 0;

  constructor() {
    this.#worker.on('message', (answer: SinkAnswer) => {
      const waiting = this.#waiting.get(answer.id);
      this.#waiting.delete(answer.id);
      if ('bytes' in answer) waiting?.resolve(answer.bytes);
      else {
        this.#cut.add(answer.id);
        waiting?.reject(cutError());
      }
    });
  }

  /** Opens connections; resolves with their name when all are ready. */
  async open(plan: SinkPlan): Promise<number> {
    this.#lastId += 1;
    const id = this.#lastId;
    await this.#ask({ kind: 'open', id, plan });
    return id;
  }

  /** Resolves when this many frames have come since the connections were ready, or since the last time, with their bytes. */
  receive(id: number, frames: number): Promise<number> {
    return this.#ask({ kind: 'await', id, frames });
  }

  async close(id: number): Promise<void> {
    await this.#ask({ kind: 'close', id });
  }

  /** Processor time of the thread so far, in us. */
  async processorTimeUs(): Promise<number> {
    const { user, system } = await this.#worker.cpuUsage();
    return user + system;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.terminate();
  }

  #ask(request: SinkRequest): Promise<number> {
    if (this.#cut.has(request.id) && request.kind !== 'close') return Promise.reject(cutError());
    const waiting = Promise.withResolvers<number>();
    this.#waiting.set(request.id, waiting);
    this.#worker.postMessage(request);
    return waiting.promise;
  }
}

const cutError = () => new Error('the server ended a connection that was to count frames');
