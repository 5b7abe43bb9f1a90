import { isUtf8 } from 'node:buffer';

const NEWLINE = 10;
const CARRIAGE_RETURN = 13;
const BYTE_ORDER_MARK = Buffer.from('\u{feff}');
const UNCOUNTED_BYTES = BYTE_ORDER_MARK.length + 1;

/** One line of a text that arrives in pieces. */
export interface Line {
  /** Counted from 1. */
  readonly line: number;
  /** Offset in bytes of the end of the line. */
  readonly endOffset: number;
  /** Undefined if the line cannot be used. */
  readonly text: string | undefined;
  readonly fault: 'too_long' | 'not_utf8' | undefined;
}

export interface LineSplitterOptions {
  /** A longer line is reported by its number and not kept; its line end, and a byte order mark, do not count. */
  readonly maxLineBytes: number;
  /** Offset at which the text resumes after an interruption. @default the beginning */
  readonly startOffset?: number;
  readonly linesBefore?: number;
}

/** Cuts bytes into lines. Blank lines are counted but left out. Holds at most one line and one piece in memory. */
export class LineSplitter {
  readonly #maxLineBytes: number;
  #pieces: Uint8Array[] = [];
  #piecesBytes = 0;
  #offset: number;
  #lines: number;

  constructor({ maxLineBytes, startOffset = 0, linesBefore = 0 }: LineSplitterOptions) {
    this.#maxLineBytes = maxLineBytes;
    this.#offset = startOffset;
    this.#lines = linesBefore;
  }

  /** The lines that end in the next piece. */
  push(piece: Uint8Array): Line[] {
    const lines: Line[] = [];
    let from = 0;
    for (;;) {
      const newline = piece.indexOf(NEWLINE, from);
      if (newline === -1) break;
      this.#keep(piece.subarray(from, newline));
      this.#finish(lines, 1);
      from = newline + 1;
    }
    this.#keep(piece.subarray(from));
    return lines;
  }

  /** The last line, if no newline ends it. */
  end(): Line[] {
    const lines: Line[] = [];
    if (this.#piecesBytes > 0) this.#finish(lines, 0);
    return lines;
  }

  #keep(piece: Uint8Array): void {
    if (piece.length === 0) return;
    this.#piecesBytes += piece.length;
    if (this.#piecesBytes > this.#maxLineBytes + UNCOUNTED_BYTES) this.#pieces = [];
    else this.#pieces.push(piece);
  }

  #finish(lines: Line[], newlineBytes: number): void {
    const isKept = this.#pieces.length > 0 || this.#piecesBytes === 0;
    const [only] = this.#pieces;
    const bytes =
      this.#pieces.length === 1 && only !== undefined
        ? Buffer.from(only.buffer, only.byteOffset, only.length)
        : Buffer.concat(this.#pieces);
    this.#lines += 1;
    this.#offset += this.#piecesBytes + newlineBytes;
    this.#pieces = [];
    this.#piecesBytes = 0;
    const at = { line: this.#lines, endOffset: this.#offset };
    if (!isKept || countedBytes(bytes, this.#lines === 1) > this.#maxLineBytes) {
      lines.push({ ...at, text: undefined, fault: 'too_long' });
    } else if (!isUtf8(bytes)) {
      lines.push({ ...at, text: undefined, fault: 'not_utf8' });
    } else {
      const text = bytes.toString('utf8');
      const unmarked = this.#lines === 1 && text.startsWith('\u{feff}') ? text.slice(1) : text;
      if (unmarked.trim() !== '') lines.push({ ...at, text: unmarked, fault: undefined });
    }
  }
}

function countedBytes(line: Buffer, isFirst: boolean): number {
  const isMarked = isFirst && line.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
  const isReturned = line.at(-1) === CARRIAGE_RETURN;
  return line.length - (isMarked ? BYTE_ORDER_MARK.length : 0) - (isReturned ? 1 : 0);
}
