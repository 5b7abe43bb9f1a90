import { compareImplementations, type DescribedImplementation } from 'rostack-core';
import { type LoadOptions, loadImplementation } from '../../config/compatibility/load-implementation.ts';
import { describeChange } from '../../config/compatibility/served-document.ts';
import { loadConfig } from '../../config/load-config.ts';
import { defineConfigured } from '../../config/model/configured-implementation.ts';
import { errorMessage } from '../../text/error-message.ts';
import { readTextFile } from '../../text/text-file.ts';
import { ANY_URL, CliFailure, type CliIo, type RegisterCommand, UsageError, writeLine } from './command.ts';

const TIMEOUT_MS = 10_000;

interface DiffOptions {
  readonly ca?: string;
}

/** `diff`: breaking changes between two versions of an implementation. */
export const registerDiff: RegisterCommand = (program, io) => {
  program
    .command('diff <old> <new>')
    .description(
      'print breaking changes between two implementations: URLs of servers or discovery documents, files of these (JSON), or configurations (YAML)',
    )
    .option('--ca <file>', 'trust this certificate (PEM) too, such as a development certificate')
    .addHelpText(
      'after',
      '\nExit codes: 0 no breaking change, or the API version has changed; 1 it should have changed; 2 one of the two cannot be read.',
    )
    .action((before: string, after: string, options: DiffOptions) => diff([before, after], options, io));
};

async function diff(places: readonly [string, string], { ca }: DiffOptions, io: CliIo): Promise<void> {
  const authorities = ca === undefined ? undefined : await read(readTextFile(ca));
  const options = { authorities, timeoutMs: TIMEOUT_MS, signal: io.stop };
  const before = await read(load(places[0], options, io));
  const after = await read(load(places[1], options, io));
  const { breakingChanges, hasNewApiVersion, isCompatible } = compareImplementations(before, after);
  for (const change of breakingChanges) writeLine(io.stdout, describeChange(change));
  const { api_version: version } = after.discovery.implementation;
  if (!isCompatible) {
    throw new CliFailure(
      `${breakingChanges.length} breaking changes, and the API version is still ${version}: it should change`,
    );
  }
  const versions = hasNewApiVersion ? `, and the API version has changed to ${version}` : '';
  writeLine(io.stderr, `${breakingChanges.length || 'no'} breaking changes${versions}`);
}

async function load(
  place: string,
  options: LoadOptions,
  { environment }: CliIo,
): Promise<DescribedImplementation> {
  if (!/\.ya?ml$/i.test(place)) return loadImplementation(place, options);
  const config = await loadConfig(place, { environment });
  return defineConfigured(config, config.publicUrl ?? ANY_URL);
}

/** A version that cannot be read is a usage error. */
async function read<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    throw new UsageError(errorMessage(error));
  }
}
