import { isUtf8 } from 'node:buffer';
import { CsvError, type Options, parse } from 'csv-parse/sync';
import type { JsonSchema } from 'rostack-core';
import type { LineFault } from '../changes/json-line.ts';
import { type CsvCell, type CsvColumn, CsvHeaderError, csvColumns, csvRecord } from './csv-columns.ts';
import type { ImportedLine, LineReader, ReaderStart } from './line-reader.ts';

const NEWLINE = 10;
const CARRIAGE_RETURN = 13;
const QUOTE = 34;
const BYTE_ORDER_MARK = Buffer.from('\u{feff}');

export interface CsvReaderOptions {
  readonly schema: JsonSchema;
  /** One character. */
  readonly delimiter: string;
  readonly maxRecordBytes: number;
  /** The header row as read before an interruption; undefined if the text begins with it. */
  readonly header?: readonly string[] | undefined;
}

/** A row as csv-parse reads it. */
interface Row {
  readonly cells: readonly CsvCell[];
  /** Bytes of the block up to the end of the row. */
  readonly endBytes: number;
}

/**
 * Reads rows of CSV (RFC 4180) under a header row, typed by the schema. A row with wrong quotes is refused as one line, and reading
 * continues with the next line.
 */
export class CsvReader implements LineReader {
  readonly #options: CsvReaderOptions;
  #columns: readonly CsvColumn[] | undefined;
  #header: readonly string[] | undefined;
  #pending: Buffer = Buffer.alloc(0);
  #offset: number;
  #lines: number;

  /** @throws CsvHeaderError `csv_header_invalid` if the earlier header does not fit the schema */
  constructor(options: CsvReaderOptions, { startOffset, linesBefore }: ReaderStart) {
    this.#options = options;
    this.#offset = startOffset;
    this.#lines = linesBefore;
    if (options.header !== undefined) this.#readHeader(options.header);
  }

  /** The header row, once it has been read. */
  get header(): readonly string[] | undefined {
    return this.#header;
  }

