import { defineError } from 'rostack-core';
import { type CatalogueTable, shownName } from './catalogue/catalogue.ts';
import { personalReason } from './personal-columns.ts';

/** The columns suggested for a table, and why the others are not. */
export interface Suggestion {
  readonly columns: readonly string[];
  readonly left: readonly { readonly column: string; readonly reason: string }[];
  /** Why the table is not suggested at all: its key, which every record needs, looks personal. */
  readonly keyReason: string | undefined;
}

/** Used instead of names: selects the suggested columns. */
const SUGGESTED = 'suggested';

/** A mistake in `--table` or `--columns`; the message says what to write. */
export class ChoiceError extends defineError('ChoiceError', 'choice_invalid', false) {}

/** Suggests all columns except those that look personal and those that no record can hold. */
export function suggestColumns({ columns, key }: CatalogueTable): Suggestion {
  const left = columns.flatMap(({ name, schema }) => {
    const personal = personalReason(name);
    const reason = schema === undefined ? 'no record can hold it' : personal && `looks personal: ${personal}`;
    return reason === undefined ? [] : [{ column: name, reason }];
  });
  const names = new Set(left.map(({ column }) => column));
  const personalKey = key.find((name) => personalReason(name) !== undefined);
  return {
    columns: columns.map(({ name }) => name).filter((name) => !names.has(name)),
    left,
    keyReason: personalKey && `its key ${personalKey} looks personal, and no record is without its key`,
  };
}

/**
 * The tables that `--table` names, or all that can be published.
 * @throws ChoiceError for a table that does not exist or cannot be published
 */
export function chooseTables(
  tables: readonly CatalogueTable[],
  wanted: readonly string[],
): readonly CatalogueTable[] {
  const usable = tables.filter(({ fault, isPartition }) => fault === undefined && !isPartition);
  if (wanted.length > 0) return wanted.map((name) => usableTable(tables, name));
  if (usable.length > 0) return usable;
  const faults = tables.map((table) => `${shownName(table)} ${table.fault ?? ''}`);
  throw new ChoiceError(
    tables.length === 0
      ? 'the database has no table that this role can see'
      : `no table can be published: ${faults.join('; ')}`,
  );
}

function usableTable(tables: readonly CatalogueTable[], name: string): CatalogueTable {
  const table = tables.find(
    (each) => shownName(each) === name || `${each.schema ?? 'main'}.${each.name}` === name,
  );
  if (table === undefined) {
    throw new ChoiceError(`there is no table ${name}; choose from ${tables.map(shownName).join(', ')}`);
  }
  if (table.fault !== undefined) throw new ChoiceError(`the table ${name} ${table.fault}`);
  return table;
}

/**
 * The columns that `--columns` names for each table: `orders=id,status`, `id,status` if there is one table, or `suggested`.
 * @throws ChoiceError for a table or column that does not exist, and for a table without columns
 */
export function chosenColumns(
  tables: readonly CatalogueTable[],
  written: readonly string[],
): ReadonlyMap<CatalogueTable, readonly string[]> {
  const chosen = new Map<CatalogueTable, readonly string[]>();
  const left = new Set<CatalogueTable>();
  for (const choice of written) {
    const equals = choice.indexOf('=');
    const of =
      equals === -1 ? tables : tables.filter((table) => shownName(table) === choice.slice(0, equals));
    const names = choice.slice(equals + 1);
    if (of.length === 0) {
      throw new ChoiceError(
        `--columns ${choice} names no table that is published: ${tables.map(shownName).join(', ')}`,
      );
    }
    if (equals === -1 && names !== SUGGESTED && of.length > 1)
      throw new ChoiceError(ofWhichTable(choice, tables));
    for (const table of of) {
      // Such a key has to be named explicitly.
      if (names === SUGGESTED && equals === -1 && suggestColumns(table).keyReason !== undefined)
        left.add(table);
      else chosen.set(table, columnsOf(table, names));
    }
  }
  const silent = tables.find((table) => !chosen.has(table) && !left.has(table));
  if (silent !== undefined) {
    throw new ChoiceError(`--columns names no columns of ${shownName(silent)}; add ${optionFor(silent)}`);
  }
  if (chosen.size === 0)
    throw new ChoiceError(
      `nothing is left to publish: ${[...left].map((table) => `${shownName(table)}: ${suggestColumns(table).keyReason ?? ''}`).join('; ')}`,
    );
  return chosen;
}

/** The `--columns` that accepts the suggestion for a table. */
export function optionFor(table: CatalogueTable): string {
  return `--columns ${quotedForShell(`${shownName(table)}=${suggestColumns(table).columns.join(',')}`)}`;
}

const quotedForShell = (text: string): string =>
  /^[\w=,.@%+:/-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

const ofWhichTable = (choice: string, tables: readonly CatalogueTable[]): string =>
  `--columns ${choice} does not say of which table; write TABLE=${choice}, with one of ${tables.map(shownName).join(', ')}`;

/** @throws ChoiceError for a column that does not exist, or that no record can hold */
export function columnsOf(table: CatalogueTable, names: string): readonly string[] {
  if (names === SUGGESTED) return suggestColumns(table).columns;
  const known = table.columns.filter(({ schema }) => schema !== undefined).map(({ name }) => name);
  const wanted = names.split(',').map((name) => name.trim());
  const unknown = wanted.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new ChoiceError(
      `${shownName(table)} has no column ${JSON.stringify(unknown)} that can be published; it has ${known.join(', ')}`,
    );
  }
  return wanted;
}
