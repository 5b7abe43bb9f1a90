import type { Database } from '../../drivers/database.ts';
import { StoreUnavailableError } from '../../errors/index.ts';
import type { MovedLog } from '../../log/watch/moved-log.ts';
import type { ChangeResult } from './change.ts';
import type { PreparedChange } from './prepare-change.ts';
import { type BatchOutcome, type WrittenBatches, writeBatches } from './write-batches.ts';

/** The most changes that go into one transaction, unless a single batch has more. */
const MAX_GROUPED_CHANGES = 2_000;

interface Waiting {
  readonly batch: readonly PreparedChange[];
  resolve(results: readonly ChangeResult[]): void;
  reject(error: unknown): void;
}

/** Commits batches that wait at the same time together: they share one transaction, and so one sync to disk. */
export class ApplyQueue {
  readonly #database: Database;
  readonly #nowMs: () => number;
  readonly #newTag: () => string;
  readonly #onMoved: (logs: readonly MovedLog[]) => void;
  #waiting: Waiting[] = [];
  #running: Promise<void> | undefined;

  constructor(
    database: Database,
    { nowMs, newTag }: { readonly nowMs: () => number; readonly newTag: () => string },
    onMoved: (logs: readonly MovedLog[]) => void,
  ) {
    this.#database = database;
    this.#nowMs = nowMs;
    this.#newTag = newTag;
    this.#onMoved = onMoved;
  }

  /** Number of waiting batches, not counting those in the current transaction. */
  get size(): number {
    return this.#waiting.length;
  }

  /** Resolves when the batch is committed; batches commit in the order in which they came. */
  add(batch: readonly PreparedChange[]): Promise<readonly ChangeResult[]> {
    const { promise, resolve, reject } = Promise.withResolvers<readonly ChangeResult[]>();
    this.#waiting.push({ batch, resolve, reject });
    this.#running ??= this.#run();
    return promise;
  }

  /** Resolves when nothing is waiting any more. */
  async drained(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    // Batches that arrive in the same turn of the event loop go into the same transaction.
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    while (this.#waiting.length > 0) await this.#commit(this.#takeGroup());
    this.#running = undefined;
  }

  #takeGroup(): Waiting[] {
    let size = 0;
    const end = this.#waiting.findIndex(({ batch }, index) => {
      size += batch.length;
      return index > 0 && size > MAX_GROUPED_CHANGES;
    });
    return this.#waiting.splice(0, end === -1 ? this.#waiting.length : end);
  }

  async #commit(group: readonly Waiting[]): Promise<void> {
    let written: WrittenBatches;
    try {
      const batches = group.map(({ batch }) => batch);
      written = await this.#database.write(() =>
        writeBatches(this.#database.dialect, batches, this.#nowMs(), this.#newTag()),
      );
    } catch (error) {
      await this.#fail(group, error);
      return;
    }
    if (written.moved.length > 0) this.#onMoved(written.moved);
    for (const [index, waiting] of group.entries()) settle(waiting, written.outcomes[index]);
  }

  /** If one batch of several may be at fault, each is tried alone. */
  async #fail(group: readonly Waiting[], error: unknown): Promise<void> {
    if (group.length === 1 || error instanceof StoreUnavailableError) {
      for (const waiting of group) waiting.reject(error);
      return;
    }
    for (const waiting of group) await this.#commit([waiting]);
  }
}

function settle(waiting: Waiting, outcome: BatchOutcome | undefined): void {
  if (outcome === undefined) waiting.reject(new Error('the transaction returned no outcome for the batch'));
  else if ('error' in outcome) waiting.reject(outcome.error);
  else waiting.resolve(outcome.results);
}
