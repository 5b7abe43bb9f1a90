import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runCli } from '../../src/cli/run-cli.ts';

export interface CommandResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandSurroundings {
  readonly environment?: Readonly<Record<string, string>>;
  readonly nowMs?: () => number;
}

/** Runs one command line in this process, by the function that the program runs. */
export async function runCommand(
  argv: readonly string[],
  { environment = {}, nowMs = Date.now }: CommandSurroundings = {},
): Promise<CommandResult> {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const exitCode = await runCli(argv, {
    environment,
    stdin: Readable.from([]),
    stdout,
    stderr,
    nowMs,
    stop: new AbortController().signal,
    onReload: () => () => {},
    fork: () => {
      throw new Error('a command that runs in this process has no workers');
    },
    supervisor: undefined,
  });
  stdout.end();
  stderr.end();
  return { exitCode, stdout: await text(stdout), stderr: await text(stderr) };
}
