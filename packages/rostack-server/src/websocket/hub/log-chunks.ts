import type { RecordSource } from 'rostack-core';
import type { LogPlace } from './log-place.ts';
import { LoggedChange } from './logged-change.ts';
import { OutOfOrderError } from './out-of-order-error.ts';

const CHUNK_CHANGES = 256;
const KEPT_CHUNKS = 8;
const KEPT_BYTES = 4 * 1_048_576;

/** Reads old parts of a log for subscriptions that catch up; those that follow each other share what was read. */
export class LogChunks {
  readonly #source: RecordSource;
  #reading = new Map<string, Promise<readonly LoggedChange[]>>();
  #kept: (readonly LoggedChange[])[] = [];

  constructor(source: RecordSource) {
    this.#source = source;
  }

  /** What is at hand after a position of the same history, without asking the source. */
  kept({ position, tag }: LogPlace): readonly LoggedChange[] | undefined {
    for (const chunk of this.#kept) {
      const first = chunk[0]?.position ?? 0;
      const index = position + 1 - first;
      if (chunk[index]?.tagBefore === tag) return index === 0 ? chunk : chunk.slice(index);
    }
    return undefined;
  }

  /**
   * Changes after a position, ascending and dense; empty at the head.
   * @throws PositionExpiredError when the log does not reach back that far, or has another history
   * @throws OutOfOrderError when the log has a hole there
   * @throws SourceUnavailableError when the source cannot be reached
   */
  read(place: LogPlace): Promise<readonly LoggedChange[]> {
    const reads = this.#reading;
    const key = `${place.position} ${place.tag}`;
    const running = reads.get(key);
    if (running !== undefined) return running;
    const reading = this.#fetch(place).finally(() => reads.delete(key));
    reads.set(key, reading);
    return reading;
  }

  /** Forgets what was read, and what is being read now. */
  clear(): void {
    this.#kept = [];
    this.#reading = new Map();
  }

  async #fetch({ position, tag }: LogPlace): Promise<readonly LoggedChange[]> {
    const reads = this.#reading;
    const changes = await this.#source.read(position, CHUNK_CHANGES, tag);
    const chunk = changes.map((change, index) => new LoggedChange(change, changes[index - 1]?.tag ?? tag));
    chunk.forEach((logged, index) => {
      const next = position + 1 + index;
      if (logged.position !== next) throw new OutOfOrderError(next, logged.position);
    });
    const isCleared = reads !== this.#reading;
    if (chunk.length > 0 && !isCleared) this.#keep(chunk);
    return chunk;
  }

  #keep(chunk: readonly LoggedChange[]): void {
    this.#kept = [chunk, ...this.#kept].slice(0, KEPT_CHUNKS);
    let bytes = 0;
    this.#kept = this.#kept.filter((each, index) => {
      for (const logged of each) bytes += logged.costBytes;
      return index === 0 || bytes <= KEPT_BYTES;
    });
  }
}
