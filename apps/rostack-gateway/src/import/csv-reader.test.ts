import * as fc from 'fast-check';
import type { JsonObject, JsonSchema } from 'rostack-core';
import { describe, expect, test } from 'vitest';
import { CsvReader } from './csv-reader.ts';
import type { ImportedLine } from './line-reader.ts';

const schema: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['id'],
  properties: {
    id: { type: 'string' },
    height: { type: ['number', 'null'] },
    open: { type: 'boolean' },
    kind: { enum: ['a', 'b'] },
    count: { $ref: '#/$defs/count' },
    tags: { type: 'array', items: { type: 'string' } },
    place: {
      type: 'object',
      additionalProperties: false,
      properties: { name: { type: 'string' }, lat: { type: 'number' } },
    },
  },
  $defs: { count: { type: 'integer' } },
};

const START = { startOffset: 0, linesBefore: 0 };
const reader = (options: Partial<ConstructorParameters<typeof CsvReader>[0]> = {}) =>
  new CsvReader({ schema, delimiter: ',', maxRecordBytes: 10_000, ...options }, START);

function read(text: string | Uint8Array, cuts: readonly number[] = [], options = {}): ImportedLine[] {
  const bytes = Buffer.from(text);
  const csv = reader(options);
  const edges = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return [
    ...edges.slice(1).flatMap((end, index) => csv.push(bytes.subarray(edges[index], end))),
    ...csv.end(),
  ];
}

const recordsOf = (text: string): unknown[] =>
  read(text).map(({ content }) => ('record' in content ? content.record : content.fault));

describe('cells', () => {
  test('have the types of the schema', () => {
    expect(recordsOf('id,height,open,count,tags,kind\n007,1.5,TRUE,3,"[""x""]",a\n')).toEqual([
      { id: '007', height: 1.5, open: true, count: 3, tags: ['x'], kind: 'a' },
    ]);
  });

  test('that are empty leave the member out, but for a quoted empty text', () => {
    expect(recordsOf('id,height,open,/place/name\na,,,\nb,"","",""\nc,null,false,x\n')).toEqual([
      { id: 'a' },
      { id: 'b', place: { name: '' } },
      { id: 'c', height: null, open: false, place: { name: 'x' } },
    ]);
  });

  test('go to the JSON Pointer that heads the column', () => {
    expect(recordsOf('/place/lat,id,/place/name\n37.5,a,서울\n')).toEqual([
      { id: 'a', place: { lat: 37.5, name: '서울' } },
    ]);
  });

  test.each([
    ['id,height\na,1 m', '/height', '"1 m" is not a number or null'],
    ['id,open\na,yes', '/open', '"yes" is not a boolean (true, false)'],
    ['id,count\na,0x10', '/count', 'is not a number'],
    ['id,tags\na,x;y', '/tags', 'is not a JSON array'],
    ['id,height\na,9007199254740993', '/height', 'has more digits than a JSON number keeps'],
    ['id,count\na,1e400', '/count', 'is beyond the range of a JSON number'],
    ['id,tags\na,"[""a"",12345678901234567890]"', '/tags/1', 'has more digits'],
    ['id,place\na,"{""lat"":1,""lat"":2}"', '/place/lat', 'is repeated'],
  ])('%j is refused', (text, pointer, message) => {
    expect(recordsOf(text)).toEqual([
      { code: 'csv_cell_invalid', pointer, message: expect.stringContaining(message) },
    ]);
  });

  test('can have any text, and rows come out whole however the bytes are cut', () => {
    const cell = fc.stringMatching(/^[a",\r\n한 ]{0,6}$/);
    const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell)), fc.array(fc.nat()), (rows, cuts) => {
        const text = `id,kind\n${rows.map(([a, b]) => `${quote(a)},${quote(b)}\n`).join('')}`;
        const found = read(text, cuts).map(({ content }) => ('record' in content ? content.record : content));
        expect(found).toEqual(rows.map(([id, kind]): JsonObject => ({ id, kind })));
      }),
    );
  });
});

