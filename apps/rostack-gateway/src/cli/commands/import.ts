import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import type { ImplementedResource, Transition } from 'rostack-core';
import type { EventsByTransition } from 'rostack-store';
import { defineConfigured } from '../../config/model/configured-implementation.ts';
import type { GatewayConfig } from '../../config/model/gateway-config.ts';
import { ImportCheckpoint } from '../../import/import-checkpoint.ts';
import { fileInput, type ImportInput, streamInput } from '../../import/import-file.ts';
import type { ImportFormat, ImportReport } from '../../import/import-options.ts';
import { ImportProgressDisplay } from '../../import/import-progress.ts';
import { importRecords } from '../../import/import-records.ts';
import { NO_REJECTS, RejectsFile } from '../../import/rejects-file.ts';
import { errorMessage } from '../../text/error-message.ts';
import { sentenceOfFile } from '../../text/text-file.ts';
import {
  ANY_URL,
  CliFailure,
  type CliIo,
  type CommandIo,
  type ConfigOptions,
  openStore,
  type RegisterCommand,
  readConfigOption,
  UsageError,
  withConfigOption,
  writeLine,
} from './command.ts';

interface ImportCommandOptions {
  readonly format?: 'ndjson' | 'csv';
  readonly delimiter?: string;
  readonly rejects?: string;
  readonly dryRun: boolean;
  readonly deleteMissing: boolean;
  readonly despiteRefused: boolean;
  readonly restart: boolean;
  readonly event: readonly string[];
}

/** `import`: writes the records of a file into a resource. */
export const registerImport: RegisterCommand = (program, io) => {
  withConfigOption(describe(program.command('import <resource> <file>'))).action(
    async (resource: string, file: string, options: ImportCommandOptions & ConfigOptions) =>
      runImport(await readConfigOption(options, io), { resource, file, options, io }),
  );
};

function describe(command: Command): Command {
  return command
    .description('write the records of a file (- is standard input) into a resource; .gz files are unpacked')
    .option('--format <format>', 'ndjson or csv, where the name of the file does not say it', formatOption)
    .option(
      '--delimiter <character>',
      'the character between the cells of CSV; a comma by default',
      delimiterOption,
    )
    .option('--rejects <file>', 'write refused lines, with number and reason, to this file')
    .option('--dry-run', 'check everything and write nothing', false)
    .option('--delete-missing', 'at the end, delete the records that are not in the file', false)
    .option('--despite-refused', 'delete missing records even if lines were refused', false)
    .option('--event <name...>', 'the event to log, where a resource has several for a transition', [])
    .option('--restart', 'start from the beginning, even if an earlier run was stopped', false)
    .addHelpText(
      'after',
      `
A stopped or killed import goes on where it was when the same command runs again, unless the file has changed.
CSV: the first row names the fields, by name or by JSON Pointer (/location/height); cells take the types of the schema.
Exit codes: 0 all lines imported, 1 lines were refused or the import stopped, 2 wrong configuration or usage.`,
    );
}

function formatOption(value: string): 'ndjson' | 'csv' {
  if (value === 'ndjson' || value === 'csv') return value;
  throw new InvalidArgumentError('write ndjson or csv');
}

