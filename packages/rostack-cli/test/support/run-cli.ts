import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runCli } from '../../src/run-cli.ts';

export interface CliResult {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

export interface RunningCli {
  readonly result: Promise<CliResult>;
  /** What SIGINT does. */
  stop(): void;
  /** Written so far. */
  readonly output: () => string;
}

export interface CliOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly isTTY?: boolean;
}

/** Runs a command line in this process, so that it trusts what this process trusts. */
export function startCli(
  argv: readonly string[],
  { environment = {}, isTTY = false }: CliOptions = {},
): RunningCli {
  const stop = new AbortController();
  const stdout = Object.assign(new PassThrough({ highWaterMark: 1_048_576 }), { isTTY });
  const stderr = new PassThrough({ highWaterMark: 1_048_576 });
  let written = '';
  stdout.on('data', (piece: Buffer) => {
    written += piece.toString('utf8');
  });
  const run = async (): Promise<CliResult> => {
    const errors = text(stderr);
    const stdin = Readable.from([]);
    const code = await runCli(argv, { environment, stdin, stdout, stderr, stop: stop.signal });
    stdout.end();
    stderr.end();
    return { code, output: written, errors: await errors };
  };
  return { result: run(), stop: () => stop.abort(), output: () => written };
}

export const runCommand = (argv: readonly string[], options?: CliOptions): Promise<CliResult> =>
  startCli(argv, options).result;

export const jsonLines = (output: string): readonly Record<string, unknown>[] =>
  output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
