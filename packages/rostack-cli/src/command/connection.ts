import { setTimeout as delay } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import { connect, type HttpProblemError, type RostackClient, UsageError } from 'rostack-client';
import { escapeLine, isLoopback } from 'rostack-core';
import type { CliIo } from './command.ts';

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

/** Between attempts to connect, before the server has said what it wants: a ceiling that doubles, with full jitter. */
const MIN_DELAY_MS = 250;
const MAX_DELAY_MS = 60_000;
/** The longest delay that a server may ask for. */
const MAX_SERVER_DELAY_MS = 300_000;

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
  for (let failures = 1; ; failures += 1) {
    try {
      return await openClient(url, options, io);
    } catch (error) {
      if (io.stop.aborted) return undefined;
      const { code, retryable, status, retryAfterMs } = error as Partial<HttpProblemError>;
      const isAnswer = status !== undefined || String(code) === 'invalid_response';
      if (!isAnswer || retryable !== true) throw error;
      const delayMs = startDelayMs(failures, retryAfterMs);
      writeWaiting(io, error, delayMs);
      await delay(delayMs, undefined, { signal: io.stop }).catch(() => {});
      if (io.stop.aborted) return undefined;
    }
  }
}

/** Milliseconds until the next attempt: the server's own wish where that is longer. */
function startDelayMs(failures: number, retryAfterMs = 0): number {
  const ceilingMs = Math.min(MAX_DELAY_MS, MIN_DELAY_MS * 2 ** Math.min(failures, 50));
  const ownDelayMs = MIN_DELAY_MS + Math.random() * (ceilingMs - MIN_DELAY_MS);
  const serverDelayMs = Math.min(retryAfterMs, MAX_SERVER_DELAY_MS);
  return Math.round(Math.max(ownDelayMs, serverDelayMs));
}

/** Says what a command waits for. */
export function writeWaiting({ stderr }: CliIo, error: unknown, retryInMs: number): void {
  const message = error instanceof Error ? error.message : String(error);
  stderr.write(`waiting ${retryInMs} ms: ${escapeLine(message)}\n`);
}