describe('a header', () => {
  test.each([
    ['id,id\n', 'the columns 1 and 2 both write the field /id'],
    ['id,place,/place/name\n', 'the columns 2 and 3 both write the field /place'],
    ['id,hieght\n', 'the column "hieght" is not a field of the schema'],
    ['id,/tags/0\n', 'goes into /tags, which is not an object'],
    ['id,\n', 'a column has no name'],
    ['', 'there is no header row'],
    ['i"d\n', 'the header row is malformed'],
  ])('%j is refused', (text, message) => {
    expect(() => read(text)).toThrow(message);
    expect(() => read(text)).toThrow(expect.objectContaining({ code: 'csv_header_invalid' }));
  });
});

describe('rows', () => {
  test('that are malformed are refused one by one, by the line where they begin', () => {
    const text = ['\u{feff}id,kind', 'a,"two', 'lines"', '', 'b,"x"y', 'c,a,b', 'd,x"y', 'e,b', ''].join(
      '\r\n',
    );
    expect(read(text).map(({ line, lastLine, content }) => [line, lastLine, content])).toEqual([
      [2, 3, { record: { id: 'a', kind: 'two\r\nlines' } }],
      [
        5,
        5,
        { fault: { code: 'csv_row_invalid', message: 'a quoted cell goes on after its closing quote' } },
      ],
      [6, 6, { fault: { code: 'csv_row_invalid', message: 'the row has 3 cells, the header has 2' } }],
      [7, 7, { fault: { code: 'csv_row_invalid', message: expect.stringContaining('quote is inside') } }],
      [8, 8, { record: { id: 'e', kind: 'b' } }],
    ]);
  });

  test('in a quoted cell are text, however long the cell is: its row is one refusal up to its end', () => {
    const planted = Array.from({ length: 200 }, (_, index) => `r${index},a\n`).join('');
    const text = `id,kind\nq,"${planted}"\nz,b\n`;
    for (const cuts of [[], [40, 300, 900], Array.from({ length: 1_500 }, (_, at) => at)]) {
      expect(read(text, cuts, { maxRecordBytes: 100 })).toEqual([
        {
          line: 2,
          lastLine: 202,
          endOffset: text.indexOf('z'),
          text: undefined,
          content: { fault: { code: 'line_too_long', message: 'the row is longer than 100 bytes' } },
        },
        expect.objectContaining({ line: 203, content: { record: { id: 'z', kind: 'b' } } }),
      ]);
    }
  });

  test('with wrong quotes are refused as a whole, with all of their lines', () => {
    expect(read('id,kind\na,"x\nplanted,a"y\nb,c\n')).toMatchObject([
      { line: 2, lastLine: 3, content: { fault: { code: 'csv_row_invalid' } } },
      { line: 4, content: { record: { id: 'b' } } },
    ]);
  });

  test('after a quote that is never closed are not read: the text is cut off there', () => {
    const text = `id,kind\na,b\nq,"open\n${'planted,a\n'.repeat(30)}`;
    for (const maxRecordBytes of [100, 10_000]) {
      const csv = reader({ maxRecordBytes });
      const found = [...csv.push(Buffer.from(text)), ...csv.end()];
      const message = expect.stringContaining('nothing after it is read') as string;
      expect(found).toMatchObject([
        { line: 2, content: { record: { id: 'a' } } },
        { line: 3, lastLine: 34, content: { fault: { code: 'csv_row_invalid', message } } },
      ]);
      expect(csv.isCutOff).toBe(true);
    }
  });

  test.each([',', ';', '\t', '·', '、', '\u{1f5d2}'])(
    'with %j between cells are those of a simple model, however the bytes are cut',
    (delimiter) => {
      const token = fc.constantFrom(
        '"',
        '"',
        '""',
        delimiter,
        delimiter,
        '\n',
        '\r\n',
        '\r',
        'a',
        '한',
        'xxxxx',
        '\u{feff}',
        '\u{f5d2}',
      );
      fc.assert(
        fc.property(fc.array(token, { maxLength: 40 }), fc.array(fc.nat()), (tokens, cuts) => {
          const text = tokens.join('');
          const found = read(text, cuts, { delimiter, maxRecordBytes: 20, header: ['id', 'kind'] });
          const told = found.map(({ line, lastLine, content }) => [
            line,
            lastLine,
            'record' in content ? content.record : content.fault.code,
          ]);
          expect(told).toEqual(modelRows(text, delimiter, 20));
        }),
        { numRuns: 300 },
      );
    },
  );

  test('can be read on from where any row ended', () => {
    const text = 'id,kind\n\na,"x\ny"\nb,"bad"x\n한,a\nd,b';
    const bytes = Buffer.from(text);
    const all = read(text);
    for (const stop of all) {
      const rest = new CsvReader(
        { schema, delimiter: ',', maxRecordBytes: 10_000, header: ['id', 'kind'] },
        { startOffset: stop.endOffset, linesBefore: stop.lastLine },
      );
      const found = [...rest.push(bytes.subarray(stop.endOffset)), ...rest.end()];
      expect(found).toEqual(all.filter(({ line }) => line > stop.line));
    }
  });

  test('keep a byte order mark that is not the first thing in the file', () => {
    const text = '\u{feff}id\n\u{feff}a\n\u{feff}b\n';
    const cut = Buffer.byteLength('\u{feff}id\n');
    for (const cuts of [[], [cut], [cut, cut + 5]]) {
      expect(read(text, cuts).map(({ content }) => content)).toEqual([
        { record: { id: '\u{feff}a' } },
        { record: { id: '\u{feff}b' } },
      ]);
    }
  });

  test('that are no UTF-8 are refused', () => {
    expect(read(Buffer.from([...Buffer.from('id\n'), 0xff, 10, 97]))).toMatchObject([
      { line: 2, content: { fault: { code: 'line_not_utf8' } } },
      { line: 3, content: { record: { id: 'a' } } },
    ]);
  });
});

