import { isUtf8 } from 'node:buffer';
import type { JsonObject, JsonValue } from 'rostack-core';
import { csvCells } from '../import/csv-cells.ts';
import { CsvRows } from '../import/csv-rows.ts';
import { fileInput } from '../import/import-file.ts';
import { NdjsonReader } from '../import/line-reader.ts';
import { errorMessage } from '../text/error-message.ts';
import { sentenceOfFile } from '../text/text-file.ts';
import type { CatalogueTable } from './catalogue/catalogue.ts';
import { ChoiceError } from './choose-columns.ts';
import { FileTable } from './file-table.ts';

/** Longer records are skipped; the import refuses them. */
const MAX_RECORD_BYTES = 1_048_576;
const START = { startOffset: 0, linesBefore: 0 };
const WHOLE_NUMBER = /^-?(?:0|[1-9]\d{0,14})$/;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * Reads a file of NDJSON or CSV (also `.gz`) to its end, and describes its records as a table.
 * @throws ChoiceError for a file that cannot be read
 */
export async function readFileTable(
  file: string,
  name: string,
  key: string | undefined,
): Promise<CatalogueTable> {
  const separator = separatorOf(file);
  const table = new FileTable({ isText: separator !== undefined });
  try {
    const pieces = (await fileInput(file)).open(0);
    const records = separator === undefined ? ndjsonRecords(pieces) : csvRecords(pieces, separator);
    for await (const record of records) table.add(record);
  } catch (error) {
    if (error instanceof ChoiceError) throw error;
    throw new ChoiceError(`${file} cannot be read: ${sentenceOfFile(error) ?? errorMessage(error)}`, {
      cause: error,
    });
  }
  return table.table(name, key);
}

/** The separator of CSV cells; undefined for NDJSON. */
function separatorOf(file: string): string | undefined {
  const plain = file.toLowerCase().replace(/\.gz$/, '');
  if (plain.endsWith('.tsv')) return '\t';
  return plain.endsWith('.csv') ? ',' : undefined;
}

async function* ndjsonRecords(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<JsonObject> {
  const reader = new NdjsonReader(MAX_RECORD_BYTES, START);
  for await (const piece of pieces) yield* recordsIn(reader.push(piece));
  yield* recordsIn(reader.end());
}

function* recordsIn(lines: ReturnType<NdjsonReader['push']>): Generator<JsonObject> {
  for (const { content } of lines) if ('record' in content) yield content.record;
}

async function* csvRecords(pieces: AsyncIterable<Uint8Array>, delimiter: string): AsyncGenerator<JsonObject> {
  const rows = new CsvRows({ delimiter, maxRowBytes: MAX_RECORD_BYTES, ...START });
  let header: readonly string[] | undefined;
  const cellsOf = (bytes: Buffer | undefined) => {
    const cells =
      bytes === undefined || !isUtf8(bytes) ? undefined : csvCells(bytes.toString('utf8'), delimiter);
    return cells === undefined || 'fault' in cells ? undefined : cells.map(({ text }) => text);
  };
  const read = function* (found: ReturnType<CsvRows['push']>): Generator<JsonObject> {
    for (const { bytes } of found) {
      const cells = cellsOf(bytes);
      if (header === undefined) {
        header = cells?.map((name) => name.trim());
        if (header === undefined || header.some((name) => name === '' || name.startsWith('/')))
          throw new ChoiceError('the first row has to name the columns, without a slash at the beginning');
      } else if (cells?.length === header.length) yield recordOf(header, cells);
    }
  };
  for await (const piece of pieces) yield* read(rows.push(piece));
  yield* read(rows.end());
}

function recordOf(header: readonly string[], cells: readonly string[]): JsonObject {
  return Object.fromEntries(
    header.flatMap((name, index) => {
      const value = valueOf(cells[index] ?? '');
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** The value that a cell appears to have; undefined for an empty cell. */
function valueOf(cell: string): JsonValue | undefined {
  const text = cell.trim();
  if (text === '') return undefined;
  if (WHOLE_NUMBER.test(text) || (NUMBER.test(text) && /[.eE]/.test(text))) return Number(text);
  const lower = text.toLowerCase();
  return lower === 'true' || lower === 'false' ? lower === 'true' : cell;
}
