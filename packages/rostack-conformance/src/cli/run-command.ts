import { Command, CommanderError } from 'commander';
import { escapedOutput, hasCode } from 'rostack-core';
import type { KitError, KitErrorCode } from '../base/kit-error.ts';
import { kitVersion } from '../report/report.ts';
import { registerCheck } from './check-command.ts';
import { registerClient } from './client-command.ts';
import type { CommandIo, RegisterCommand } from './command-io.ts';
import { registerGatewayDriver } from './gateway-driver-command.ts';

const COMMANDS: readonly RegisterCommand[] = [registerCheck, registerClient, registerGatewayDriver];

const USAGE: readonly KitErrorCode[] = ['usage', 'unknown_requirement'];

/**
 * Runs one command line: checks a server or a client, or drives a gateway. It never ends the process.
 * @param argv without the names of the program
 * @returns the exit code: 0 if nothing is broken, 1 if something is or the run failed, 2 for wrong usage
 */
export async function runConformanceCommand(argv: readonly string[], process: CommandIo): Promise<number> {
  // What is written comes from the target: nothing of it may control the terminal.
  const io = { ...process, stdout: escapedOutput(process.stdout), stderr: escapedOutput(process.stderr) };
  let exitCode = 0;
  const program = new Command(process.name ?? 'rostack-conformance')
    .version(kitVersion().version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .showHelpAfterError('(add --help for the usage)')
    // Options after the name of a command belong to that command.
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
    // Help, version and wrong usage: Commander has already printed them.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    io.stderr.write(`error: ${error instanceof Error ? error.message : String(error)}\n`);
    if (!hasCode<KitError>(error, ...USAGE)) return 1;
    io.stderr.write('(add --help for the usage)\n');
    return 2;
  }
}
