import type { TableReader } from '../driver/table-reader.ts';
import type { StoreParts } from '../source/store-parts.ts';

/** How often a leader that always has work queries the age. */
const LOOK_MS = 1_000;

/** The age of the oldest change of a table that is not in the log. */
export class UnmovedAge {
  readonly #reader: TableReader;
  /** When that change was made, or when it was last known that none waits; undefined if none waits. */
  #sinceMs: number | undefined = performance.now();
  #lookedMs = 0;

  constructor(reader: TableReader) {
    this.#reader = reader;
  }

  /** In ms; 0 if nothing waits. */
  get ms(): number {
    return this.#sinceMs === undefined ? 0 : performance.now() - this.#sinceMs;
  }

  get isLookDue(): boolean {
    return performance.now() - this.#lookedMs > LOOK_MS;
  }

  /** Nothing waits. */
  clear(): void {
    this.#sinceMs = undefined;
  }

  /** From now on a change may wait unnoticed. */
  suspect(): void {
    this.#sinceMs ??= performance.now();
  }

  /** Queries the database, whichever process moves changes now. */
  async look(parts: StoreParts, name: string): Promise<void> {
    this.#lookedMs = performance.now();
    try {
      this.found(await this.#reader.oldestNoteMs(parts, name));
    } catch {
      this.suspect();
    }
  }

  /** @param waitedMs how long the oldest change has waited; undefined if none waits */
  found(waitedMs: number | undefined): void {
    this.#sinceMs = waitedMs === undefined ? undefined : performance.now() - waitedMs;
  }
}
