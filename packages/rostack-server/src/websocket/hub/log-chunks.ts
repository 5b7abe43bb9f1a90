import { type Position, PositionExpiredError, type RecordSource } from 'rostack-core';
import { LoggedChange } from './logged-change.ts';

const CHUNK_CHANGES = 256;
const KEPT_CHUNKS = 8;
const KEPT_BYTES = 4 * 1_048_576;

/** Reads old parts of a log for subscriptions that catch up; those that follow each other share what was read. */
export class LogChunks {
  readonly #source: RecordSource;
  readonly #reading = new Map<Position, Promise<readonly LoggedChange[]>>();
  #kept: (readonly LoggedChange[])[] = [];

  constructor(source: RecordSource) {
    this.#source = source;
  }

  /** What is at hand after a position, without asking the source. */
  kept(position: Position): readonly LoggedChange[] | undefined {
    for (const chunk of this.#kept) {
      const first = chunk[0]?.position ?? 0;
      const index = position + 1 - first;
      if (index >= 0 && index < chunk.length) return index === 0 ? chunk : chunk.slice(index);
    }
    return undefined;
  }

  /**
   * Changes after a position, ascending and dense; empty at the head.
   * @throws PositionExpiredError when the log does not reach back that far, or has a hole there
   * @throws SourceUnavailableError when the source cannot be reached
   */
  read(position: Position): Promise<readonly LoggedChange[]> {
    const running = this.#reading.get(position);
    if (running !== undefined) return running;
    const reading = this.#fetch(position).finally(() => this.#reading.delete(position));
    this.#reading.set(position, reading);
    return reading;
  }

  clear(): void {
    this.#kept = [];
  }

  async #fetch(position: Position): Promise<readonly LoggedChange[]> {
    const changes = await this.#source.read(position, CHUNK_CHANGES);
    const chunk = changes.map((change) => new LoggedChange(change));
    chunk.forEach((logged, index) => {
      if (logged.position !== position + 1 + index) {
        throw new PositionExpiredError(`The log has a hole after position ${position + index}.`);
      }
    });
    if (chunk.length > 0) this.#keep(chunk);
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
