import { isUtf8 } from 'node:buffer';
import type { JsonSchema } from 'rostack-core';
import type { LineFault } from '../admin/changes/json-line.ts';
import { csvCells } from './csv-cells.ts';
import { type CsvColumn, CsvHeaderError, csvColumns, csvRecord } from './csv-columns.ts';
import { type CsvRow, CsvRows } from './csv-rows.ts';
import type { ImportedLine, LineReader, ReaderStart } from './line-reader.ts';

export interface CsvReaderOptions {
  readonly schema: JsonSchema;
  /** One character. */
  readonly delimiter: string;
  readonly maxRecordBytes: number;
  /** The header row as read before an interruption; undefined if the text begins with it. */
  readonly header?: readonly string[] | undefined;
}

/**
 * Reads rows of CSV (RFC 4180) under a header row, typed by the schema. A row that is too long, or has wrong quotes, is refused as a whole,
 * up to its end: nothing in it is read as a row. If a quote is never closed, its row is the last one.
 */
export class CsvReader implements LineReader {
  readonly #options: CsvReaderOptions;
  readonly #rows: CsvRows;
  #columns: readonly CsvColumn[] | undefined;
  #header: readonly string[] | undefined;
  #isCutOff = false;

  /** @throws CsvHeaderError `csv_header_invalid` if the earlier header does not fit the schema */
  constructor(options: CsvReaderOptions, start: ReaderStart) {
    this.#options = options;
    const { delimiter, maxRecordBytes: maxRowBytes } = options;
    this.#rows = new CsvRows({ delimiter, maxRowBytes, ...start });
    if (options.header !== undefined) this.#readHeader(options.header);
  }

  /** The header row, once it has been read. */
  get header(): readonly string[] | undefined {
    return this.#header;
  }

  get isCutOff(): boolean {
    return this.#isCutOff;
  }

  /** @throws CsvHeaderError `csv_header_invalid` */
  push(piece: Uint8Array): ImportedLine[] {
    return this.#rows.push(piece).flatMap((row) => this.#read(row));
  }

  /** @throws CsvHeaderError `csv_header_invalid` */
  end(): ImportedLine[] {
    const lines = this.#rows.end().flatMap((row) => this.#read(row));
    if (this.#columns === undefined) throw new CsvHeaderError('there is no header row');
    return lines;
  }

  /** Returns nothing for the header. */
  #read({ line, lastLine, endOffset, bytes, isOpen }: CsvRow): ImportedLine[] {
    this.#isCutOff ||= isOpen;
    const text = bytes?.toString('utf8');
    const at = { line, lastLine, endOffset, text };
    const fault = (code: string, message: string): ImportedLine[] => [
      { ...at, content: { fault: this.#refusal(code, message) } },
    ];
    if (isOpen) return fault('csv_row_invalid', UNCLOSED);
    if (bytes === undefined || text === undefined) {
      return fault('line_too_long', `the row is longer than ${this.#options.maxRecordBytes} bytes`);
    }
    if (!isUtf8(bytes)) return fault('line_not_utf8', 'the row is not UTF-8');
    const cells = csvCells(text, this.#options.delimiter);
    if ('fault' in cells) return fault('csv_row_invalid', cells.fault);
    if (this.#columns !== undefined) return [{ ...at, content: csvRecord(this.#columns, cells) }];
    this.#readHeader(cells.map((cell) => cell.text));
    return [];
  }

  /** @throws CsvHeaderError if the row is the header */
  #refusal(code: string, message: string): LineFault {
    if (this.#columns === undefined) throw new CsvHeaderError(`the header row is malformed: ${message}`);
    return { code, message };
  }

  #readHeader(names: readonly string[]): void {
    this.#columns = csvColumns(names, this.#options.schema);
    this.#header = names;
  }
}

const UNCLOSED =
  'a quote is opened here and never closed, so where the row ends is unknown: nothing after it is read';
