import type { Readable, Writable } from 'node:stream';
import type { Command } from 'commander';
import type { CliIo } from '../command/command.ts';

/** Runs a command line of a program that reads its own arguments. @returns the exit code */
export type RunProgram = (argv: readonly string[], io: ProgramIo) => Promise<number>;

/** What a program of another package gets of the process; it escapes what it writes itself. */
interface ProgramIo {
  readonly name: string;
  readonly environment: CliIo['environment'];
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly stop: AbortSignal;
}

interface Program {
  /** Arguments, as the help shows them. */
  readonly takes: string;
  readonly description: string;
  /** Loads it: the other commands do without. */
  readonly load: () => Promise<RunProgram>;
}

/** The commands that are programs of other packages, in the order of the help. */
const PROGRAMS: Readonly<Record<string, Program>> = {
  explore: {
    takes: '<url>',
    description: 'show a server in the browser: its reference, its records and its live events',
    load: async () => (await import('rostack-explorer/cli')).runExplorerCommand,
  },
  mcp: {
    takes: '<url>',
    description: 'serve the data of a server to an MCP client, read-only',
    load: async () => (await import('rostack-mcp/cli')).runMcpCommand,
  },
  conformance: {
    takes: '[url]',
    description: 'say whether a server, or a client, keeps the protocol; exit code 1 when it does not',
    load: async () => (await import('rostack-conformance/cli')).runConformanceCommand,
  },
};

/** Adds the programs to the help; `runProgram` runs them. */
export function registerPrograms(program: Command): void {
  for (const [name, { takes, description }] of Object.entries(PROGRAMS)) {
    program.command(`${name} ${takes}`).description(description);
  }
}

/** Runs the program that a command line names. @returns its exit code; undefined where it names none */
export async function runProgram(argv: readonly string[], io: CliIo): Promise<number | undefined> {
  const [first = '', second = '', ...rest] = argv;
  const isHelp = first === 'help';
  const name = isHelp ? second : first;
  if (!Object.hasOwn(PROGRAMS, name)) return undefined;
  const run = await PROGRAMS[name]?.load();
  return run?.(isHelp ? [...rest, '--help'] : argv.slice(1), { ...io, name: `rostack ${name}` });
}
