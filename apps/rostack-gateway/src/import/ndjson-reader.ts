import { type JsonObject, parseStrictJson, StrictJsonError } from 'rostack-core';
import { type Line, LineSplitter } from '../lines/line-splitter.ts';
import type { ImportedLine, LineFault, LineReader, ReaderStart } from './imported-line.ts';

/** One JSON object on each line. */
export class NdjsonReader implements LineReader {
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

const NO_OBJECT: LineFault = { code: 'line_not_json', message: 'the line is JSON, but not an object' };

/**
 * Reads the JSON object of a line. What would not come out as it was written is a fault.
 * @param recordAt JSON Pointer of the record in the line; faults in it are `record_invalid`, with a pointer that begins there
 */
export function parseObject(
  text: string,
  recordAt = '',
): { readonly record: JsonObject } | { readonly fault: LineFault } {
  let value: unknown;
  try {
    value = parseStrictJson(text);
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    return { fault: faultOf(error, recordAt) };
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return { record: value as JsonObject };
  return { fault: NO_OBJECT };
}

function faultOf({ fault: { check, path, message }, cause }: StrictJsonError, recordAt: string): LineFault {
  if (check === 'json') {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return { code: 'line_not_json', message: `the line is not JSON: ${reason}` };
  }
  if (path === '') return NO_OBJECT;
  const isInRecord = path.startsWith(`${recordAt}/`);
  const pointer = isInRecord ? path.slice(recordAt.length) : path;
  const code = isInRecord ? 'record_invalid' : 'change_malformed';
  return { code, pointer, message: `${pointer}: ${message}` };
}
