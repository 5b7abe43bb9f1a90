const NEWLINE = 10;
const CARRIAGE_RETURN = 13;
const QUOTE = 34;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
/** A carriage return and a newline. */
const LINE_END_BYTES = 2;

/** One row of a text that arrives in pieces. */
export interface CsvRow {
  /** The first line of the row, counted from 1. */
  readonly line: number;
  readonly lastLine: number;
  /** Offset in bytes of the end of the row. */
  readonly endOffset: number;
  /** The row without its line end and without a byte order mark; undefined if it is too long to keep. */
  readonly bytes: Buffer | undefined;
  /** Whether the text ended within a quoted cell: where the row ends is unknown, and nothing comes after it. */
  readonly isOpen: boolean;
}

export interface CsvRowsOptions {
  /** One character. */
  readonly delimiter: string;
  /** A longer row is reported by its line numbers and not kept. */
  readonly maxRowBytes: number;
  readonly startOffset: number;
  readonly linesBefore: number;
}

/** The state before the next byte. A quote opens a quoted cell only as the cell's first byte. */
type Place =
  | 'start'
  /** In an unquoted cell, or after the end of a quoted one. */
  | 'plain'
  | 'quoted'
  /** After a quote in a quoted cell: either the end of the cell, or the first of two quotes that stand for one. */
  | 'closed';

/**
 * Cuts bytes into rows of CSV, which end at a newline outside of quotes (RFC 4180). What is in quotes never becomes a row, no matter how
 * long it is. Blank rows are counted but left out. Holds at most one row and one piece in memory.
 */
export class CsvRows {
  readonly #maxRowBytes: number;
  readonly #delimiter: number;
  readonly #delimiterMask: number;
  #place: Place = 'start';
  /** The last four bytes, as one number. */
  #latest = 0;
  #pieces: Buffer[] = [];
  #rowBytes = 0;
  #offset: number;
  #lines: number;
  #firstLine: number;
  /** Bytes of a byte order mark at the start of the text so far; undefined once it is known. */
  #markBytes: number | undefined;

  constructor({ delimiter, maxRowBytes, startOffset, linesBefore }: CsvRowsOptions) {
    const bytes = Buffer.from(delimiter);
    this.#delimiter = bytes.readUIntBE(0, bytes.length);
    this.#delimiterMask = 2 ** (8 * bytes.length) - 1;
    this.#maxRowBytes = maxRowBytes;
    this.#offset = startOffset;
    this.#lines = linesBefore;
    this.#firstLine = linesBefore + 1;
    this.#markBytes = startOffset === 0 ? 0 : undefined;
  }

  /** The rows that end in the next piece. */
  push(piece: Uint8Array): CsvRow[] {
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.length);
    const rows: CsvRow[] = [];
    let from = 0;
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at] ?? 0;
      if (this.#markBytes !== undefined && this.#isOfMark(byte)) continue;
      if (byte === NEWLINE) this.#lines += 1;
      const wasQuoted = this.#place === 'quoted';
      this.#place = this.#next(byte);
      if (byte !== NEWLINE || wasQuoted) continue;
      this.#keep(bytes.subarray(from, at + 1));
      from = at + 1;
      this.#finish(rows, false);
    }
    this.#keep(bytes.subarray(from));
    return rows;
  }

  /** The last row, if no newline ends it. */
  end(): CsvRow[] {
    const rows: CsvRow[] = [];
    if (this.#rowBytes === 0) return rows;
    this.#lines += 1;
    this.#finish(rows, this.#place === 'quoted');
    return rows;
  }

  #isOfMark(byte: number): boolean {
    const known = this.#markBytes ?? 0;
    const isOfMark = byte === BYTE_ORDER_MARK[known];
    this.#markBytes = isOfMark && known + 1 < BYTE_ORDER_MARK.length ? known + 1 : undefined;
    // An incomplete byte order mark is text.
    if (!isOfMark && known > 0) this.#place = 'plain';
    return isOfMark;
  }

  #next(byte: number): Place {
    if (this.#place === 'quoted') return byte === QUOTE ? 'closed' : 'quoted';
    this.#latest = ((this.#latest << 8) | byte) >>> 0;
    if (byte === NEWLINE) return 'start';
    if (byte === QUOTE && this.#place !== 'plain') return 'quoted';
    return (this.#latest & this.#delimiterMask) >>> 0 === this.#delimiter ? 'start' : 'plain';
  }

  #keep(piece: Buffer): void {
    if (piece.length === 0) return;
    this.#rowBytes += piece.length;
    if (this.#rowBytes > this.#maxRowBytes + BYTE_ORDER_MARK.length + LINE_END_BYTES) this.#pieces = [];
    else this.#pieces.push(piece);
  }

  #finish(rows: CsvRow[], isOpen: boolean): void {
    const isAtStart = this.#offset === 0;
    const isKept = this.#pieces.length > 0;
    const bytes = isKept ? trimmed(Buffer.concat(this.#pieces), isAtStart, isOpen) : undefined;
    this.#offset += this.#rowBytes;
    this.#pieces = [];
    this.#rowBytes = 0;
    this.#place = 'start';
    const line = this.#firstLine;
    this.#firstLine = this.#lines + 1;
    if (bytes?.length === 0) return;
    rows.push({
      line,
      lastLine: this.#lines,
      endOffset: this.#offset,
      bytes: bytes !== undefined && bytes.length <= this.#maxRowBytes ? bytes : undefined,
      isOpen,
    });
  }
}

/** Without its line end, and without the mark that a text may begin with. */
function trimmed(bytes: Buffer, isAtStart: boolean, isOpen: boolean): Buffer {
  const from = isAtStart && bytes.subarray(0, 3).equals(Buffer.from(BYTE_ORDER_MARK)) ? 3 : 0;
  let end = bytes.length;
  if (isOpen) return bytes.subarray(from);
  if (bytes[end - 1] === NEWLINE) end -= 1;
  if (end > from && bytes[end - 1] === CARRIAGE_RETURN) end -= 1;
  return bytes.subarray(from, end);
}
