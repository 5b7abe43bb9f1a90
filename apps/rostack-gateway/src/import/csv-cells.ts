import type { CsvCell } from './csv-columns.ts';

/** What is wrong with the quotes of a row. */
export interface CsvCellsFault {
  readonly fault: string;
}

/**
 * The cells of a row without its line end:
 *
 *     row    = cell *(delimiter cell)
 *     cell   = quoted / plain
 *     quoted = '"' *(any but '"' / '""') '"'
 *     plain  = *(any but '"' and the delimiter)
 */
export function csvCells(row: string, delimiter: string): readonly CsvCell[] | CsvCellsFault {
  const cells: CsvCell[] = [];
  let at = 0;
  for (;;) {
    const isQuoted = row[at] === '"';
    const end = isQuoted ? endOfQuoted(row, at) : endOfPlain(row, delimiter, at);
    if (end === undefined) return { fault: 'a quote is opened here and never closed' };
    const text = row.slice(at, end);
    if (isQuoted) {
      cells.push({ text: text.slice(1, -1).replaceAll('""', '"'), quoted: true });
      if (end < row.length && !row.startsWith(delimiter, end)) {
        return { fault: 'a quoted cell goes on after its closing quote' };
      }
    } else {
      if (text.includes('"')) return { fault: 'a quote is inside a cell that is not quoted' };
      cells.push({ text, quoted: false });
    }
    if (end === row.length) return cells;
    at = end + delimiter.length;
  }
}

/** Offset after the closing quote; undefined if there is none. */
function endOfQuoted(row: string, start: number): number | undefined {
  for (let at = start + 1; ; at += 2) {
    at = row.indexOf('"', at);
    if (at === -1) return undefined;
    if (row[at + 1] !== '"') return at + 1;
  }
}

function endOfPlain(row: string, delimiter: string, start: number): number {
  const end = row.indexOf(delimiter, start);
  return end === -1 ? row.length : end;
}