/** The rows of a whole text, parsed by regular expressions. */
function modelRows(text: string, delimiter: string, maxRowBytes: number): unknown[] {
  const quoted = '"(?:[^"]|"")*"(?!")';
  const rest = `(?:(?!${delimiter})[^\\n])*`;
  const cell = `(?:${quoted}${rest}|(?!")${rest})`;
  const rowAt = new RegExp(`(${cell}(?:${delimiter}${cell})*)(?:\\n|$)`, 'uy');
  const whole = new RegExp(`^(?:(${quoted})|((?:(?!${delimiter})[^"])*))(?:${delimiter}|$)`, 'u');
  const content = text.replace(/^\u{feff}/u, '');
  const rows: unknown[] = [];
  const linesTo = (end: number) => content.slice(0, end).split('\n').length;
  for (let at = 0; at < content.length; ) {
    rowAt.lastIndex = at;
    const found = rowAt.exec(content);
    const line = linesTo(at);
    if (found === null) {
      const lastLine = linesTo(content.length);
      return [...rows, [line, lastLine, 'csv_row_invalid']];
    }
    const row = (found[1] ?? '').replace(/\r$/, '');
    at = rowAt.lastIndex;
    const lastLine = line + row.split('\n').length - 1;
    if (row === '') continue;
    rows.push([
      line,
      lastLine,
      Buffer.byteLength(row) > maxRowBytes ? 'line_too_long' : contentOf(row, delimiter, whole),
    ]);
  }
  return rows;
}

/** The record of a row with the columns `id` and `kind`, which are texts, or the code of its fault. */
function contentOf(row: string, delimiter: string, whole: RegExp): unknown {
  const cells: (string | undefined)[] = [];
  for (let left: string | undefined = row; left !== undefined; ) {
    const found = whole.exec(left);
    if (found === null) return 'csv_row_invalid';
    const [all, inQuotes, plain] = found;
    cells.push(inQuotes?.slice(1, -1).replaceAll('""', '"') ?? (plain === '' ? undefined : plain));
    left =
      all.endsWith(delimiter) && !(inQuotes !== undefined && all === inQuotes)
        ? left.slice(all.length)
        : undefined;
  }
  if (cells.length !== 2) return 'csv_row_invalid';
  const [id, kind] = cells;
  return { ...(id !== undefined && { id }), ...(kind !== undefined && { kind }) };
}
