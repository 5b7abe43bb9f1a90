import { CommanderError } from 'commander';
import { ConfigError } from '../config/config-error.ts';

/** Exit codes of every command. */
export const EXIT_CODES = { ok: 0, failed: 1, usage: 2 } as const;

/** The command could not do what it was asked for; the message is for people. */
export class CliFailure extends Error {
  override readonly name = 'CliFailure';
  readonly code = 'command_failed';
  readonly retryable = false;
}

/** The command was called in a wrong way; the message says how to call it. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly code = 'usage';
  readonly retryable = false;
}

/** The exit code of an error, and what to print; undefined: it is printed already. */
export function describeFailure(error: unknown): {
  readonly exitCode: number;
  readonly message: string | undefined;
} {
  if (error instanceof CommanderError) {
    // Help and version end this way too.
    return { exitCode: error.exitCode === 0 ? EXIT_CODES.ok : EXIT_CODES.usage, message: undefined };
  }
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof ConfigError) return { exitCode: EXIT_CODES.usage, message };
  if (error instanceof UsageError) return { exitCode: EXIT_CODES.usage, message: `error: ${message}` };
  return { exitCode: EXIT_CODES.failed, message: `error: ${message}` };
}
