import { UsageError } from '../../error/errors.ts';
import type { FollowState, StateStore, StateUpdate, StoredRecord } from '../../store/state-store.ts';
import type { MirrorTarget } from './mirror-target.ts';

/** A batch is written when it has so many events, or is so old. */
const MAX_EVENTS = 1_000;
const MAX_AGE_MS = 100;

interface Batch {
  readonly records: Map<string, StoredRecord | undefined>;
  cursor: string;
  eventId: string | undefined;
  events: number;
}

/**
 * Writes what a follow stores into a table, many events in one transaction with their cursor. What a crash loses is lost together with
 * its cursor, so it comes again.
 */
export class MirrorStore implements StateStore, AsyncDisposable {
  readonly #target: MirrorTarget;
  readonly #onFailure: (error: unknown) => void;
  #batch: Batch | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Writes one after the other. */
  #writing: Promise<void> = Promise.resolve();

  /** @param onFailure told when a batch could not be written, so that the follow ends though nothing happens */
  constructor(target: MirrorTarget, onFailure: (error: unknown) => void) {
    this.#target = target;
    this.#onFailure = onFailure;
  }

  load(): Promise<FollowState | undefined> {
    return this.#target.load();
  }

  async replace(_key: string, state: FollowState): Promise<void> {
    await this.flush();
    await this.#target.replace(state);
  }

  async update(_key: string, { cursor, eventId, put, remove }: StateUpdate): Promise<void> {
    const batch = this.#batch ?? { records: new Map(), cursor, eventId, events: 0 };
    this.#batch = batch;
    if (remove !== undefined) batch.records.set(remove, undefined);
    if (put !== undefined) batch.records.set(put.id, put);
    batch.cursor = cursor;
    batch.eventId = eventId;
    batch.events += 1;
    if (batch.events >= MAX_EVENTS) await this.flush();
    else this.#timer ??= setTimeout(() => void this.flush().catch(this.#onFailure), MAX_AGE_MS);
  }

  async remove(): Promise<void> {
    throw new UsageError('a mirror keeps its state in the table: drop the table to forget it');
  }

  /** Writes what waits. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const batch = this.#batch;
    this.#batch = undefined;
    // After a failure nothing more is written: the cursor must not pass what is missing.
    if (batch !== undefined) this.#writing = this.#writing.then(() => this.#target.apply(batch));
    return this.#writing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Whoever wants to know calls `flush` before.
    await this.flush().catch(() => {});
  }
}
