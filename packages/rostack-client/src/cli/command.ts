import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { escapeLine, type JsonObject, parseStrictJson } from 'rostack-core';
import type { RostackClient } from '../client/client.ts';
import { connect } from '../client/connect.ts';
import { isRetryable, type RetryRules, retry, retryDelayAfter } from '../connection/retry/retry.ts';
import { HttpProblemError, ResponseError, UsageError } from '../http/error/errors.ts';
import { isLoopback } from '../http/origin-policy.ts';
import { aRecordId } from '../list/record-ids.ts';

/** The process that a command runs in. What is written comes from servers: `runCli` escapes what could control a terminal. */
export interface CliIo {
  readonly environment: Readonly<Record<string, string | undefined>>;
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

/** The variable that holds the token unless `--token-env` names another one. */
export const TOKEN_VARIABLE = 'ROSTACK_TOKEN';

/** How a command reaches a server. */
export interface ConnectionOptions {
  readonly tokenEnv: string;
  readonly auth?: 'shared_token' | 'oauth2';
}

/** Adds `--token-env` and `--auth` to a command. */
export function withConnection(command: Command): Command {
  return command
    .addOption(
      new Option('--token-env <name>', 'environment variable that holds the token').default(TOKEN_VARIABLE),
    )
    .addOption(
      new Option('--auth <method>', 'what the token is, where the server takes both').choices([
        'shared_token',
        'oauth2',
      ]),
    );
}

/** The token that the options name. @throws UsageError if there is none */
export function tokenOf({ tokenEnv }: ConnectionOptions, { environment }: CliIo): string {
  const token = environment[tokenEnv];
  if (token !== undefined && token !== '') return token;
  throw new UsageError(
    `there is no token: put one into the environment variable ${tokenEnv}, or name another one with --token-env`,
  );
}

/** Whether a token looks like a JWT. Without `--auth`, such a token counts as an access token. */
export const isAccessToken = (token: string): boolean => /^eyJ[\w-]*\.[\w-]+\.[\w-]*$/.test(token);

/** A URL as a command takes it. @throws UsageError for anything else, in words of the command line */
function urlOf(text: string): string {
  const url = URL.parse(text);
  // `localhost:8951` is a URL of the scheme `localhost:`.
  const hasScheme = url?.protocol === 'https:' || url?.protocol === 'http:';
  if (url === null || !hasScheme) {
    const example = /^[\w.-]+:\d{1,5}(?:\/|$)/.test(text) ? `https://${text}` : 'https://data.example.com';
    throw new UsageError(
      `${text} is not a URL: write one such as ${example}; http is for servers on this computer`,
    );
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new UsageError(`${text} is not https; http is for servers on this computer`);
  }
  return text;
}

/** Connects as the options say; the caller closes the client. @throws UsageError, and the errors of `connect` */
export async function openClient(url: string, options: ConnectionOptions, io: CliIo): Promise<RostackClient> {
  const token = tokenOf(options, io);
  const method = options.auth ?? (isAccessToken(token) ? 'oauth2' : 'shared_token');
  return connect(
    urlOf(url),
    { method, token },
    {
      allowInsecureLoopback: true,
      signal: io.stop,
      onAdvice: (sentence) => void io.stderr.write(`warning: ${sentence}\n`),
    },
  );
}

/** Between attempts to connect, before the server has said what it wants. */
const START_RETRIES: RetryRules = { minDelayMs: 250, maxDelayMs: 60_000, maxServerDelayMs: 300_000 };

/**
 * `openClient` for commands that go on until they are stopped: while the server, or a proxy in front of it, answers that it cannot serve
 * at the moment, it waits and tries again. An address where nobody answers fails at once: it may be a wrong one.
 * @returns undefined when the command is stopped meanwhile
 */
export async function openPatientClient(
  url: string,
  options: ConnectionOptions,
  io: CliIo,
): Promise<RostackClient | undefined> {
  try {
    return await retry(
      () => openClient(url, options, io),
      async (error, failures) => {
        const delayMs = retryDelayAfter(START_RETRIES, error, failures, Math.random());
        writeWaiting(io, error, delayMs);
        await delay(delayMs, undefined, { signal: io.stop });
      },
      (error) => isRetryable(error) && (error instanceof ResponseError || error instanceof HttpProblemError),
    );
  } catch (error) {
    if (io.stop.aborted) return undefined;
    throw error;
  }
}

/** Says what a command waits for. */
export function writeWaiting({ stderr }: CliIo, error: unknown, retryInMs: number): void {
  const message = error instanceof Error ? error.message : String(error);
  stderr.write(`waiting ${retryInMs} ms: ${escapeLine(message)}\n`);
}

/** Reads `--filter`. */
export function filterArgument(text: string): JsonObject {
  let value: unknown;
  try {
    value = parseStrictJson(text);
  } catch {
    throw new InvalidArgumentError(`Expected JSON, such as '{"/region":{"eq":"north"}}'.`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new InvalidArgumentError(`Expected a JSON object, such as '{"/region":{"eq":"north"}}'.`);
  }
  return value as JsonObject;
}

/** Adds `--record-id` to a command that keeps records by their id. */
export function withRecordId(command: Command): Command {
  return command.option(
    '--record-id <pointer>',
    'where the id of a record is, such as /deviceId; needed only where the server does not show it',
    pointerArgument,
  );
}

function pointerArgument(text: string): string {
  if (aRecordId(text, 'it') === undefined) return text;
  throw new InvalidArgumentError('Expected a JSON Pointer, such as /deviceId.');
}

/** Reads a list with commas between its items. */
export function listArgument(text: string): readonly string[] {
  const items = text.split(',').map((item) => item.trim());
  if (items.includes(''))
    throw new InvalidArgumentError('Pass items with commas between them, such as /name,-/height.');
  return items;
}

/** Reads a number of records. */
export function countArgument(text: string): number {
  const count = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(count) || count < 1) {
    throw new InvalidArgumentError('Expected a positive integer.');
  }
  return count;
}
