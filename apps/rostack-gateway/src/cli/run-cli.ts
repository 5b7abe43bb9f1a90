import { Command, CommanderError } from 'commander';
import { escapedOutput } from 'rostack-core';
import { ConfigError } from '../config/fault/config-error.ts';
import { errorMessage } from '../text/error-message.ts';
import { packageVersion } from '../text/package-version.ts';
import { registerAttach, registerDetach } from './commands/attach.ts';
import {
  type CliIo,
  type CommandIo,
  QuarantineError,
  type RegisterCommand,
  UsageError,
  writeLine,
} from './commands/command.ts';
import { registerBackup, registerRenewEpoch, registerRestore } from './commands/database.ts';
import { registerDiff } from './commands/diff.ts';
import { registerGrants } from './commands/grants.ts';
import { registerImport } from './commands/import.ts';
import { registerServe } from './commands/serve.ts';
import { registerStart } from './commands/start.ts';
import { registerStatus } from './commands/status.ts';
import { registerToken } from './commands/token.ts';
import { registerCheckConfig, registerInit } from './configuration.ts';

const EXIT_CODES = { ok: 0, failed: 1, usage: 2, quarantined: 3 } as const;

/** Every command, in the order of the help. */
const COMMANDS: readonly RegisterCommand[] = [
  registerServe,
  registerInit,
  registerCheckConfig,
  registerStart,
  registerStatus,
  registerToken,
  registerImport,
  registerAttach,
  registerDetach,
  registerGrants,
  registerBackup,
  registerRestore,
  registerRenewEpoch,
  registerDiff,
];

/**
 * Runs one command line, without the names of the program.
 * @returns the exit code: 0 ok, 1 failed, 2 wrong configuration or usage, 3 attached with rows in quarantine
 */
export async function runCli(argv: readonly string[], process: CliIo): Promise<number> {
  // Output may contain texts of databases, files and servers, which must not control the terminal.
  const [stdout, stderr] = [escapedOutput(process.stdout), escapedOutput(process.stderr)];
  const io: CommandIo = { ...process, stdout, stderr, bar: process.stderr };
  try {
    await createProgram(io).parseAsync(argv, { from: 'user' });
    return EXIT_CODES.ok;
  } catch (error) {
    // Help, version and wrong usage: Commander has already printed them.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT_CODES.ok : EXIT_CODES.usage;
    const isConfig = error instanceof ConfigError;
    writeLine(io.stderr, isConfig ? error.message : `error: ${errorMessage(error)}`);
    if (error instanceof QuarantineError) return EXIT_CODES.quarantined;
    return isConfig || error instanceof UsageError ? EXIT_CODES.usage : EXIT_CODES.failed;
  }
}

function createProgram(io: CommandIo): Command {
  const program = new Command('rostack-gateway')
    .description('Serves data by rostack_v1: JSON API, WebSocket gateway, documentation.')
    .version(packageVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [command]', 'print help of a command')
    .addHelpText(
      'after',
      '\nExit codes: 0 ok, 1 failed, 2 wrong configuration or usage, 3 attached, but rows are in quarantine.',
    )
    .showHelpAfterError('(add --help for the usage)');
  // Commands inherit these only if the program has them before the commands are added.
  program.exitOverride().configureOutput({
    writeOut: (text) => void io.stdout.write(text),
    writeErr: (text) => void io.stderr.write(text),
  });
  for (const register of COMMANDS) register(program, io);
  return program;
}
