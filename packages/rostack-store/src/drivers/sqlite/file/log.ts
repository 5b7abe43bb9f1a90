import { closeSync, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { StoreUnavailableError } from '../../../errors/index.ts';
import { endThread } from '../reading/end-thread.ts';

// Runs from the source or as built; the build does not rewrite a URL.
const THREAD = new URL(`./checkpoint-thread${import.meta.url.slice(-3)}`, import.meta.url);
/** How long changes stay in the log: a page that changes again in this time is copied once. */
const CHECKPOINT_AFTER_MS = 1_000;
const sync = promisify(fdatasync);

export interface SqliteLogOptions {
  /** Whether `committed` waits until the commit is on disk. */
  readonly isSynced: boolean;
  /** Whether the paths still lead to the file and the log that this process has open. */
  readonly isOurs: () => boolean;
  /** Called when the thread ends by itself; the next checkpoint starts another one. */
  readonly onFailure: (cause: Error) => void;
}

/**
 * The write-ahead log of a SQLite file. The thread pool syncs it to disk and a thread copies it into the file, so neither blocks the
 * process.
 */
export class SqliteLog {
  readonly #file: string;
  readonly #options: SqliteLogOptions;
  #descriptor: number | undefined;
  #syncing: Promise<void> = Promise.resolve();
  #nextSync: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #thread: Worker | undefined;
  #isClosed = false;

  constructor(file: string, options: SqliteLogOptions) {
    this.#file = file;
    this.#options = options;
  }

  /**
   * Call it after each commit. Resolves when the commit is on disk, if commits are synced.
   * @throws StoreUnavailableError when the disk does not confirm it: the commit may be lost if the machine crashes
   */
  async committed(): Promise<void> {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#checkpoint();
    }, CHECKPOINT_AFTER_MS).unref();
    if (!this.#options.isSynced) return;
    // A running sync may have begun before this commit, so the next one serves all commits that came meanwhile.
    this.#nextSync ??= this.#syncing
      .catch(() => {})
      .then(() => {
        this.#nextSync = undefined;
        this.#descriptor ??= openSync(`${this.#file}-wal`, 'r+');
        this.#syncing = sync(this.#descriptor);
        return this.#syncing;
      });
    try {
      await this.#nextSync;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      throw new StoreUnavailableError(`the disk does not confirm a change: ${message}`, { cause: error });
    }
  }

  /** Waits for running syncs and copies. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await (this.#nextSync ?? this.#syncing).catch(() => {});
    if (this.#thread !== undefined) await endThread(this.#thread);
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
  }

  #checkpoint(): void {
    if (!this.#options.isOurs()) return;
    this.#thread ??= this.#startThread();
    this.#thread.postMessage('checkpoint');
  }

  #startThread(): Worker {
    const options = { workerData: this.#file, execArgv: [], name: 'rostack-store checkpoint' };
    const thread = new Worker(THREAD, options);
    thread.unref();
    let cause: Error | undefined;
    thread.on('error', (error: Error) => {
      cause = error;
    });
    thread.on('exit', (code) => {
      if (this.#isClosed) return;
      this.#thread = undefined;
      this.#options.onFailure(cause ?? new Error(`the thread ended with code ${code}`));
    });
    return thread;
  }
}
