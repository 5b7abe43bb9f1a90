import { Buffer } from 'node:buffer';
import { parseTrustedJson } from 'rostack-core';
import type { Row } from '../../dialect/query.ts';

const FIRST_BYTES = 16_384;
const MOST_BYTES_OF_UNIT = 3;
const GROWTH = 4;
const COMMA = 0x2c;

/** The result of a statement that `joinsTexts`: at most one row, assembled from its texts as they arrive. */
export class JoinedTexts {
  /** The JSON of the row; null if there is none, undefined until it has arrived. */
  #json: string | null | undefined;
  #found = 0;
  #leftOut = 0;
  #buffer = Buffer.allocUnsafe(FIRST_BYTES);
  #length = 0;

  add(text: string | null): void {
    if (this.#json === undefined) {
      this.#json = text;
      return;
    }
    if (text === null) {
      this.#leftOut += 1;
      return;
    }
    this.#makeRoom(1 + text.length * MOST_BYTES_OF_UNIT);
    if (this.#found > 0) {
      this.#buffer[this.#length] = COMMA;
      this.#length += 1;
    }
    this.#length += this.#buffer.write(text, this.#length);
    this.#found += 1;
  }

  get rows(): readonly Row[] {
    if (this.#json === undefined || this.#json === null) return [];
    const bodies = this.#buffer.subarray(0, this.#length);
    return [
      { ...(parseTrustedJson(this.#json) as Row), found: this.#found, left_out: this.#leftOut, bodies },
    ];
  }

  #makeRoom(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#buffer.byteLength) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, GROWTH * this.#buffer.byteLength));
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
  }
}
