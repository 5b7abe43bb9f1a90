import { Buffer } from 'node:buffer';
import { Worker } from 'node:worker_threads';
import { SourceUnavailableError } from 'rostack-core';
import { drive, type Work } from '../../database.ts';
import type { Query, Row } from '../../dialect/query.ts';
import { OverTimeError } from '../../over-time-error.ts';
import { sqliteFailure } from '../statement/failure.ts';
import { endThread } from './end-thread.ts';
import type { ReaderAnswer, ReaderRequest, ReaderSetup } from './reader-thread.ts';

// Runs from the source or as built; the build does not rewrite a URL.
const THREAD = new URL(`./reader-thread${import.meta.url.slice(-3)}`, import.meta.url);

/** A connection to a SQLite file in a thread of its own: it runs statements of any length, one at a time, without blocking the process. */
export class SqliteReader {
  readonly #worker: Worker;
  readonly #isClosed = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  #answer: PromiseWithResolvers<ReaderAnswer> | undefined;
  #end: Error | undefined;

  /** @param onEnd called when the thread ends before it was closed */
  constructor(file: string, onEnd: (cause: Error) => void) {
    const workerData: ReaderSetup = { file, isClosed: this.#isClosed };
    this.#worker = new Worker(THREAD, { workerData, execArgv: [], name: 'rostack-store reader' });
    this.#worker.unref();
    let cause: Error | undefined;
    this.#worker.on('error', (error: Error) => {
      cause = error;
    });
    this.#worker.on('message', (answer: ReaderAnswer) => this.#answer?.resolve(answer));
    this.#worker.on('exit', (code) => {
      this.#end = cause ?? new Error(`the thread ended with code ${code}`);
      this.#answer?.reject(this.#end);
      if (!this.#hasClosed) onEnd(this.#end);
    });
  }

  get #hasClosed(): boolean {
    return Atomics.load(this.#isClosed, 0) !== 0;
  }

  /**
   * Runs the work on one consistent snapshot.
   * @throws OverTimeError when one of its statements takes longer than `durationMs`
   * @throws SourceUnavailableError when the thread ends
   * @throws SqliteFailure
   */
  async read<T>(work: () => Work<T>, durationMs: number): Promise<T> {
    this.#worker.ref();
    try {
      return await drive(work(), (query) => this.#run(query, durationMs));
    } finally {
      this.#post('end');
      if (!this.#hasClosed) this.#worker.unref();
    }
  }

  /** Interrupts the running statement, and ends the thread. */
  async close(): Promise<void> {
    Atomics.store(this.#isClosed, 0, 1);
    await endThread(this.#worker);
  }

  async #run(query: Query, durationMs: number): Promise<readonly Row[]> {
    if (this.#end !== undefined) throw unavailable(this.#end);
    this.#answer = Promise.withResolvers();
    this.#post({ query, durationMs });
    const answer = await this.#answer.promise.catch((error: unknown) => {
      throw unavailable(error);
    });
    if ('rows' in answer) return answer.rows.map(withBuffers);
    const { message, code } = answer.failure;
    if (this.#hasClosed) throw unavailable(new Error('the store is closed'));
    if (code === 'OVER_TIME') throw new OverTimeError();
    throw code === undefined ? new Error(message) : sqliteFailure(message, code);
  }

  #post(request: ReaderRequest): void {
    this.#worker.postMessage(request);
  }
}

function unavailable(cause: unknown): SourceUnavailableError {
  const message = cause instanceof Error ? cause.message : String(cause);
  return new SourceUnavailableError(`a reader thread ended: ${message}`, { cause });
}

/** Another thread's buffer arrives as a plain array of bytes. */
function withBuffers(row: Row): Row {
  const converted: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(row)) {
    converted[name] =
      value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value;
  }
  return converted;
}
