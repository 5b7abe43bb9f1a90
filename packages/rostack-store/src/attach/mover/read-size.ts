/** How many rows to read at once: fewer after a failure, since there may have been too many for some limit, and more after each success. */
export class ReadSize {
  readonly #max: number;
  #rows: number;
  /** Rows of the current read. */
  #asked: number | undefined;

  /** @param first rows of the first read */
  constructor(first: number, max: number) {
    this.#rows = first;
    this.#max = max;
  }

  /** Rows to read now. Until `fit` is called, each read is half as large as the one before. */
  ask(): number {
    const asked = this.#rows;
    this.#asked = asked;
    this.#rows = atLeastOne(asked / 2);
    return asked;
  }

  /** The rows read are about to be written: if that fails, the next read is half as large. */
  found(rows: number, asked: number): void {
    this.#rows = atLeastOne(Math.min(asked, rows) / 2);
  }

  /** This many rows were read and written. */
  fit(rows: number): void {
    this.#asked = undefined;
    this.#rows = this.after(rows);
  }

  /** Number of rows to read after this many were read and written. */
  after(rows: number): number {
    return atLeastOne(Math.min(this.#max, 2 * rows));
  }

  /** The last read failed, but not because of its size. */
  restore(): void {
    this.#rows = this.#asked ?? this.#rows;
    this.#asked = undefined;
  }
}

const atLeastOne = (rows: number): number => Math.max(1, Math.floor(rows));
