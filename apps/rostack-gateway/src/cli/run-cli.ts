import { Command } from 'commander';
import type { CliIo } from './command.ts';
import { writeLine } from './command.ts';
import { COMMANDS } from './command-table.ts';
import { describeFailure, EXIT_CODES } from './exit-code.ts';
import { packageVersion } from './package-version.ts';

/**
 * Runs one command line, without the names of the program.
 * @returns the exit code: 0 ok, 1 failed, 2 wrong configuration or usage
 */
export async function runCli(argv: readonly string[], io: CliIo): Promise<number> {
  try {
    await createProgram(io).parseAsync(argv, { from: 'user' });
    return EXIT_CODES.ok;
  } catch (error) {
    const { exitCode, message } = describeFailure(error);
    if (message !== undefined) writeLine(io.stderr, message);
    return exitCode;
  }
}

function createProgram(io: CliIo): Command {
  const program = new Command('rostack-gateway')
    .description('Serves data by rostack_v1: JSON API, WebSocket gateway, documentation.')
    .version(packageVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [command]', 'print help of a command')
    .addHelpText('after', '\nExit codes: 0 ok, 1 failed, 2 wrong configuration or usage.')
    .showHelpAfterError('(add --help for the usage)');
  // Commands inherit these only from a program that has them when they are added.
  program.exitOverride().configureOutput({
    writeOut: (text) => void io.stdout.write(text),
    writeErr: (text) => void io.stderr.write(text),
  });
  for (const register of COMMANDS) register(program, io);
  return program;
}
