/** How many rows are read at once: fewer after a failure, since they may have been too many for some limit, and more with each success. */
export class ReadSize {
  readonly #max: number;
  #rows: number;
  /** What is being read now. */
  #asked: number | undefined;

  /** @param first rows of the first read */
  constructor(first: number, max: number) {
    this.#rows = first;
    this.#max = max;
  }

  /** Rows to read now. Until `fit` is called, the next read is half as large. */
  ask(): number {
    const asked = this.#rows;
    this.#asked = asked;
    this.#rows = atLeastOne(asked / 2);
    return asked;
  }

  /** What was read is about to be written: if that fails, half of it is read next. */
  found(rows: number, asked: number): void {
    this.#rows = atLeastOne(Math.min(asked, rows) / 2);
  }

  /** So many rows have been read and written. */
  fit(rows: number): void {
    this.#asked = undefined;
    this.#rows = this.after(rows);
  }

  /** Rows to read next once so many have been read and written. */
  after(rows: number): number {
    return atLeastOne(Math.min(this.#max, 2 * rows));
  }

  /** What was read last failed, but not because it was too much. */
  restore(): void {
    this.#rows = this.#asked ?? this.#rows;
    this.#asked = undefined;
  }
}

const atLeastOne = (rows: number): number => Math.max(1, Math.floor(rows));
