import type { JsonObject } from 'rostack-core';
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

/** Reads the JSON object of a line. */
export function parseObject(text: string): { readonly record: JsonObject } | { readonly fault: LineFault } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { fault: { code: 'line_not_json', message: `the line is not JSON: ${reason}` } };
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return { record: value as JsonObject };
  return { fault: { code: 'line_not_json', message: 'the line is JSON, but not an object' } };
}
