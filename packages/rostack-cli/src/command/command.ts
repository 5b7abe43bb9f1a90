import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import type { Command } from 'commander';

/** The process that a command runs in. What is written comes from servers: `runCli` escapes what could control a terminal. */
export interface CliIo {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** What an MCP client, or a driver of `conformance`, writes. */
  readonly stdin: Readable;
  /** Results only, so that they can be piped. */
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  /** Messages for people. */
  readonly stderr: Writable;
  /** Aborted by SIGINT and SIGTERM: end cleanly. */
  readonly stop: AbortSignal;
}

/** Adds a command to the program. Its action throws to exit with another code than 0; it never calls `process.exit`. */
export type RegisterCommand = (program: Command, io: CliIo) => void;

/** There is no such record, or the principal may not see it. */
export class NotFoundError extends Error {
  override readonly name = 'NotFoundError';
  readonly code = 'not_found';
  readonly retryable = false;
}

/** The command could not do what was asked; the message is for people. */
export class CliFailure extends Error {
  override readonly name = 'CliFailure';
  readonly code = 'command_failed';
  readonly retryable = false;
}

/** Writes a line, and waits while its reader is slow. */
export async function writeLine(stream: Writable, line: string): Promise<void> {
  if (!stream.write(`${line}\n`)) await once(stream, 'drain');
}
