import type { RecordSource } from 'rostack-core';
import { ChangeRing, type RingLimits } from './change-ring.ts';
import { type LogPlace, OutOfOrderError } from './log-place.ts';
import { LoggedChange } from './logged-change.ts';

const RING_READ_CHANGES = 512;
const CHUNK_CHANGES = 256;
/** The one that is being sent and the next. More would outlive V8's young generation, which costs half as much again as reading them. */
const KEPT_CHUNKS = 2;
const KEPT_BYTES = 4 * 1_048_576;

/**
 * Reads a log for feeds that are behind its head: from the newest changes where these reach back that far, otherwise from
 * the source, in chunks that feeds which follow each other share.
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

  /** Reads that memory answered, those that needed a chunk, and what the newest changes take. */
  get counts(): { readonly ringHits: number; readonly ringMisses: number; readonly ringBytes: number } {
    return { ringHits: this.#ringHits, ringMisses: this.#ringMisses, ringBytes: this.#ring.bytes };
  }

  /**
   * Takes the newest change.
   * @throws OutOfOrderError when it does not follow the one before
   */
  push(change: LoggedChange): void {
    this.#ring.push(change);
  }

  /**
   * Changes after a place, ascending and dense; empty at the head.
   * @throws PositionExpiredError when the log does not reach back that far, or has another history
   * @throws OutOfOrderError when the log has a hole there
   * @throws SourceUnavailableError when the source cannot be reached
   */
  after(place: LogPlace): readonly LoggedChange[] | Promise<readonly LoggedChange[]> {
    const recent = this.#ring.after(place, RING_READ_CHANGES);
    if (recent !== undefined && recent.length > 0) {
      this.#ringHits += 1;
      return recent;
    }
    this.#ringMisses += 1;
    return this.#keptAfter(place) ?? this.#read(place);
  }

  /** Begins to read what follows a place, where memory has nothing. What fails is told to whoever asks for it. */
  readAhead(place: LogPlace): void {
    const recent = this.#ring.after(place, 1);
    if (recent !== undefined && recent.length > 0) return;
    if (this.#keptAfter(place) === undefined) this.#read(place).catch(() => {});
  }

  /** Forgets what was read, and what is being read now. */
  clear(): void {
    this.#ring.clear();
    this.#kept = [];
    this.#reading = new Map();
  }

  #keptAfter({ position, tag }: LogPlace): readonly LoggedChange[] | undefined {
    for (const chunk of this.#kept) {
      const first = chunk[0]?.position ?? 0;
      const index = position + 1 - first;
      if (chunk[index]?.tagBefore === tag) return index === 0 ? chunk : chunk.slice(index);
    }
    return undefined;
  }

  #read(place: LogPlace): Promise<readonly LoggedChange[]> {
    const reads = this.#reading;
    const key = `${place.position} ${place.tag}`;
    const running = reads.get(key);
    if (running !== undefined) return running;
    const reading = this.#fetch(place).finally(() => reads.delete(key));
    reads.set(key, reading);
    return reading;
  }

  async #fetch({ position, tag }: LogPlace): Promise<readonly LoggedChange[]> {
    const reads = this.#reading;
    // Chunks end at the same positions, so that feeds which began anywhere share them from their second one on.
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
