import type { JsonObject } from 'rostack-core';

/** Why a line of an import was refused, as data: the code is stable, the message is for people. */
export interface LineFault {
  /** Those of rostack-store (`record_invalid`, `change_invalid`), and those of the reader. */
  readonly code: string;
  readonly message: string;
  /** JSON Pointer of the faulty member, where one is at fault. */
  readonly pointer?: string | undefined;
}

/** One record of an import: a line of NDJSON, or a row of CSV, which may take several lines. */
export interface ImportedLine {
  /** The first line of the record, counted from 1. */
  readonly line: number;
  /** Last line of the record. */
  readonly lastLine: number;
  /** Offset in bytes of what follows. */
  readonly endOffset: number;
  readonly content: { readonly record: JsonObject } | { readonly fault: LineFault };
  /** As it stands in the file; undefined where it is too long to be kept. */
  readonly text: string | undefined;
}

/** Reads records out of bytes that come in pieces; takes memory for one record and one piece. */
export interface LineReader {
  push(piece: Uint8Array): ImportedLine[];
  end(): ImportedLine[];
}

/** Where a reader begins. */
export interface ReaderStart {
  readonly startOffset: number;
  readonly linesBefore: number;
}
