import { Worker } from 'node:worker_threads';
import type { SinkPlan, SinkRequest } from './frame-sink-worker.ts';

/** Clients that only count frames, in a thread of their own. */
export class FrameSinks implements AsyncDisposable {
  readonly #worker = new Worker(new URL('./frame-sink-worker.ts', import.meta.url));
  readonly #waiting = new Map<number, (bytes: number) => void>();
  #lastId = 0;

  constructor() {
    this.#worker.on('message', ({ id, bytes }: { id: number; bytes: number }) => {
      const done = this.#waiting.get(id);
      this.#waiting.delete(id);
      done?.(bytes);
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
    return new Promise((resolve) => {
      this.#waiting.set(request.id, resolve);
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      this.#worker.postMessage(request);
    });
  }
}
