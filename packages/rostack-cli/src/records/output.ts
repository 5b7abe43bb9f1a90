import { type Command, Option } from 'commander';
import {
  escapeLine,
  isPointer,
  type JsonObject,
  type JsonValue,
  parsePointer,
  resolvePointer,
} from 'rostack-core';
import { type CliIo, writeLine } from '../command/command.ts';

export interface OutputOptions {
  readonly output?: 'ndjson' | 'table';
}

/** Adds `--output` to a command. */
export function withOutput(command: Command): Command {
  return command.addOption(
    new Option('-o, --output <form>', 'ndjson: a JSON text a line; table: for people').choices([
      'ndjson',
      'table',
    ]),
  );
}

/** A table for a person at a terminal, otherwise lines of JSON. */
export const isTable = ({ output }: OutputOptions, { stdout }: CliIo): boolean =>
  output === undefined ? stdout.isTTY === true : output === 'table';

const MAX_COLUMN = 40;
const GAP = '  ';

/** Writes records as rows; the first page decides the columns and their widths. */
export class Table {
  readonly #io: CliIo;
  #columns: readonly { readonly name: string; readonly width: number }[] | undefined;

  /** @param names JSON Pointers of the columns; undefined: the members of the first records */
  readonly #names: readonly string[] | undefined;

  constructor(io: CliIo, names: readonly string[] | undefined) {
    this.#io = io;
    this.#names = names;
  }

  async write(records: readonly JsonObject[]): Promise<void> {
    if (this.#columns === undefined) {
      if (records.length === 0) return;
      this.#columns = this.#fit(records);
      await this.#row(this.#columns.map(({ name }) => escapeLine(name)));
    }
    for (const record of records) await this.#row(this.#columns.map(({ name }) => cell(record, name)));
  }

  #fit(records: readonly JsonObject[]) {
    const names = this.#names ?? [...new Set(records.flatMap((record) => Object.keys(record)))];
    return names.map((name) => {
      const widths = [escapeLine(name), ...records.map((record) => cell(record, name))].map(widthOf);
      return { name, width: Math.min(Math.max(...widths), MAX_COLUMN) };
    });
  }

  async #row(cells: readonly string[]): Promise<void> {
    const columns = this.#columns ?? [];
    const text = cells.map((content, at) => padded(content, columns[at]?.width ?? 0)).join(GAP);
    await writeLine(this.#io.stdout, text.trimEnd());
  }
}

function cell(record: JsonObject, name: string): string {
  const value =
    name.startsWith('/') && isPointer(name) ? resolvePointer(record, parsePointer(name)) : record[name];
  // Before its width is measured.
  return escapeLine(shown(value).replaceAll('\n', ' '));
}

const shown = (value: JsonValue | undefined): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);

function padded(text: string, width: number): string {
  const own = widthOf(text);
  if (own <= width) return text + ' '.repeat(width - own);
  let kept = '';
  for (const character of text) {
    if (widthOf(kept) + widthOf(character) > width - 1) break;
    kept += character;
  }
  return `${kept}…${' '.repeat(Math.max(0, width - widthOf(kept) - 1))}`;
}

// East Asian characters take two columns of a terminal.
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u;

const widthOf = (text: string): number =>
  Array.from(text).reduce((width, character) => width + (WIDE.test(character) ? 2 : 1), 0);
