import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { escapedOutput, parseTrustedJson } from 'rostack-core';
import type { CliIo, RegisterCommand } from './command/command.ts';
import { registerDescriptions } from './describe/describe.ts';
import { registerDoctor } from './doctor/doctor.ts';
import { registerMirror } from './mirror/mirror.ts';
import { registerPrograms, runProgram } from './programs/programs.ts';
import { registerFollow } from './records/follow.ts';
import { registerGet } from './records/get.ts';
import { registerList } from './records/list.ts';

const EXIT_CODES = { ok: 0, failed: 1, usage: 2, notFound: 3 } as const;

/** Codes of errors that are mistakes in the command. */
const USAGE_CODES: ReadonlySet<unknown> = new Set([
  'invalid_options',
  'invalid_filter',
  'unsupported_filter',
]);

/** The commands, in the order of the help. */
const COMMANDS: readonly RegisterCommand[] = [
  registerList,
  registerGet,
  registerFollow,
  registerMirror,
  registerDoctor,
  registerDescriptions,
  registerPrograms,
];

/**
 * Runs one command line, without the names of the program.
 * @returns the exit code: 0 ok, 1 failed, 2 wrong usage, 3 no such record
 */
export async function runCli(argv: readonly string[], process: CliIo): Promise<number> {
  const io = { ...process, stdout: escapedOutput(process.stdout), stderr: escapedOutput(process.stderr) };
  try {
    const exitCode = await runProgram(argv, process);
    if (exitCode !== undefined) return exitCode;
    await createProgram(io).parseAsync(argv, { from: 'user' });
    return EXIT_CODES.ok;
  } catch (error) {
    // Help, version and wrong usage: Commander has printed them already.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT_CODES.ok : EXIT_CODES.usage;
    const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
    io.stderr.write(`error: ${typeof message === 'string' ? message : String(error)}\n`);
    if (code === 'not_found') return EXIT_CODES.notFound;
    return USAGE_CODES.has(code) ? EXIT_CODES.usage : EXIT_CODES.failed;
  }
}

function createProgram(io: CliIo): Command {
  const program = new Command('rostack')
    .description('Reads, follows, mirrors, shows, describes and checks any rostack_v1 server.')
    .version(packageVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [command]', 'print help of a command')
    .addHelpText(
      'after',
      '\nExit codes: 0 ok, 1 failed (doctor, conformance: something is wrong), 2 wrong usage, 3 no such record.',
    )
    .showHelpAfterError('(add --help for the usage)');
  // Commands inherit these settings only if the program has them before they are added.
  program.exitOverride().configureOutput({
    writeOut: (text) => void io.stdout.write(text),
    writeErr: (text) => void io.stderr.write(text),
  });
  for (const register of COMMANDS) register(program, io);
  return program;
}

function packageVersion(): string {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (parseTrustedJson(manifest) as { readonly version: string }).version;
}
