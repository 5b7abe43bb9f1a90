import type { Readable, Writable } from 'node:stream';
import type { Command } from 'commander';

/** The process that a command runs in. */
export interface CliIo {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** Aborted by SIGINT and SIGTERM. */
  readonly stop: AbortSignal;
}

/** Adds a command to the program. Its action resolves with the exit code; it never ends the process. */
export type RegisterCommand = (program: Command, io: CliIo, exit: (code: number) => void) => void;
