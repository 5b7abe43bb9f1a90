import type { JsonObject } from 'rostack-core';
import { type LineFault, parseObject } from '../admin/changes/json-line.ts';
import { type Line, LineSplitter } from '../admin/changes/line-splitter.ts';

/** One record of an import: a line of NDJSON, or a row of CSV, which may take several lines. */
export interface ImportedLine {
  /** The first line of the record, counted from 1. */
  readonly line: number;
  /** The last line of the record. */
  readonly lastLine: number;
  /** Offset in bytes of the end of the record. */
  readonly endOffset: number;
  readonly content: { readonly record: JsonObject } | { readonly fault: LineFault };
  /** The text as it is in the file; undefined if it is too long to keep. */
  readonly text: string | undefined;
}

/** Reads records from bytes that arrive in pieces; needs memory for one record and one piece. */
export interface LineReader {
  push(piece: Uint8Array): ImportedLine[];
  end(): ImportedLine[];
  /** Whether the text ended in the middle of a record, so that the rest of the record is unknown. */
  readonly isCutOff: boolean;
}

/** Where a reader begins. */
export interface ReaderStart {
  readonly startOffset: number;
  readonly linesBefore: number;
}

/** One JSON object on each line. */
export class NdjsonReader implements LineReader {
  readonly isCutOff = false;
  readonly #splitter: LineSplitter;
  readonly #maxLineBytes: number;

  constructor(maxLineBytes: number, start: ReaderStart) {
    this.#maxLineBytes = maxLineBytes;
    this.#splitter = new LineSplitter({ maxLineBytes, ...start });
  }

  push(piece: Uint8Array): ImportedLine[] {
    return this.#splitter.push(piece).map((line) => this.#read(line));
  }

  end(): ImportedLine[] {
    return this.#splitter.end().map((line) => this.#read(line));
  }

  #read({ line, endOffset, text, fault }: Line): ImportedLine {
    const at = { line, lastLine: line, endOffset, text };
    if (text !== undefined) return { ...at, content: parseObject(text) };
    const message =
      fault === 'too_long' ? `the line is longer than ${this.#maxLineBytes} bytes` : 'the line is not UTF-8';
    return { ...at, content: { fault: { code: `line_${fault}`, message } } };
  }
}
