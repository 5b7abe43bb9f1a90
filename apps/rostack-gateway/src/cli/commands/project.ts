import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Option } from 'commander';
import { publishedConfigSchema } from '../../config/model/config-schema.ts';
import { askColumns, describeTable } from '../../publish/ask-columns.ts';
import { type CatalogueTable, shownName } from '../../publish/catalogue/catalogue.ts';
import { rightsBlock } from '../../publish/catalogue/postgres-rights.ts';
import { chooseTables, chosenColumns, optionFor, suggestColumns } from '../../publish/choose-columns.ts';
import type { DataSource } from '../../publish/data-source.ts';
import { type Project, projectFiles } from '../../publish/project-files.ts';
import {
  proposeFileResource,
  proposeResource,
  resourceNameOf,
  resourceNames,
} from '../../publish/propose-resource.ts';
import { CliFailure, type CommandIo, DEFAULT_CONFIG_FILE, UsageError, writeLine } from './command.ts';

/** File that helps editors with the configuration. */
export const CONFIG_SCHEMA_FILE = 'rostack-gateway.schema.json';
export const DEFAULT_SERVE_PORT = 8080;

export const tableOption = (): Option =>
  new Option('-t, --table <names>', 'tables to publish, with commas; others stay out (default: all)');
export const columnsOption = (): Option =>
  new Option(
    '--columns <choice...>',
    'columns that may be seen: TABLE=a,b for each table, or `suggested` for all that do not look personal',
  );

/** The command line's options about what to publish. */
export interface ProjectOptions {
  readonly table?: string;
  readonly columns?: readonly string[];
  readonly port?: number;
}

/** Splits names at commas; none for a missing option. */
export const namesOf = (written: string | undefined): readonly string[] =>
  (written ?? '').split(',').filter((name) => name !== '');

/** The project for a database: its tables, and the columns that the user has named or confirmed. @throws UsageError without either */
export async function planProject(
  source: DataSource,
  options: ProjectOptions,
  io: CommandIo,
): Promise<Project> {
  const tables = chooseTables(
    source.tables,
    (options.table ?? '').split(',').filter((name) => name !== ''),
  );
  for (const table of source.tables) {
    if (options.table === undefined && table.fault !== undefined)
      writeLine(io.stderr, `${shownName(table)} ${table.fault}, so it is left out`);
  }
  const chosen = await columnsFor(tables, options, io);
  const rights = await source.rights([...chosen.keys()]);
  if (rights.missing.length > 0) {
    throw new CliFailure(
      `the role ${rights.role} lacks what publishing needs: ${rights.missing.join('; ')}\n\n${rightsBlock(rights)}`,
    );
  }
  const names = resourceNames([...chosen.keys()]);
  const propose = source.storeUrl === undefined ? proposeFileResource : proposeResource;
  return {
    id: resourceNameOf(source.name),
    name: source.name,
    port: options.port ?? DEFAULT_SERVE_PORT,
    storeUrl: source.storeUrl,
    resources: [...chosen].map(([table, columns]) => propose(table, names.get(table) ?? table.name, columns)),
  };
}

async function columnsFor(
  tables: readonly CatalogueTable[],
  { columns }: ProjectOptions,
  io: CommandIo,
): Promise<ReadonlyMap<CatalogueTable, readonly string[]>> {
  if (columns !== undefined) {
    const chosen = chosenColumns(tables, columns);
    for (const line of [...leftOut(chosen), ...tablesLeftOut(tables, chosen)]) writeLine(io.stderr, line);
    return chosen;
  }
  if ('isTTY' in io.stdin && io.stdin.isTTY === true) return askColumns(tables, io);
  const shown = tables.flatMap(describeTable);
  throw new UsageError(
    `say which columns may be seen: what is published cannot be taken back. These are the tables; those without x look personal:\n${shown.join('\n')}\n\nTo take those with x, add --columns suggested, or one by one:\n  ${tables
      .filter((table) => suggestColumns(table).keyReason === undefined)
      .map(optionFor)
      .join(' \\\n  ')}`,
  );
}

/** The columns that were not chosen, and why, one line per table. */
function leftOut(chosen: ReadonlyMap<CatalogueTable, readonly string[]>): readonly string[] {
  return [...chosen].flatMap(([table, columns]) => {
    const reasons = new Map(suggestColumns(table).left.map(({ column, reason }) => [column, reason]));
    const left = table.columns
      .filter(({ name }) => !columns.includes(name) && !(table.key.length === 1 && table.key[0] === name))
      .map(({ name }) => (reasons.has(name) ? `${name} (${reasons.get(name) ?? ''})` : name));
    return left.length === 0 ? [] : [`${shownName(table)}: not published: ${left.join(', ')}`];
  });
}

/** Tables that were not suggested because their key looks personal. */
function tablesLeftOut(
  tables: readonly CatalogueTable[],
  chosen: ReadonlyMap<CatalogueTable, unknown>,
): readonly string[] {
  return tables
    .filter((table) => !chosen.has(table))
    .map((table) => `${shownName(table)}: left out, ${suggestColumns(table).keyReason ?? 'not named'}`);
}

/** Writes a project; existing files stay as they are. */
export async function writeProject(folder: string, project: Project, io: CommandIo): Promise<void> {
  const schema = { path: CONFIG_SCHEMA_FILE, text: `${JSON.stringify(publishedConfigSchema(), null, 2)}\n` };
  for (const { path, text } of [...projectFiles(project, DEFAULT_CONFIG_FILE), schema]) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    try {
      await writeFile(file, text, { flag: 'wx' });
      writeLine(io.stderr, `wrote ${file}`);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
      writeLine(io.stderr, `${file} is there already and stays as it is`);
    }
  }
}
