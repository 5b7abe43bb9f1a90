import {
  defineError,
  fieldTypes,
  formatPointer,
  hasCode,
  isPointer,
  type JsonObject,
  type JsonSchema,
  type JsonType,
  type JsonValue,
  parsePointer,
  parseStrictJson,
  type StrictJsonError,
} from 'rostack-core';
import type { LineFault } from '../admin/changes/json-line.ts';

/** The header row does not fit the schema. */
export class CsvHeaderError extends defineError('CsvHeaderError', 'csv_header_invalid', false) {}

/** A column and where its cells go. */
export interface CsvColumn {
  readonly pointer: string;
  readonly path: readonly string[];
  readonly types: ReadonlySet<JsonType>;
}

/** A cell as it was written: an empty one has a different meaning in quotes. */
export interface CsvCell {
  readonly text: string;
  readonly quoted: boolean;
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * Reads the header row: a cell that starts with `/` is a JSON Pointer, any other is the name of a member of the record.
 * @throws CsvHeaderError `csv_header_invalid`
 */
export function csvColumns(header: readonly string[], schema: JsonSchema): readonly CsvColumn[] {
  const columns = header.map((name) => csvColumn(name.trim(), schema));
  for (const [index, { pointer }] of columns.entries()) {
    const clash = columns.findIndex(
      (other, at) => at !== index && `${other.pointer}/`.startsWith(`${pointer}/`),
    );
    if (clash !== -1) {
      throw new CsvHeaderError(`the columns ${index + 1} and ${clash + 1} both write the field ${pointer}`);
    }
  }
  return columns;
}

function csvColumn(name: string, schema: JsonSchema): CsvColumn {
  const pointer = name.startsWith('/') ? name : formatPointer([name]);
  if (name === '') throw new CsvHeaderError('a column has no name: the first row names the fields');
  if (!isPointer(pointer))
    throw new CsvHeaderError(`the column ${JSON.stringify(name)} is not a JSON Pointer`);
  const path = parsePointer(pointer);
  const types = fieldTypes(schema, pointer);
  if (types === undefined) {
    throw new CsvHeaderError(`the column ${JSON.stringify(name)} is not a field of the schema (${pointer})`);
  }
  for (let depth = 1; depth < path.length; depth += 1) {
    const parent = formatPointer(path.slice(0, depth));
    if (fieldTypes(schema, parent)?.has('object') !== true) {
      throw new CsvHeaderError(
        `the column ${JSON.stringify(name)} goes into ${parent}, which is not an object: use one column of JSON for ${parent}`,
      );
    }
  }
  return { pointer, path, types };
}

/** Makes a record from a row. */
export function csvRecord(
  columns: readonly CsvColumn[],
  cells: readonly CsvCell[],
): { readonly record: JsonObject } | { readonly fault: LineFault } {
  if (cells.length !== columns.length) {
    const message = `the row has ${cells.length} cells, the header has ${columns.length}`;
    return { fault: { code: 'csv_row_invalid', message } };
  }
  const record: Tree = new Map();
  for (const [index, { path, pointer, types }] of columns.entries()) {
    const cell = cells[index];
    if (cell === undefined) continue;
    const value = cellValue(cell, types);
    if (typeof value === 'object' && value !== null && 'fault' in value) {
      const { fault, within = '' } = value;
      return { fault: { code: 'csv_cell_invalid', pointer: pointer + within, message: fault } };
    }
    if (value !== undefined) set(record, path, value.value);
  }
  return { record: toObject(record) };
}

type CellReading =
  | { readonly value: JsonValue }
  /** `within` is the JSON Pointer to the fault in the cell's value, if not the whole cell is at fault. */
  | { readonly fault: string; readonly within?: string };

/** The value of a cell; undefined if the member is left out. */
function cellValue({ text, quoted }: CsvCell, types: ReadonlySet<JsonType>): CellReading | undefined {
  if (types.has('string') && (text !== '' || quoted)) return { value: text };
  const plain = text.trim();
  if (plain === '') return undefined;
  if (types.has('null') && plain === 'null') return { value: null };
  if (types.has('number') && NUMBER.test(plain)) return readJson(plain);
  const lower = plain.toLowerCase();
  if (types.has('boolean') && (lower === 'true' || lower === 'false')) return { value: lower === 'true' };
  if (types.has('array') || types.has('object')) {
    const reading = readJson(plain);
    if (reading !== undefined && ('fault' in reading || isStructure(reading.value))) return reading;
  }
  const shown = plain.length > 40 ? `${plain.slice(0, 40)}...` : plain;
  return { fault: `${JSON.stringify(shown)} is not ${aTypeOf(types)}` };
}

/** `a number or null`. */
function aTypeOf(types: ReadonlySet<JsonType>): string {
  const names = [...types].map(nameOfType).join(' or ');
  return names.startsWith('null') ? names : `a ${names}`;
}

function nameOfType(type: JsonType): string {
  if (type === 'boolean') return 'boolean (true, false)';
  return type === 'array' || type === 'object' ? `JSON ${type}` : type;
}

/** Undefined if the text is not JSON. */
function readJson(text: string): CellReading | undefined {
  try {
    return { value: parseStrictJson(text) as JsonValue };
  } catch (error) {
    if (!hasCode<StrictJsonError>(error, 'invalid_json')) throw error;
    const { check, path, message } = error.fault;
    return check === 'json' ? undefined : { fault: message, within: path };
  }
}

function isStructure(value: JsonValue): boolean {
  return typeof value === 'object' && value !== null;
}

type Tree = Map<string, { readonly value: JsonValue } | Tree>;

function set(tree: Tree, path: readonly string[], value: JsonValue): void {
  const [token = '', ...rest] = path;
  if (rest.length === 0) {
    tree.set(token, { value });
    return;
  }
  const found = tree.get(token);
  const inner: Tree = found instanceof Map ? found : new Map();
  tree.set(token, inner);
  set(inner, rest, value);
}

/** `Object.fromEntries` creates own members even for names such as `__proto__`. */
function toObject(tree: Tree): JsonObject {
  return Object.fromEntries(
    [...tree].map(([token, node]) => [token, node instanceof Map ? toObject(node) : node.value]),
  );
}
