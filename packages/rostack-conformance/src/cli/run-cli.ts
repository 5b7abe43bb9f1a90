import { Command, CommanderError } from 'commander';
import { hasCode } from 'rostack-core';
import type { KitError, KitErrorCode } from '../error/kit-error.ts';
import { kitVersion } from '../report/report.ts';
import { registerCheck } from './check-command.ts';
import type { CliIo, RegisterCommand } from './cli-io.ts';
import { registerClient } from './client-command.ts';
import { registerGatewayDriver } from './gateway-driver-command.ts';

const COMMANDS: readonly RegisterCommand[] = [registerCheck, registerClient, registerGatewayDriver];

const USAGE: readonly KitErrorCode[] = ['usage', 'unknown_requirement'];

/**
 * Runs one command line, without the names of the program.
 * @returns the exit code: 0 where nothing is broken, 1 where something is or the run could not be done, 2 for wrong usage
 */
export async function runCli(argv: readonly string[], io: CliIo): Promise<number> {
  let exitCode = 0;
  const program = new Command('rostack-conformance')
    .version(kitVersion().version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .showHelpAfterError('(add --help for the usage)')
    // What comes after the name of a command is for the command.
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
    });
  for (const register of COMMANDS) {
    register(program, io, (code) => {
      exitCode = code;
    });
  }
  try {
    await program.parseAsync(argv, { from: 'user' });
    return exitCode;
  } catch (error) {
    // Help, version and wrong usage: Commander has printed them already.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    io.stderr.write(`rostack-conformance: ${error instanceof Error ? error.message : String(error)}\n`);
    return hasCode<KitError>(error, ...USAGE) ? 2 : 1;
  }
}
