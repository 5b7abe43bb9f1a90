import { Buffer } from 'node:buffer';
import type { IndexCut } from './index-cut.ts';

/** Entries of an index in their order, one after the other, with the records they lead to. */
export interface PackedRows {
  /** The records, joined by commas. */
  readonly bodies: Buffer;
  readonly bodySizes: readonly number[];
  /** Key and id of each entry. */
  readonly entries: Buffer;
  readonly keySizes: readonly number[];
  readonly idSizes: readonly number[];
}

const NUMBERS_PER_ENTRY = 3;
const NUMBER_BYTES = 4;

const COMMA = Buffer.from(',');

/** All entries of an index between two cuts, as they stood at one position: packed, so that a page of them is a part of the bytes. */
export class IndexRun {
  readonly from: IndexCut;
  readonly to: IndexCut;
  readonly count: number;
  readonly #bodies: Buffer;
  readonly #entries: Buffer;
  /** Of each entry: where its record ends, where its key does, and where its id does. */
  readonly #ends: Uint32Array;

  constructor(from: IndexCut, to: IndexCut, bodies: Buffer, entries: Buffer, ends: Uint32Array) {
    this.from = from;
    this.to = to;
    this.count = ends.length / NUMBERS_PER_ENTRY;
    this.#bodies = bodies;
    this.#entries = entries;
    this.#ends = ends;
  }

  static of(from: IndexCut, to: IndexCut, rows: PackedRows): IndexRun {
    const { bodies, bodySizes, entries, keySizes, idSizes } = rows;
    const ends = new Uint32Array(bodySizes.length * NUMBERS_PER_ENTRY);
    let bodyEnd = -1;
    let idEnd = 0;
    for (const [index, bodySize] of bodySizes.entries()) {
      const keyEnd = idEnd + (keySizes[index] ?? 0);
      bodyEnd += bodySize + 1;
      idEnd = keyEnd + (idSizes[index] ?? 0);
      ends.set([bodyEnd, keyEnd, idEnd], index * NUMBERS_PER_ENTRY);
    }
    return new IndexRun(from, to, bodies, entries, ends);
  }

  /** This run and the one that begins where it ends, as one. */
  joinedWith(next: IndexRun): IndexRun {
    const between = this.count > 0 && next.count > 0 ? COMMA : COMMA.subarray(1);
    const bodies = Buffer.concat([this.#bodies, between, next.#bodies]);
    const bodyShift = this.#bodies.length + between.length;
    const entryShift = this.#entries.length;
    const ends = new Uint32Array(this.#ends.length + next.#ends.length);
    ends.set(this.#ends);
    const shifted = next.#ends.map(
      (end, index) => end + (index % NUMBERS_PER_ENTRY === 0 ? bodyShift : entryShift),
    );
    ends.set(shifted, this.#ends.length);
    return new IndexRun(this.from, next.to, bodies, Buffer.concat([this.#entries, next.#entries]), ends);
  }

  get bytes(): number {
    return this.#bodies.length + this.#entries.length + this.#ends.length * NUMBER_BYTES;
  }

  /** Index of the first entry after a cut; `count` when there is none. */
  firstAfter(cut: IndexCut): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#isAfter(middle, cut)) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** The records from one entry up to another, which is left out, joined by commas; at least one. */
  bodies(start: number, end: number): Buffer {
    return this.#bodies.subarray(this.#bodyStart(start), this.#bodyEnd(end - 1));
  }

  id(index: number): string {
    return this.#entries.toString('utf8', this.#keyEnd(index), this.#idEnd(index));
  }

  #isAfter(index: number, { key, id, side }: IndexCut): boolean {
    const keyEnd = this.#keyEnd(index);
    const order = this.#entries.compare(key, 0, key.length, this.#entryStart(index), keyEnd);
    if (order !== 0) return order > 0;
    if (id === undefined) return side === 'before';
    return this.#entries.compare(id, 0, id.length, keyEnd, this.#idEnd(index)) > 0;
  }

  #bodyStart(index: number): number {
    return index === 0 ? 0 : this.#bodyEnd(index - 1) + 1;
  }

  #entryStart(index: number): number {
    return index === 0 ? 0 : this.#idEnd(index - 1);
  }

  #bodyEnd(index: number): number {
    return this.#ends[index * NUMBERS_PER_ENTRY] ?? 0;
  }

  #keyEnd(index: number): number {
    return this.#ends[index * NUMBERS_PER_ENTRY + 1] ?? 0;
  }

  #idEnd(index: number): number {
    return this.#ends[index * NUMBERS_PER_ENTRY + 2] ?? 0;
  }
}