function delimiterOption(value: string): string {
  const character = value === '\\t' ? '\t' : value;
  if (/^[^"\r\n]$/.test(character)) return character;
  throw new InvalidArgumentError('write one character, such as ; or \\t');
}

interface Call {
  readonly resource: string;
  readonly file: string;
  readonly options: ImportCommandOptions;
  readonly io: CommandIo;
}

/** Makes a resource equal to a file: records that are not in the file are deleted. Refused lines are reported. */
export async function importFile(
  config: GatewayConfig,
  resource: string,
  file: string,
  io: CommandIo,
): Promise<void> {
  const options = { ...DEFAULTS, deleteMissing: true, restart: true };
  await runImport(config, { resource, file, options, io });
}

const DEFAULTS = { dryRun: false, despiteRefused: false, event: [] } as const;

async function runImport(config: GatewayConfig, { resource: name, file, options, io }: Call): Promise<void> {
  const format = formatOf(file, options);
  const input = file === '-' ? streamInput(io.stdin) : await inputOf(file);
  const resource = writableResource(config, name);
  await using opened = await openStore(config, io, [resource]);
  const progress = new ImportProgressDisplay(io.bar, input, io.nowMs);
  await using rejects = options.rejects === undefined ? undefined : new RejectsFile(options.rejects);
  using checkpoint = openCheckpoint(config, { name, input, options });
  const report = await importRecords({
    store: opened.store,
    resource,
    input,
    format,
    checkpoint,
    rejects: rejects ?? NO_REJECTS,
    maxRecordBytes: config.store.maxRecordBytes,
    dryRun: options.dryRun,
    events: eventsByTransition(resource, options.event),
    deleteMissing: options.deleteMissing ? { despiteRefused: options.despiteRefused } : undefined,
    onProgress: (counts) => progress.update(counts),
    stop: io.stop,
  }).finally(() => progress.end());
  if (report.isComplete) checkpoint.remove();
  printReport(report, options, io);
}

/** @throws UsageError if a name is unknown, or two are for the same transition */
function eventsByTransition(
  { name, events }: ImplementedResource,
  chosen: readonly string[],
): EventsByTransition {
  const byTransition: { [Kind in Transition]?: string } = {};
  for (const event of chosen) {
    const transition = events.get(event)?.transition;
    if (transition === undefined) {
      throw new UsageError(`${name} has no event ${event}: name one of ${[...events.keys()].join(', ')}`);
    }
    if (byTransition[transition] !== undefined) {
      throw new UsageError(
        `${byTransition[transition]} and ${event} are both for ${transition}: name one of them`,
      );
    }
    byTransition[transition] = event;
  }
  return byTransition;
}

function formatOf(file: string, { format, delimiter }: ImportCommandOptions): ImportFormat {
  const name = file.replace(/\.gz$/, '').toLowerCase();
  const isTabs = name.endsWith('.tsv');
  const kind =
    format ??
    (isTabs || name.endsWith('.csv') ? 'csv' : /\.(?:ndjson|jsonl)$/.test(name) ? 'ndjson' : undefined);
  if (kind === 'csv') return { kind, delimiter: delimiter ?? (isTabs ? '\t' : ',') };
  if (delimiter !== undefined) throw new UsageError('--delimiter is for CSV: add --format csv');
  if (kind === 'ndjson') return { kind };
  throw new UsageError(
    `the format of ${file} is not clear from its name: add --format ndjson or --format csv`,
  );
}

async function inputOf(file: string): Promise<ImportInput> {
  try {
    return await fileInput(file);
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${sentenceOfFile(error) ?? errorMessage(error)}`);
  }
}

function openCheckpoint(
  { dataDir }: GatewayConfig,
  { name, input, options }: { name: string; input: ImportInput; options: ImportCommandOptions },
): ImportCheckpoint {
  const key = createHash('sha256')
    .update(`${name}\0${input.identity ?? randomUUID()}`)
    .digest('hex')
    .slice(0, 32);
  const suffix = options.dryRun ? '.dry-run' : '';
  const checkpoint = new ImportCheckpoint(join(dataDir, 'imports', `${key}${suffix}.db`), {
    isResumable: input.identity !== undefined,
  });
  if (options.restart) checkpoint.clear();
  return checkpoint;
}

function printReport(report: ImportReport, options: ImportCommandOptions, io: CliIo): void {
  const { counts, deleted, notDeleted, resumedAfterLine, isComplete } = report;
  const { lines, created, updated, unchanged, refused } = counts;
  const would = options.dryRun ? 'would be ' : '';
  if (resumedAfterLine !== undefined) writeLine(io.stderr, `resumed after line ${resumedAfterLine}`);
  const written = `${would}created ${created}, ${would}updated ${updated}, unchanged ${unchanged}`;
  const deletions = deleted === undefined ? '' : `, ${would}deleted ${deleted}`;
  writeLine(io.stdout, `records ${lines}: ${written}, refused ${refused}${deletions}`);
  if (!isComplete) throw new CliFailure('stopped: run the same command again to continue');
  if (notDeleted === 'cut_off') {
    throw new CliFailure(
      'nothing was deleted, because the file ends within a quoted cell: export it again, it may be cut off',
    );
  }
  if (notDeleted === 'lines_refused') {
    throw new CliFailure(
      'nothing was deleted, because lines were refused: correct them, or add --despite-refused',
    );
  }
  if (notDeleted === 'no_records') {
    throw new CliFailure('nothing was deleted, because the file has no record that could be imported');
  }
  if (refused > 0) {
    const where = options.rejects === undefined ? 'add --rejects FILE to see them' : `see ${options.rejects}`;
    throw new CliFailure(`${refused} of ${lines} records were refused: ${where}`);
  }
}

/** The resource to write. @throws UsageError if there is none of that name, or a table feeds it */
function writableResource(config: GatewayConfig, name: string): ImplementedResource {
  const resource = Object.hasOwn(config.resources, name)
    ? defineConfigured(config, ANY_URL).resources[name]
    : undefined;
  if (resource === undefined) {
    throw new UsageError(
      `there is no resource ${name}: name one of ${Object.keys(config.resources).join(', ')}`,
    );
  }
  const table = config.resources[name]?.source?.table;
  if (table !== undefined) throw new UsageError(`${name} comes from the table ${table}: write to that table`);
  return resource;
}
