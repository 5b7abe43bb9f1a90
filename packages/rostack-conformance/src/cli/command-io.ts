import type { Readable, Writable } from 'node:stream';
import type { Command } from 'commander';

/** The process that a command runs in. */
export interface CommandIo {
  /** How the program is called, for its help. Default: `rostack-conformance`. */
  readonly name?: string;
  /** The tokens, in the variables that options name. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** What `gateway-driver` is asked to do. */
  readonly stdin: Readable;
  /** Results, help and version. */
  readonly stdout: Writable;
  /** Messages for people. */
  readonly stderr: Writable;
  /** Ends the run when it is aborted. */
  readonly stop: AbortSignal;
}

/** Adds a command to the program. Its action resolves with the exit code; it never ends the process. */
export type RegisterCommand = (program: Command, io: CommandIo, exit: (code: number) => void) => void;
