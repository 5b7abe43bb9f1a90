import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { type CatalogueTable, shownName } from './catalogue/catalogue.ts';
import { ChoiceError, columnsOf, suggestColumns } from './choose-columns.ts';

const NO_TABLE = 'none';

export interface Terminal {
  readonly stdin: Readable;
  readonly stderr: Writable;
  readonly stop: AbortSignal;
}

/**
 * Shows each table with its columns and asks which of them to publish: Enter publishes the marked columns, `none` leaves the table out. The
 * result contains no tables that were left out.
 */
export async function askColumns(
  tables: readonly CatalogueTable[],
  { stdin, stderr, stop }: Terminal,
): Promise<ReadonlyMap<CatalogueTable, readonly string[]>> {
  const chosen = new Map<CatalogueTable, readonly string[]>();
  const lines = createInterface({ input: stdin, signal: stop });
  const answers = lines[Symbol.asyncIterator]();
  const ask = async (): Promise<string> => {
    stderr.write(`columns to publish [Enter: those with x; names with commas; ${NO_TABLE}]: `);
    const { value, done } = await answers.next();
    if (done === true) throw new ChoiceError('no answer, so nothing is published');
    return value.trim();
  };
  try {
    for (const table of tables) {
      stderr.write(`\n${describeTable(table).join('\n')}\n`);
      const columns = await askUntilRight(table, ask, stderr);
      if (columns !== undefined) chosen.set(table, columns);
    }
  } finally {
    lines.close();
  }
  if (chosen.size === 0) throw new ChoiceError('no table was chosen, so there is nothing to publish');
  return chosen;
}

async function askUntilRight(
  table: CatalogueTable,
  ask: () => Promise<string>,
  stderr: Writable,
): Promise<readonly string[] | undefined> {
  for (;;) {
    const answer = await ask();
    if (answer === NO_TABLE) return undefined;
    const { columns, keyReason } = suggestColumns(table);
    if (answer === '') return keyReason === undefined ? columns : undefined;
    try {
      return columnsOf(table, answer);
    } catch (error) {
      if (!(error instanceof ChoiceError)) throw error;
      stderr.write(`${error.message}\n`);
    }
  }
}

/** Lines that show a table, its columns, and which of them are suggested. */
export function describeTable(table: CatalogueTable): readonly string[] {
  const { left, keyReason } = suggestColumns(table);
  const reasons = new Map(left.map(({ column, reason }) => [column, reason]));
  const width = Math.max(...table.columns.map(({ name }) => name.length));
  const rows = table.rowCount === undefined ? '' : `, about ${table.rowCount} rows`;
  return [
    `${shownName(table)}${rows}, key ${table.key.join(', ')}`,
    ...(keyReason === undefined ? [] : [`  left out unless its columns are named: ${keyReason}`]),
    ...table.columns.map(({ name, type }) => {
      const reason = reasons.get(name);
      const mark = reason === undefined ? 'x' : ' ';
      return `  [${mark}] ${name.padEnd(width)}  ${type}${reason === undefined ? '' : ` (${reason})`}`;
    }),
  ];
}