  /** @throws CsvHeaderError `csv_header_invalid` */
  push(piece: Uint8Array): ImportedLine[] {
    this.#pending = Buffer.concat([this.#pending, piece]);
    const lines: ImportedLine[] = [];
    for (;;) {
      const end = lastRowEnd(this.#pending);
      if (end > 0) this.#take(end, lines);
      // A quote that is never closed would turn everything after it into one row.
      else if (this.#pending.length > this.#options.maxRecordBytes) lines.push(this.#refuseLine(UNCLOSED));
      else return lines;
    }
  }

  /** @throws CsvHeaderError `csv_header_invalid` */
  end(): ImportedLine[] {
    const lines: ImportedLine[] = [];
    while (this.#pending.length > 0) this.#take(this.#pending.length, lines);
    if (this.#columns === undefined) throw new CsvHeaderError('there is no header row');
    return lines;
  }

  /** Reads rows from the front of the pending bytes. After a fault it is unknown where the last whole row ends. */
  #take(endBytes: number, lines: ImportedLine[]): void {
    this.#skipByteOrderMark();
    const fault = this.#readBlock(this.#pending.subarray(0, endBytes), lines);
    if (fault !== undefined) lines.push(this.#refuseLine(fault));
  }

  #skipByteOrderMark(): void {
    if (this.#offset > 0 || !this.#pending.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK))
      return;
    this.#pending = this.#pending.subarray(BYTE_ORDER_MARK.length);
    this.#offset = BYTE_ORDER_MARK.length;
  }

  /** Reads rows up to the end of the block, or up to the first malformed one, whose fault it returns. */
  #readBlock(block: Buffer, lines: ImportedLine[]): LineFault | undefined {
    const { rows, fault } = parseRows(block, this.#options.delimiter);
    let from = 0;
    for (const { cells, endBytes } of rows) {
      const bytes = block.subarray(from, endBytes);
      from = endBytes;
      const blankLines = countNewlines(
        bytes.subarray(
          0,
          bytes.findIndex((byte) => !isLineEnd(byte)),
        ),
      );
      const line = this.#lines + blankLines + 1;
      this.#advance(bytes);
      if (this.#columns === undefined) {
        this.#readHeader(cells.map(({ text }) => text));
        continue;
      }
      const text = bytes.toString('utf8').replace(/^[\r\n]+|[\r\n]+$/g, '');
      const content = isUtf8(bytes) ? csvRecord(this.#columns, cells) : { fault: NOT_UTF8 };
      const lastLine = line + countNewlines(Buffer.from(text));
      lines.push({ line, lastLine, endOffset: this.#offset, content, text });
    }
    this.#pending = this.#pending.subarray(from);
    if (fault === undefined) {
      this.#advance(block.subarray(from));
      this.#pending = this.#pending.subarray(block.length - from);
    }
    return fault;
  }

  #readHeader(names: readonly string[]): void {
    this.#columns = csvColumns(names, this.#options.schema);
    this.#header = names;
  }

  /** Refuses the next line of the file without reading it. */
  #refuseLine(fault: LineFault): ImportedLine {
    if (this.#columns === undefined)
      throw new CsvHeaderError(`the header row is malformed: ${fault.message}`);
    while (isLineEnd(this.#pending[0])) {
      this.#advance(this.#pending.subarray(0, 1));
      this.#pending = this.#pending.subarray(1);
    }
    const newline = this.#pending.indexOf(NEWLINE);
    const bytes = this.#pending.subarray(0, newline === -1 ? this.#pending.length : newline + 1);
    this.#pending = this.#pending.subarray(bytes.length);
    const line = this.#lines + 1;
    this.#advance(bytes);
    const text = bytes.toString('utf8').replace(/[\r\n]+$/, '');
    return { line, lastLine: line, endOffset: this.#offset, content: { fault }, text };
  }

  #advance(bytes: Buffer): void {
    this.#offset += bytes.length;
    this.#lines += countNewlines(bytes);
  }
}

const UNCLOSED: LineFault = { code: 'csv_row_invalid', message: 'a quote is opened here and never closed' };
const NOT_UTF8: LineFault = { code: 'line_not_utf8', message: 'the row is not UTF-8' };

function parseRows(
  block: Buffer,
  delimiter: string,
): { readonly rows: Row[]; readonly fault: LineFault | undefined } {
  const rows: Row[] = [];
  const options: Options<string[]> = {
    delimiter,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    cast: (text, { quoting }): CsvCell => ({ text, quoted: quoting }),
    on_record: (record: unknown) => {
      const { record: cells, info } = record as { record: readonly CsvCell[]; info: { bytes: number } };
      rows.push({ cells, endBytes: info.bytes });
      return null;
    },
  };
  try {
    parse(block, options);
    return { rows, fault: undefined };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return { rows, fault: { code: 'csv_row_invalid', message: describe(error) } };
  }
}

/** The parser counts lines from the start of a block, which means nothing to users, so its messages are replaced. */
function describe({ code, message }: CsvError): string {
  if (code === 'CSV_QUOTE_NOT_CLOSED') return UNCLOSED.message;
  if (code === 'CSV_INVALID_CLOSING_QUOTE') return 'a quoted cell goes on after its closing quote';
  if (code === 'INVALID_OPENING_QUOTE') return 'a quote is inside a cell that is not quoted';
  return message;
}

/** The end of the last row that is certainly complete: after a newline with an even number of quotes before it. */
function lastRowEnd(bytes: Buffer): number {
  let isQuoted = false;
  let end = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) isQuoted = !isQuoted;
    else if (byte === NEWLINE && !isQuoted) end = at + 1;
  }
  return end;
}

function isLineEnd(byte: number | undefined): boolean {
  return byte === NEWLINE || byte === CARRIAGE_RETURN;
}

function countNewlines(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) count += 1;
  return count;
}
