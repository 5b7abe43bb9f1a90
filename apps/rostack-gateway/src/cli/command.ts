import type { Readable, Writable } from 'node:stream';
import type { Command } from 'commander';

/** What a command has of the process around it. */
export interface CliIo {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable;
  /** What the command is asked for, nothing else: it may be piped on. */
  readonly stdout: Writable;
  /** Messages for people, and logs. */
  readonly stderr: Writable;
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
  /** Aborted by SIGINT and SIGTERM: end in good order. */
  readonly stop: AbortSignal;
  /** Calls back at each SIGHUP until the returned function is called. */
  readonly onReload: (reload: () => void) => () => void;
}

/**
 * One command of `rostack-gateway`, in a file of its own in `commands/` and a line of `command-table.ts`: adds itself, its arguments
 * and options to the program. Its action writes to `io`, throws `CliFailure` (or an error with a message for people) to end with
 * exit code 1, and `UsageError` or `ConfigError` to end with 2; it never calls `process.exit`.
 */
export type RegisterCommand = (program: Command, io: CliIo) => void;

/** Writes a line. */
export function writeLine(stream: Writable, line: string): void {
  stream.write(`${line}\n`);
}
