import type { TableReader } from '../driver/table-reader.ts';
import type { StoreParts } from '../source/store-parts.ts';

/** How often a leader that always has work asks. */
const LOOK_MS = 1_000;

/** The age of the oldest change of a table that is not in the log. */
export class UnmovedAge {
  readonly #reader: TableReader;
  /** When that change was made, or the last time when none waited; undefined if none waits. */
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

  /** From now on something may wait that nobody sees. */
  suspect(): void {
    this.#sinceMs ??= performance.now();
  }

  /** Asks the database, whoever moves changes now. */
  async look(parts: StoreParts, name: string): Promise<void> {
    this.#lookedMs = performance.now();
    try {
      this.found(await this.#reader.oldestNoteMs(parts, name));
    } catch {
      this.suspect();
    }
  }

  /** @param waitedMs how long the oldest change has waited; undefined if none does */
  found(waitedMs: number | undefined): void {
    this.#sinceMs = waitedMs === undefined ? undefined : performance.now() - waitedMs;
  }
}
