import type { ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { type Command, Option } from 'commander';
import type { ImplementedResource } from 'rostack-core';
import { defineError } from 'rostack-core';
import type { Channel } from '../../cluster/peers/rpc.ts';
import { loadConfig } from '../../config/load-config.ts';
import type { GatewayConfig } from '../../config/model/gateway-config.ts';
import { type ConfiguredStore, openConfiguredStore } from '../../serving/store/configured-store.ts';

/** The process that a command runs in. */
export interface CliIo {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable;
  /** Results only, so that they can be piped. */
  readonly stdout: Writable;
  /** Messages for people, and logs. */
  readonly stderr: Writable;
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
  /** Aborted by SIGINT and SIGTERM: shut down in good order. */
  readonly stop: AbortSignal;
  /** Calls back at each SIGHUP until the returned function is called. */
  readonly onReload: (reload: () => void) => () => void;
  /** Makes a process that runs the same command line as a worker of this one. */
  readonly fork: () => ChildProcess;
  /** Channel to the process that this one is a worker of; undefined if it is not a worker. */
  readonly supervisor: Channel | undefined;
}

/** Everything that a command writes is escaped, except for the progress bar, which moves the cursor and contains no foreign text. */
export interface CommandIo extends CliIo {
  readonly bar: Writable & { readonly isTTY?: boolean };
}

/**
 * Adds a command of `rostack-gateway`, with its arguments and options, to the program; `run-cli.ts` lists them all. Its action
 * writes to `io`. It throws `CliFailure` (or an error with a message for people) to exit with 1, and `UsageError` or `ConfigError`
 * to exit with 2, `QuarantineError` to exit with 3; it never calls `process.exit`.
 */
export type RegisterCommand = (program: Command, io: CommandIo) => void;

/** The command could not do what was asked; the message is for people. */
export class CliFailure extends Error {
  override readonly name = 'CliFailure';
  readonly code = 'command_failed';
  readonly retryable = false;
}

/** The command was called incorrectly; the message says how to call it. */
export class UsageError extends defineError('UsageError', 'usage', false) {}

/** Everything was done, but rows of a table are in quarantine; the message says which. */
export class QuarantineError extends defineError('QuarantineError', 'rows_quarantined', false) {}

/** Writes a line. */
export function writeLine(stream: Writable, line: string): void {
  stream.write(`${line}\n`);
}

/** File that commands read unless `--config` names another. */
export const DEFAULT_CONFIG_FILE = 'rostack-gateway.yaml';
/** The public URL if the configuration has none and the command does not depend on it. */
export const ANY_URL = 'https://localhost';

export interface ConfigOptions {
  readonly config: string;
}

/** Adds `--config FILE` to a command. */
export function withConfigOption(command: Command): Command {
  return command.addOption(
    new Option('-c, --config <file>', 'configuration file').default(DEFAULT_CONFIG_FILE),
  );
}

/** Reads the configuration that `--config` names. @throws ConfigError `config_invalid` */
export function readConfigOption(options: ConfigOptions, io: CliIo): Promise<GatewayConfig> {
  return loadConfig(options.config, { environment: io.environment });
}

/** As `readConfigOption`, for commands that serve: the certificate has to be valid now. @throws ConfigError `config_invalid` */
export function readServedConfig(options: ConfigOptions, io: CliIo): Promise<GatewayConfig> {
  return loadConfig(options.config, { environment: io.environment, certificatesAtMs: io.nowMs() });
}

/** Opens the store of a configuration; its alarms go to standard error. */
export function openStore(
  config: GatewayConfig,
  io: CliIo,
  resources: readonly ImplementedResource[] = [],
): Promise<ConfiguredStore> {
  return openConfiguredStore(config, resources, (line) => writeLine(io.stderr, line));
}
