import type { RecordSource } from 'rostack-core';
import { ChangeRing, type RingLimits } from './change-ring.ts';
import { type LogPosition, OutOfOrderError } from './log-position.ts';
import { LoggedChange } from './logged-change.ts';

const RING_READ_CHANGES = 512;
const CHUNK_CHANGES = 256;
/** The chunk that is being sent and the next one. More would outlive V8's young generation, which adds half to the cost of reading them. */
const KEPT_CHUNKS = 2;
const KEPT_BYTES = 4 * 1_048_576;

/**
 * Reads a log for feeds that are behind its head: from the newest changes in memory if they reach back that far, otherwise from the source,
 * in chunks that are shared by feeds close to each other.
 */
export class LogReader {
  readonly #source: RecordSource;
  readonly #ring: ChangeRing;
  #reading = new Map<string, Promise<readonly LoggedChange[]>>();
  #kept: (readonly LoggedChange[])[] = [];
  #ringHits = 0;
  #ringMisses = 0;

  constructor(source: RecordSource, ring: RingLimits) {
    this.#source = source;
    this.#ring = new ChangeRing(ring);
  }

  /** Reads answered from the newest changes, reads that needed a chunk, and the size of the newest changes. */
  get counts(): { readonly ringHits: number; readonly ringMisses: number; readonly ringBytes: number } {
    return { ringHits: this.#ringHits, ringMisses: this.#ringMisses, ringBytes: this.#ring.bytes };
  }

  /**
   * Adds the newest change.
   * @throws OutOfOrderError if it does not follow the previous one
   */
  push(change: LoggedChange): void {
    this.#ring.push(change);
  }

  /**
   * Changes after a place, ascending and without gaps; empty at the head.
   * @throws PositionExpiredError if the log does not reach back that far, or has another history
   * @throws OutOfOrderError if the log has a hole there
   * @throws SourceUnavailableError if the source cannot be reached
   */
  after(place: LogPosition): readonly LoggedChange[] | Promise<readonly LoggedChange[]> {
    const recent = this.#ring.after(place, RING_READ_CHANGES);
    if (recent !== undefined && recent.length > 0) {
      this.#ringHits += 1;
      return recent;
    }
    this.#ringMisses += 1;
    return this.#keptAfter(place) ?? this.#read(place);
  }

  /** Starts reading what follows a place, unless it is in memory. A failure is only reported to whoever asks for the changes. */
  readAhead(place: LogPosition): void {
    const recent = this.#ring.after(place, 1);
    if (recent !== undefined && recent.length > 0) return;
    if (this.#keptAfter(place) === undefined) this.#read(place).catch(() => {});
  }

  /** Drops everything that was read, and the results of running reads. */
  clear(): void {
    this.#ring.clear();
    this.#kept = [];
    this.#reading = new Map();
  }

  #keptAfter({ position, tag }: LogPosition): readonly LoggedChange[] | undefined {
    for (const chunk of this.#kept) {
      const first = chunk[0]?.position ?? 0;
      const index = position + 1 - first;
      if (chunk[index]?.tagBefore === tag) return index === 0 ? chunk : chunk.slice(index);
    }
    return undefined;
  }

  #read(place: LogPosition): Promise<readonly LoggedChange[]> {
    const reads = this.#reading;
    const key = `${place.position} ${place.tag}`;
    const running = reads.get(key);
    if (running !== undefined) return running;
    const reading = this.#fetch(place).finally(() => reads.delete(key));
    reads.set(key, reading);
    return reading;
  }

  async #fetch({ position, tag }: LogPosition): Promise<readonly LoggedChange[]> {
    const reads = this.#reading;
    // Chunks always end at the same positions, so feeds share them from their second chunk on, wherever they started.
    const limit = CHUNK_CHANGES - (position % CHUNK_CHANGES);
    const changes = await this.#source.read(position, limit, tag);
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
